package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/peg/pegfile"
	"example.com/suite/spec/internal/yaml"
)

// suiteReader reads the keys that only the outermost file may have.
type suiteReader struct {
	*yaml.Reader
	s *Suite
}

func (r *suiteReader) key(p yaml.Pair) {
	s := r.s
	switch p.Name {
	case "suite":
		s.Name, _ = r.Str(p.Value, `"suite"`)
	case "description":
		s.Description, _ = r.Str(p.Value, `"description"`)
	case "packages":
		r.packages(p.Value)
	case "toolchain":
		r.toolchain(p.Value)
	case "build":
		s.build = (&textReader{Reader: r.Reader}).hook(p)
	case "timer":
		s.timer = readTimer(&textReader{Reader: r.Reader}, p.Value)
	case "budget":
		r.budget(p.Value)
	case "errors":
		r.errors(p.Value)
	case "on_inconclusive":
		s.onInconclusive = r.Choice(p.Value, `"on_inconclusive"`, "auto", "list", "fail")
	case "removed":
		r.removed(p.Value)
	case "unaffected":
		s.unaffected = Unaffected(r.Choice(p.Value, `"unaffected"`, string(ByExecution),
			string(ByReach), string(Never)))
	case "report":
		s.report = r.Choice(p.Value, `"report"`, "raw", "net", "both")
	}
}

func (r *suiteReader) budget(n yaml.Node) {
	if !r.IsA(n, yaml.Scalar, `"budget"`, "a duration") {
		return
	}
	d, err := ParseDuration(n.Value)
	if err == nil && d == 0 {
		err = fmt.Errorf("%q is not more than zero", n.Value)
	}
	if err != nil {
		r.Fail(n, "", "budget: %s", diag.Clip(err.Error()))
	}
	r.s.budget, r.s.budgetPlace = d, n.Place()
}

// packages reads the list of packages.
func (r *suiteReader) packages(n yaml.Node) {
	r.s.packages.Place = n.Place()
	seen := map[string]bool{}
	for _, item := range r.List(n, `"packages"`, "a list of Go packages") {
		pattern, ok := r.Str(item, "a package")
		switch {
		case !ok:
		case strings.TrimSpace(pattern) != pattern || pattern == "" || strings.HasPrefix(pattern, "-"):
			r.Fail(item, "packages: [./hashbench, ../other/...]", "%s is not a Go package", diag.Quote(pattern))
		case seen[pattern]:
			r.FailAs(diag.Duplicate, item, "", "package %s comes twice", diag.Quote(pattern))
		default:
			r.s.packages.Patterns = append(r.s.packages.Patterns, pattern)
			r.s.packages.place(pattern, item.Place())
		}
		seen[pattern] = true
	}
}

// toolchain reads how packages are built.
func (r *suiteReader) toolchain(n yaml.Node) {
	for _, p := range r.Mapping(n, `"toolchain"`, "in toolchain", toolchainKeys) {
		switch p.Name {
		case "tags":
			r.s.packages.Tags = r.literals(p.Value, `"tags"`, "a build tag")
		case "flags":
			r.s.packages.Flags = r.literals(p.Value, `"flags"`, "a flag of go build")
		case "env":
			r.s.packages.Env = r.variables(p.Value)
		}
	}
}

// literals reads a list of words in which ${…} has no meaning.
func (r *suiteReader) literals(n yaml.Node, what, one string) (words []string) {
	for _, item := range r.List(n, what, "a list of words") {
		if word, ok := r.Str(item, one); ok {
			words = append(words, word)
			r.s.packages.place(word, item.Place())
		}
	}
	return words
}

// variables reads NAME: value pairs as NAME=value, in the order of the file.
func (r *suiteReader) variables(n yaml.Node) (all []string) {
	for _, p := range r.Pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.Name) {
			r.Fail(p.Key, "write it like env: {GOEXPERIMENT: simd}",
				"%s is not the name of a variable", diag.Quote(p.Name))
		}
		refusePegs(r.Reader, p)
		r.s.given = append(r.s.given, givenText(p)...)
		if r.IsA(p.Value, yaml.Scalar, "variable "+diag.Quote(p.Name), "text") {
			all = append(all, p.Name+"="+p.Value.Value)
			r.s.packages.place(p.Name, p.Key.Place())
		}
	}
	return all
}

