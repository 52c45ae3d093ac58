package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// Packages are the Go packages whose init functions register the benchmarks of a suite, and
// how the host with them is built. Words are as in the suite file; relative patterns start
// at its folder.
type Packages struct {
	Patterns []string   `json:"patterns"` // ./hashbench, ../other/..., example.com/x/y
	Tags     []string   `json:"tags,omitempty"`
	Flags    []string   `json:"flags,omitempty"` // of go build
	Env      []string   `json:"env,omitempty"`   // NAME=value, added to suite's own
	Place    diag.Place `json:"-"`
	// Places are the places of single words: patterns, tags, flags and names of variables.
	Places map[string]diag.Place `json:"-"`
}

// At is the place of a word, or of the whole list if the word has none.
func (p *Packages) At(word string) diag.Place {
	if at, ok := p.Places[word]; ok {
		return at
	}
	return p.Place
}

func (p *Packages) place(word string, at diag.Place) {
	if p.Places == nil {
		p.Places = map[string]diag.Place{}
	}
	p.Places[word] = at
}

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

func isGo(b *benchmark) bool { return b.kind == result.KindGo }

// functions returns the functions that a benchmark may name: the ones of the suite's packages if it
// has any, or else the functions of suite itself. known is false if names cannot be checked.
func (p *planner) functions() (names []string, known bool) {
	c := p.catalogue
	switch {
	case c.Offline:
		return nil, false
	case len(p.suite.packages.Patterns) == 0 && c.Registered != nil && slices.ContainsFunc(p.suite.benchmarks, isGo):
		return c.Registered(), true
	case len(p.suite.packages.Patterns) == 0:
		return c.Functions, true
	case c.Build == nil:
		return nil, false
	}
	names, problems := c.Build(p.suite.Dir, p.suite.packages)
	p.Add(problems...)
	return names, len(problems) == 0
}
