package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Packages are the Go packages of a suite whose init functions register its
// benchmarks, and how their host is built. Words are as written; relative
// patterns start at the folder of the suite file.
type Packages struct {
	Patterns []string   `json:"patterns"` // ./hashbench, ../other/..., example.com/x/y
	Tags     []string   `json:"tags,omitempty"`
	Flags    []string   `json:"flags,omitempty"` // of go build
	Env      []string   `json:"env,omitempty"`   // NAME=value, added to suite's own
	Place    diag.Place `json:"-"`
	// Places of the single words: patterns, tags, flags and names of variables.
	Places map[string]diag.Place `json:"-"`
}

// At is where a word stands, or the whole list where it is none of them.
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

// packages reads the list of them.
func (r *reader) packages(s *Suite, n node) {
	s.packages.Place = n.place()
	seen := map[string]bool{}
	for _, item := range r.list(n, `"packages"`, "a list of Go packages") {
		pattern, ok := r.str(item, "a package")
		switch {
		case !ok:
		case strings.TrimSpace(pattern) != pattern || pattern == "" || strings.HasPrefix(pattern, "-"):
			r.fail(item, "packages: [./hashbench, ../other/...]", "%s is not a Go package", quote(pattern))
		case seen[pattern]:
			r.fail(item, "", "package %s comes twice", quote(pattern))
		default:
			s.packages.Patterns = append(s.packages.Patterns, pattern)
			s.packages.place(pattern, item.place())
		}
		seen[pattern] = true
	}
}

// toolchain reads how they are built.
func (r *reader) toolchain(s *Suite, n node) {
	for _, p := range r.mapping(n, `"toolchain"`, "in toolchain", toolchainKeys) {
		switch p.name {
		case "tags":
			s.packages.Tags = r.literals(s, p.value, `"tags"`, "a build tag")
		case "flags":
			s.packages.Flags = r.literals(s, p.value, `"flags"`, "a flag of go build")
		case "env":
			s.packages.Env = r.variables(s, p.value)
		}
	}
}

// literals reads a list of words in which ${…} has no meaning.
func (r *reader) literals(s *Suite, n node, what, one string) (words []string) {
	for _, item := range r.list(n, what, "a list of words") {
		if word, ok := r.str(item, one); ok {
			words = append(words, word)
			s.packages.place(word, item.place())
		}
	}
	return words
}

// variables reads NAME: value pairs as NAME=value, in the order of the file.
func (r *reader) variables(s *Suite, n node) (all []string) {
	for _, p := range r.pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.name) {
			r.fail(p.key, "write it like env: {GOEXPERIMENT: simd}", "%s is not the name of a variable", quote(p.name))
		}
		r.ownVariable(p)
		r.give(p)
		if r.isA(p.value, scalar, "variable "+quote(p.name), "text") {
			all = append(all, p.name+"="+p.value.Value)
			s.packages.place(p.name, p.key.place())
		}
	}
	return all
}

func isGo(b *benchmark) bool { return b.kind == result.KindGo }

// functions are those that a benchmark may name: of the host that is built from
// the packages, where there are any. known is false where they stay unchecked.
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
	p.add(problems...)
	return names, len(problems) == 0
}