// errors reads the risks of the suite.
func (r *suiteReader) errors(n yaml.Node) {
	for _, p := range r.Mapping(n, `"errors"`, "in errors", errorsKeys) {
		switch p.Name {
		case "family":
			const hint = "family: 1% is the chance that any red gate of the suite is false"
			if x, ok := readShare(r.Reader, p, leastFamily, mostFamily, hint); ok {
				r.s.errors.Family = x
			}
		case "floor":
			const hint = "floor: 1% is what two builds of one source are taken to differ by at least"
			if x, ok := readShare(r.Reader, p, 0, mostFloor, hint); ok {
				r.s.errors.Floor = &x
			}
		case "sentinel":
			r.s.errors.Sentinel = readSentinel(r.Reader, p.Value)
		}
	}
}

// readSentinel reads whether code is compared with itself. It returns nil after a problem.
func readSentinel(r *yaml.Reader, n yaml.Node) *bool {
	if !r.IsA(n, yaml.Scalar, `"sentinel"`, "true or false") {
		return nil
	}
	if n.ShortTag() != "!!bool" {
		hint := "sentinel: true compares code with itself, to see whether this machine can judge"
		if said := switches[strings.ToLower(n.Value)]; said != "" {
			hint = "write " + said
		} else if n.Value == "true" || n.Value == "false" {
			hint = "leave out the quotes"
		}
		r.FailAs(diag.WrongType, n, hint, `"sentinel" must be true or false, not %s`, diag.Quote(n.Value))
		return nil
	}
	on := strings.EqualFold(n.Value, "true")
	return &on
}

// readShare reads a percentage from least to most.
func readShare(r *yaml.Reader, p yaml.Pair, least, most float64, hint string) (x float64, ok bool) {
	if !r.IsA(p.Value, yaml.Scalar, diag.Quote(p.Name), "one value") {
		return 0, false
	}
	x, err := lang.ParsePercent(p.Value.Value)
	if err == nil && !(x >= least && x <= most) {
		err = fmt.Errorf("%q is not between %s and %s", p.Value.Value, units.Exact(least), units.Exact(most))
	}
	if err != nil {
		r.Fail(p.Value, hint, "%s: %s", p.Name, diag.Clip(err.Error()))
	}
	return x, err == nil
}

var toolchainKeys = yaml.KeySet{Known: []string{"tags", "flags", "env"}}

var errorsKeys = yaml.KeySet{Known: []string{"family", "sentinel", "floor"}}

// Limits of family: one suite in a million, and the toss of a coin.
const (
	leastFamily = 1e-6
	mostFamily  = 0.5
)

// mostFloor is more than any layout of code explains. It is below 1, so that "floor: 1",
// which is 100%, is refused: its author meant 1%.
const mostFloor = 0.5

// refusePegs refuses the variables that switch pegs on. suite removes them from the
// environment: in a measured run every hit of a peg would cost time.
func refusePegs(r *yaml.Reader, p yaml.Pair) {
	switch p.Name {
	case pegfile.Variable:
		r.Fail(p.Key, "pegs: true measures with pegs on, after the samples", "%s is set by suite alone", p.Name)
	case pegfile.PointsVariable:
		r.Fail(p.Key, "pegs: [parse, emit] asks for points", "%s is set by suite alone", p.Name)
	}
}

// givenText returns NAME=value if the value of a variable is in the file. A value that is
// nothing but an expression is left out: the file does not contain its text.
func givenText(p yaml.Pair) []string {
	text := p.Value.Value
	expression := strings.LastIndex(text, "${") == 0 && strings.HasSuffix(text, "}")
	if p.Value.Kind != yaml.Scalar || expression {
		return nil
	}
	return []string{p.Name + "=" + text}
}

// removed reads the names of cases that are gone.
func (r *suiteReader) removed(n yaml.Node) {
	for _, item := range r.List(n, `"removed"`, "a list of names") {
		name, ok := r.Str(item, "the name of a case")
		switch {
		case !ok:
		case strings.TrimSpace(name) == "":
			r.Fail(item, "", "a removed case without a name")
		case slices.ContainsFunc(r.s.removed, func(other Removed) bool { return other.Name == name }):
			r.FailAs(diag.Duplicate, item, "", "removed case %s comes twice", diag.Quote(name))
		default:
			r.s.removed = append(r.s.removed, Removed{name, item.Place()})
		}
	}
}
