package spec

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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

// maxTotal bounds what all files of a suite hold together.
const maxTotal = 4 << 20

// include reads the files that a file names, in their order.
func (r *reader) include(s *Suite, n yaml.Node, layers []layer) {
	for _, item := range r.List(n, `"files"`, "a list of files") {
		path, ok := r.Str(item, "a file name")
		if !ok {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(item.File()), path)
		}
		r.includeFile(s, item, path, layers)
	}
}

func (r *reader) includeFile(s *Suite, n yaml.Node, path string, layers []layer) {
	if !r.firstTime(n, path) {
		return
	}
	if r.open == nil {
		r.Fail(n, "", "file %s cannot be included here", diag.Quote(path))
		return
	}
	text, err := r.open(path)
	if err != nil {
		r.Add(fileProblem(n.Place(), path, err))
		return
	}
	if r.read += len(text); r.read > maxTotal {
		r.Fail(n, "use matrix: for cases that differ in values", "the files of the suite are larger than 4 MiB together")
		return
	}
	r.hash.Write([]byte{0}) // a byte that no file holds keeps them apart
	r.onlyBenchmarks(r.file(s, path, text, layers))
}

// firstTime refuses a file that includes itself, or that is there already.
func (r *reader) firstTime(n yaml.Node, path string) bool {
	before, again := r.seen[filepath.Clean(path)]
	open := slices.IndexFunc(r.files, func(f string) bool { return filepath.Clean(f) == filepath.Clean(path) })
	switch {
	case open >= 0:
		r.Fail(n, "", "files form a cycle: %s", strings.Join(append(slices.Clone(r.files[open:]), path), " → "))
	case again:
		r.Fail(n, "it is included at "+before.String()+" already", "file %s is included twice", diag.Quote(path))
	case len(r.seen) >= maxFiles:
		r.Fail(n, "", "the suite has more than %d files", maxFiles)
	default:
		r.seen[filepath.Clean(path)] = n.Place()
		return true
	}
	return false
}

// onlyBenchmarks refuses what only the outermost file may say. suite and
// description are those of the file when it is run by itself.
func (r *reader) onlyBenchmarks(pairs []yaml.Pair) {
	for _, p := range pairs {
		if slices.Contains([]string{"packages", "toolchain", "build", "timer", "budget", "errors", "tolerance", "on_inconclusive", "removed", "report"}, p.Name) {
			r.Add(diag.Problem{Place: p.Key.Place(), Message: "key " + diag.Quote(p.Name) + " in a file that another one includes",
				Hint: "it belongs into " + diag.Quote(r.files[0])})
		}
	}
}

// keep notes the text of a file for the result: in the order in which files are read,
// as long as all of them are small enough together.
func (s *Suite) keep(name string, text []byte) {
	one := result.Source{File: name, Text: string(text)}
	if s.kept+len(text) > result.MostSource {
		one.Text, one.Left = "", int64(len(text))
	} else {
		s.kept += len(text)
	}
	s.sources = append(s.sources, one)
}

// give notes a variable whose value the file says itself. One that is all an expression
// holds nothing yet.
func (r *reader) give(p yaml.Pair) {
	if p.Value.Kind != yaml.Scalar || strings.HasPrefix(p.Value.Value, "${") && strings.LastIndex(p.Value.Value, "${") == 0 && strings.HasSuffix(p.Value.Value, "}") {
		return
	}
	r.given = append(r.given, p.Name+"="+p.Value.Value)
}
