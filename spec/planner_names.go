package spec

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// The name is the given name, or the body. If neither has ${…} in it, the values of the
// parameters follow, as in the names of Go's sub-benchmarks.
func (x *expansion) name() string {
	b, c, row := x.b, x.c, x.row
	if b.name != nil {
		return x.named(b.name)
	}
	name := oneLine(c.Function + strings.Join(c.Argv, " ") + c.Shell)
	if c.Harness != nil && c.Harness.Benchmark != "" {
		name = "" // programs differ more seldom than their benchmarks
	}
	return completed(name, append(b.argv, b.function, b.shell, b.gotest), c, row)
}

func (x *expansion) named(t *lang.Template) string {
	return completed(x.text(t), []*lang.Template{t}, x.c, x.row)
}

// completed adds to a name what distinguishes the cases of one benchmark.
func completed(name string, templates []*lang.Template, c *Case, row []lang.Value) string {
	literal := true
	if c.within != "" {
		name = strings.TrimPrefix(name+"/"+c.within, "/")
	}
	for _, t := range templates {
		literal = literal && (t == nil || t.Literal())
	}
	if literal {
		for _, v := range row {
			name += "/" + v.Text
		}
	}
	return name
}

// maxName is the length of the longest name: it fits on two lines of a report.
const maxName = 200

// mostWithin is the most of a name that comes from an existing benchmark.
const mostWithin = 150

// shortened returns a name that a benchmark has given itself, such as its input, with a hash for the end of a long one:
// it is the same in each tree, and another one for each benchmark.
func shortened(name string) string {
	letters := []rune(name)
	if len(letters) <= mostWithin {
		return name
	}
	return fmt.Sprintf("%s…%.4x", string(letters[:mostWithin-9]), sha256.Sum256([]byte(name)))
}

// isNamed reports whether the name of a benchmark's cases could be read. Without name: the
// body is the name.
func (b *benchmark) isNamed() bool {
	if slices.Contains(b.wrong, "name") {
		return false
	}
	return b.name != nil || !slices.ContainsFunc(bodyKeys, func(key string) bool {
		return slices.Contains(b.wrong, key)
	})
}

// unique refuses names that another case has, and names that no report can show.
func (p *planner) unique(b *benchmark, c *Case) {
	if !b.isNamed() {
		return
	}
	place := b.place
	if b.name != nil {
		place = b.name.Text.Place
	}
	first, twice := p.names[c.Name]
	top := c.GoTest != nil && c.GoTest.Top
	switch {
	case twice && top && p.tops[c.Name]: // a run measures the sub-benchmarks of both, which may have other names
	case twice:
		p.failAs(diag.Duplicate, place, b.nameHint(first), "case %s comes twice", diag.Quote(c.Name))
	case c.Name == "" || len([]rune(c.Name)) > maxName:
		p.fail(place, "set another one with name:", "the name of a case must have 1 to %d characters", maxName)
	case strings.ContainsFunc(c.Name, unicode.IsControl):
		p.fail(place, "", "case %s has control characters in its name", diag.Quote(c.Name))
	}
	if !twice {
		p.names[c.Name], p.tops[c.Name] = place, top
	}
}

// nameHint explains where the other case of that name is, or which parameter the name
// lacks.
func (b *benchmark) nameHint(first diag.Place) string {
	var used []string
	templates := append([]*lang.Template{b.name, b.function, b.shell, b.gotest}, b.argv...)
	if b.name != nil {
		templates = templates[:1]
	}
	for _, t := range templates {
		if t != nil {
			used = append(used, t.Uses()...)
		}
	}
	for _, name := range b.varying() {
		if len(used) > 0 && !slices.Contains(used, name) {
			return fmt.Sprintf("the name does not tell apart the values of %q: add ${%s} to it", name, name)
		}
	}
	if b.name != nil && b.gotest != nil && first == b.name.Text.Place {
		return "without name: the names begin with the package"
	}
	return fmt.Sprintf("the other one is at %s; set name: to tell them apart", first)
}
