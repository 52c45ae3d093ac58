package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// requires reads the names of programs: one, or a list.
func (r *benchReader) requires(n yaml.Node) {
	items := []yaml.Node{n}
	if n.Kind != yaml.Scalar {
		items = r.List(n, `"requires"`, "the name of a program, or a list of names")
	}
	r.b.requires = nil
	for _, item := range items {
		r.b.requires = append(r.b.requires, r.word(item, "a program of \"requires\""))
	}
}

// requires expands the names of the programs that a case needs, each once.
func (p *planner) requires(b *benchmark, c *Case) {
	known := map[string]bool{}
	for _, t := range b.requires {
		before := len(p.Found)
		name := p.text(t)
		if t == nil || len(p.Found) > before || known[name] {
			continue
		}
		known[name] = true
		p.programName(t, name)
		c.Requires = append(c.Requires, name)
	}
}

// programName refuses what cannot be found in the PATH.
func (p *planner) programName(t *lang.Template, name string) {
	const hint = "requires: [python3, curl]"
	switch {
	case strings.TrimSpace(name) == "":
		p.fail(t.Text.Place, hint, `"requires" names no program`)
	case strings.ContainsAny(name, `/\`):
		p.fail(t.Text.Place, "a case whose own program is missing could not be measured, which is an error; requires: is for programs of the machine",
			`"requires" has names of programs and no paths, not %s`, diag.Quote(name))
	case strings.ContainsAny(name, " \t\n"):
		p.fail(t.Text.Place, hint, `"requires" has names of programs without arguments, not %s`, diag.Quote(name))
	}
}

// FindMissing sets, for each case, the required programs that the machine lacks. has reports
// whether there is a program of this name in the PATH. A case needs the programs of its base
// too, because both are measured together.
func (p *Plan) FindMissing(has func(name string) bool) {
	byName := make(map[string]*Case, len(p.Cases))
	for i := range p.Cases {
		byName[p.Cases[i].Name] = &p.Cases[i]
	}
	for i := range p.Cases {
		c := &p.Cases[i]
		c.Missing = nil
		seen := map[*Case]bool{}
		for of := c; of != nil && !seen[of]; of = byName[of.Base] {
			seen[of] = true
			c.Missing = append(c.Missing, lacking(of.Requires, c.Missing, has)...)
		}
	}
}

// lacking lists the programs that are not there and not in known.
func lacking(names, known []string, has func(name string) bool) (missing []string) {
	for _, name := range names {
		if !slices.Contains(known, name) && !has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}
