package spec

import (
	"fmt"
	"path/filepath"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"gopkg.in/yaml.v3"
)

const scalar = yaml.ScalarNode

// Suite is a checked suite file, with all that it includes. Plan makes cases
// of it.
type Suite struct {
	Name        string
	Description string
	File        string // as given
	Dir         string // absolute; relative paths of the file start here
	Hash        string // sha256:… of the file's bytes and of all it includes

	packages       Packages
	build          *hook
	timer          *preference // nil: not given
	budget         Duration
	budgetPlace    diag.Place
	errors         Errors
	onInconclusive string
	report         string
	removed        []Removed
	benchmarks     []*benchmark
	sources        []result.Source // texts of its files
	kept           int             // bytes of them
	given          []string        // see Plan.Given
}

// hook is a command that is run and not measured, before expansion.
type hook struct {
	argv  []*lang.Template
	place diag.Place
}

// suite reads the file that a run was asked for.
func (r *reader) suite(name string, text []byte) *Suite {
	s := &Suite{Name: baseName(name), File: name, onInconclusive: DefaultOnInconclusive, report: DefaultReport, errors: Errors{Family: DefaultFamily}}
	s.Dir = r.source(name, "").dir
	r.seen[filepath.Clean(name)] = diag.Place{File: name}
	pairs := r.file(s, name, text, nil)
	for _, p := range pairs {
		r.suiteKey(s, p)
	}
	if t, ok := find(pairs, "toolchain"); ok && len(s.packages.Patterns) == 0 && !s.hasGoTests() {
		r.fail(t.key, "packages: [./hashbench]", "\"toolchain\" builds packages, and there are none")
	}
	if len(s.benchmarks) == 0 && len(r.found) == 0 {
		r.add(diag.Problem{Place: diag.Place{File: name}, Message: "the suite has no benchmarks", Hint: minimalExample})
	}
	return s
}

// file reads one file: its benchmarks go to the suite, after those of the files
// that it includes. It gives the pairs at the top of the file. outer are the
// defaults of the files around it, nearest first.
func (r *reader) file(s *Suite, name string, text []byte, outer []layer) []pair {
	r.hash.Write(text)
	s.keep(name, text)
	r.files = append(r.files, name)
	defer func() { r.files = r.files[:len(r.files)-1] }()
	root := r.document(name, text)
	if root == nil {
		return nil
	}
	pairs := r.mapping(*root, "a suite file", "in a suite file", suiteKeys)
	layers := outer
	if d, ok := find(pairs, "defaults"); ok {
		layers = append([]layer{r.defaults(d.value)}, outer...)
	}
	if len(r.files) == 1 {
		layers = r.ofSuite(pairs, layers)
	}
	if f, ok := find(pairs, "files"); ok {
		r.include(s, f.value, layers)
	}
	if b, ok := find(pairs, "benchmarks"); ok {
		for i, item := range r.list(b.value, `"benchmarks"`, "a list of benchmarks") {
			if b := r.benchmark(item, i+1, layers); b != nil {
				s.benchmarks = append(s.benchmarks, b)
			}
		}
	}
	return pairs
}

func find(pairs []pair, name string) (pair, bool) {
	i := slices.IndexFunc(pairs, func(p pair) bool { return p.name == name })
	if i < 0 {
		return pair{}, false
	}
	return pairs[i], true
}

// suiteKey reads what the outermost file says of the suite as a whole.
func (r *reader) suiteKey(s *Suite, p pair) {
	switch p.name {
	case "suite":
		s.Name, _ = r.str(p.value, `"suite"`)
	case "description":
		s.Description, _ = r.str(p.value, `"description"`)
	case "packages":
		r.packages(s, p.value)
	case "toolchain":
		r.toolchain(s, p.value)
	case "build":
		s.build = (&benchReader{reader: r, b: &benchmark{}}).hook(p)
	case "timer":
		s.timer = (&benchReader{reader: r, b: &benchmark{}}).timer(p.value)
	case "budget":
		r.budget(s, p.value)
	case "errors":
		r.errors(s, p.value)
	case "on_inconclusive":
		s.onInconclusive = r.choice(p.value, `"on_inconclusive"`, "auto", "list", "fail")
	case "removed":
		r.removed(s, p.value)
	case "report":
		s.report = r.choice(p.value, `"report"`, "raw", "net", "both")
	}
}

func (r *reader) budget(s *Suite, n node) {
	if !r.isA(n, scalar, `"budget"`, "a duration") {
		return
	}
	d, err := ParseDuration(n.Value)
	if err == nil && d == 0 {
		err = fmt.Errorf("%q is not more than zero", n.Value)
	}
	if err != nil {
		r.fail(n, "", "budget: %s", diag.Clip(err.Error()))
	}
	s.budget, s.budgetPlace = d, n.place()
}
