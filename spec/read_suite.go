package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/peg/pegfile"
	"example.com/suite/spec/internal/yaml"
)

// packages reads the list of packages.
func (r *reader) packages(s *Suite, n yaml.Node) {
	s.packages.Place = n.Place()
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
			s.packages.Patterns = append(s.packages.Patterns, pattern)
			s.packages.place(pattern, item.Place())
		}
		seen[pattern] = true
	}
}

// toolchain reads how packages are built.
func (r *reader) toolchain(s *Suite, n yaml.Node) {
	for _, p := range r.Mapping(n, `"toolchain"`, "in toolchain", toolchainKeys) {
		switch p.Name {
		case "tags":
			s.packages.Tags = r.literals(s, p.Value, `"tags"`, "a build tag")
		case "flags":
			s.packages.Flags = r.literals(s, p.Value, `"flags"`, "a flag of go build")
		case "env":
			s.packages.Env = r.variables(s, p.Value)
		}
	}
}

// literals reads a list of words in which ${…} has no meaning.
func (r *reader) literals(s *Suite, n yaml.Node, what, one string) (words []string) {
	for _, item := range r.List(n, what, "a list of words") {
		if word, ok := r.Str(item, one); ok {
			words = append(words, word)
			s.packages.place(word, item.Place())
		}
	}
	return words
}

// variables reads NAME: value pairs as NAME=value, in the order of the file.
func (r *reader) variables(s *Suite, n yaml.Node) (all []string) {
	for _, p := range r.Pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.Name) {
			r.Fail(p.Key, "write it like env: {GOEXPERIMENT: simd}", "%s is not the name of a variable", diag.Quote(p.Name))
		}
		r.ownVariable(p)
		r.give(p)
		if r.IsA(p.Value, yaml.Scalar, "variable "+diag.Quote(p.Name), "text") {
			all = append(all, p.Name+"="+p.Value.Value)
			s.packages.place(p.Name, p.Key.Place())
		}
	}
	return all
}

// errors reads the risks of the suite.
func (r *reader) errors(s *Suite, n yaml.Node) {
	for _, p := range r.Mapping(n, `"errors"`, "in errors", errorsKeys) {
		switch p.Name {
		case "family":
			if x, ok := r.share(p, leastFamily, mostFamily, "family: 1% is the chance that any red gate of the suite is false"); ok {
				s.errors.Family = x
			}
		case "floor":
			if x, ok := r.share(p, 0, mostFloor, "floor: 1% is what two builds of one source are taken to differ by at least"); ok {
				s.errors.Floor = &x
			}
		case "sentinel":
			s.errors.Sentinel = r.sentinel(p.Value)
		}
	}
}

// sentinel reads whether code is compared with itself. It returns nil after a problem.
func (r *reader) sentinel(n yaml.Node) *bool {
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

// share reads a percentage from least to most.
func (r *reader) share(p yaml.Pair, least, most float64, hint string) (x float64, ok bool) {
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

var errorsKeys = yaml.KeySet{Known: []string{"family", "sentinel", "floor"}}

// Limits of family: one suite in a million, and the toss of a coin.
const (
	leastFamily = 1e-6
	mostFamily  = 0.5
)

// mostFloor is more than any layout of code explains. It is below 1, so that "floor: 1",
// which is 100%, is refused: its author meant 1%.
const mostFloor = 0.5

// ownVariable refuses the variables that switch pegs on. suite removes them from the
// environment: in a measured run every hit of a peg would cost time.
func (r *reader) ownVariable(p yaml.Pair) {
	switch p.Name {
	case pegfile.Variable:
		r.Fail(p.Key, "pegs: true measures with pegs on, after the samples", "%s is set by suite alone", p.Name)
	case pegfile.PointsVariable:
		r.Fail(p.Key, "pegs: [parse, emit] asks for points", "%s is set by suite alone", p.Name)
	}
}
