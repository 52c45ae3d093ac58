package spec

import (
	"fmt"
	"path/filepath"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

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
	s.Dir = r.DirOf(name)
	r.seen[filepath.Clean(name)] = diag.Place{File: name}
	pairs := r.file(s, name, text, nil)
	for _, p := range pairs {
		r.suiteKey(s, p)
	}
	if t, ok := find(pairs, "toolchain"); ok && len(s.packages.Patterns) == 0 && !s.hasGoTests() {
		r.Fail(t.Key, "packages: [./hashbench]", "\"toolchain\" builds packages, and there are none")
	}
	if len(s.benchmarks) == 0 && len(r.Found) == 0 {
		r.Add(diag.Problem{Place: diag.Place{File: name}, Message: "the suite has no benchmarks", Hint: minimalExample})
	}
	return s
}

// file reads one file: its benchmarks go to the suite, after those of the files
// that it includes. It gives the pairs at the top of the file. outer are the
// defaults of the files around it, nearest first.
func (r *reader) file(s *Suite, name string, text []byte, outer []layer) []yaml.Pair {
	r.hash.Write(text)
	s.keep(name, text)
	r.files = append(r.files, name)
	defer func() { r.files = r.files[:len(r.files)-1] }()
	root := r.Document(name, text)
	if root == nil {
		return nil
	}
	pairs := r.Mapping(*root, "a suite file", "in a suite file", suiteKeys)
	layers := outer
	if d, ok := find(pairs, "defaults"); ok {
		layers = append([]layer{r.defaults(d.Value)}, outer...)
	}
	if len(r.files) == 1 {
		layers = r.ofSuite(pairs, layers)
	}
	if f, ok := find(pairs, "files"); ok {
		r.include(s, f.Value, layers)
	}
	if b, ok := find(pairs, "benchmarks"); ok {
		for i, item := range r.List(b.Value, `"benchmarks"`, "a list of benchmarks") {
			if b := r.benchmark(item, i+1, layers); b != nil {
				s.benchmarks = append(s.benchmarks, b)
			}
		}
	}
	return pairs
}

func find(pairs []yaml.Pair, name string) (yaml.Pair, bool) {
	i := slices.IndexFunc(pairs, func(p yaml.Pair) bool { return p.Name == name })
	if i < 0 {
		return yaml.Pair{}, false
	}
	return pairs[i], true
}

// suiteKey reads what the outermost file says of the suite as a whole.
func (r *reader) suiteKey(s *Suite, p yaml.Pair) {
	switch p.Name {
	case "suite":
		s.Name, _ = r.Str(p.Value, `"suite"`)
	case "description":
		s.Description, _ = r.Str(p.Value, `"description"`)
	case "packages":
		r.packages(s, p.Value)
	case "toolchain":
		r.toolchain(s, p.Value)
	case "build":
		s.build = (&benchReader{reader: r, b: &benchmark{}}).hook(p)
	case "timer":
		s.timer = (&benchReader{reader: r, b: &benchmark{}}).timer(p.Value)
	case "budget":
		r.budget(s, p.Value)
	case "errors":
		r.errors(s, p.Value)
	case "on_inconclusive":
		s.onInconclusive = r.Choice(p.Value, `"on_inconclusive"`, "auto", "list", "fail")
	case "removed":
		r.removed(s, p.Value)
	case "report":
		s.report = r.Choice(p.Value, `"report"`, "raw", "net", "both")
	}
}

func (r *reader) budget(s *Suite, n yaml.Node) {
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
	s.budget, s.budgetPlace = d, n.Place()
}
