package spec

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/spec/internal/yaml"
)

// reader reads a suite file and the files that it includes.
type reader struct {
	yaml.Reader
	s     *Suite
	open  Opener
	hash  hash.Hash
	read  int                   // bytes of all files so far
	files []string              // open files, outermost first
	seen  map[string]diag.Place // files, and where they were included
}

var suiteFormat = yaml.Format{
	Name:    "a suite file",
	Example: minimalExample,
	Smaller: "use matrix: for cases that differ in values",
}

const minimalExample = "a small suite file is:  benchmarks: [{command: [sleep, 0.1]}]"

// parse keeps the benchmarks that are right, in addition to the problems of the others.
func parse(name string, src []byte, open Opener) (*Suite, diag.Problems) {
	return parseIn(nil, name, src, open)
}

// parseIn is parse with a function that maps folders to those that relative paths start
// from: see Catalogue.Folder.
func parseIn(folder func(string) string, name string, src []byte, open Opener) (*Suite, diag.Problems) {
	r := &reader{
		Reader: yaml.Reader{Format: suiteFormat, Folder: folder},
		s:      newSuite(name),
		open:   open,
		hash:   sha256.New(),
		seen:   map[string]diag.Place{},
	}
	r.outermost(name, src)
	r.s.Hash = fmt.Sprintf("sha256:%x", r.hash.Sum(nil))
	return r.s, r.Found.Sort()
}

func fileProblem(at diag.Place, path string, err error) diag.Problem {
	reason, hint := err.Error(), ""
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason, hint = "does not exist", paths.DidYouMean(path)
	case errors.Is(err, fs.ErrPermission):
		reason = "may not be read"
	case errors.As(err, &pathError):
		reason = pathError.Err.Error()
	}
	return diag.Problem{
		Code:    diag.Unreadable,
		Place:   at,
		Message: fmt.Sprintf("file %s %s", diag.Quote(path), reason),
		Hint:    hint,
	}
}

// baseName names a suite that does not set a name: the file's name without its
// extension.
func baseName(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Opener reads a file that a suite includes: at most yaml.MaxFileSize bytes and one more,
// so that a larger file is seen to be too large. path starts with the folder of the
// including file, so it can be opened as it is.
type Opener func(path string) ([]byte, error)

// maxFiles is how many files a suite may have, with all that it includes.
const maxFiles = 64

// newSuite returns a suite whose file sets nothing.
func newSuite(file string) *Suite {
	return &Suite{
		Name:           baseName(file),
		File:           file,
		onInconclusive: defaultOnInconclusive,
		report:         defaultReport,
		unaffected:     ByExecution,
		errors:         Errors{Family: defaults.Family},
	}
}

// outermost reads the file that a run was asked for.
func (r *reader) outermost(name string, text []byte) {
	s := r.s
	s.Dir = r.DirOf(name)
	r.seen[filepath.Clean(name)] = diag.Place{File: name}
	pairs := r.file(name, text, nil)
	keys := &suiteReader{&r.Reader, s}
	for _, p := range pairs {
		keys.key(p)
	}
	if t, ok := find(pairs, "toolchain"); ok && len(s.packages.Patterns) == 0 && !s.hasGoTests() {
		r.Fail(t.Key, "packages: [./hashbench]", "\"toolchain\" builds packages, and there are none")
	}
	if len(s.benchmarks) == 0 && len(r.Found) == 0 {
		r.Add(diag.Problem{Place: diag.Place{File: name}, Message: "the suite has no benchmarks", Hint: minimalExample})
	}
}

// file reads one file and returns the pairs at its top. Its benchmarks are appended to the
// suite's, after the benchmarks of the files that it includes. outer are the defaults of the
// including files, nearest first.
func (r *reader) file(name string, text []byte, outer []layer) []yaml.Pair {
	r.hash.Write(text)
	r.s.keep(name, text)
	r.files = append(r.files, name)
	defer func() { r.files = r.files[:len(r.files)-1] }()
	root := r.Document(name, text)
	if root == nil {
		return nil
	}
	if isResult(*root) {
		r.Fail(*root, "suite report and suite compare read it; suite run --against takes it as a base",
			"this is the result of a run, not a suite file")
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
		r.include(f.Value, layers)
	}
	if b, ok := find(pairs, "benchmarks"); ok {
		for i, item := range r.List(b.Value, `"benchmarks"`, "a list of benchmarks") {
			if b := r.benchmark(item, i+1, layers); b != nil {
				r.s.benchmarks = append(r.s.benchmarks, b)
			}
		}
	}
	return pairs
}

// isResult reports whether a document is what suite run --out json= has written.
func isResult(root yaml.Node) bool {
	const schema = "schema"
	return root.Kind == yaml.Mapping && len(root.Content) > 1 && root.Content[0].Value == schema &&
		strings.HasPrefix(root.Content[1].Value, "suite-result/")
}

func find(pairs []yaml.Pair, name string) (yaml.Pair, bool) {
	i := slices.IndexFunc(pairs, func(p yaml.Pair) bool { return p.Name == name })
	if i < 0 {
		return yaml.Pair{}, false
	}
	return pairs[i], true
}

// maxTotal is how many bytes all files of a suite may have together.
const maxTotal = 4 << 20

// include reads the files that a file names, in their order.
func (r *reader) include(n yaml.Node, layers []layer) {
	for _, item := range r.List(n, `"files"`, "a list of files") {
		path, ok := r.Str(item, "a file name")
		if !ok {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(item.File()), path)
		}
		r.includeFile(item, path, layers)
	}
}

func (r *reader) includeFile(n yaml.Node, path string, layers []layer) {
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
	r.read += len(text)
	if r.read > maxTotal {
		r.Fail(n, "use matrix: for cases that differ in values",
			"the files of the suite are larger than 4 MiB together")
		return
	}
	r.hash.Write([]byte{0}) // no file contains this byte, so it separates them
	r.onlyBenchmarks(r.file(path, text, layers))
}

// firstTime reports whether a file is new to the suite. A file that includes itself and a
// file that was included before are problems.
func (r *reader) firstTime(n yaml.Node, path string) bool {
	before, again := r.seen[filepath.Clean(path)]
	open := slices.IndexFunc(r.files, func(f string) bool { return filepath.Clean(f) == filepath.Clean(path) })
	switch {
	case open >= 0:
		r.Fail(n, "", "files form a cycle: %s", strings.Join(append(slices.Clone(r.files[open:]), path), " → "))
	case again:
		r.FailAs(diag.Duplicate, n, "it is included at "+before.String()+" already",
			"file %s is included twice", diag.Quote(path))
	case len(r.seen) >= maxFiles:
		r.Fail(n, "", "the suite has more than %d files", maxFiles)
	default:
		r.seen[filepath.Clean(path)] = n.Place()
		return true
	}
	return false
}

// outermostKeys are the keys that only the outermost file may have.
var outermostKeys = []string{
	"packages", "toolchain", "build", "timer", "budget", "errors", "tolerance", "on_inconclusive",
	"removed", "unaffected",
	"report",
}

// onlyBenchmarks refuses keys that only the outermost file may have. suite and description
// are allowed: they are used if the included file is run by itself.
func (r *reader) onlyBenchmarks(pairs []yaml.Pair) {
	for _, p := range pairs {
		if slices.Contains(outermostKeys, p.Name) {
			r.Add(diag.Problem{
				Code:    diag.UnknownKey,
				Place:   p.Key.Place(),
				Message: "key " + diag.Quote(p.Name) + " in a file that another one includes",
				Hint:    "it belongs into " + diag.Quote(r.files[0]),
			})
		}
	}
}

// ofSuite adds what the top of the outermost file sets for all benchmarks. It comes after
// all defaults, which are nearer.
func (r *reader) ofSuite(pairs []yaml.Pair, layers []layer) []layer {
	t, ok := find(pairs, toleranceKey)
	if !ok {
		return layers
	}
	l := layer{toleranceKey: entry{t, FromSuite}}
	if d, ok := find(pairs, "defaults"); ok && len(layers) > 0 {
		if _, twice := layers[0][toleranceKey]; twice {
			r.FailAs(diag.Duplicate, t.Key, "at the top it is short for the one in defaults",
				"tolerance is given here and in defaults (line %d)", d.Key.Line)
			return layers
		}
	}
	alone := r.benchReader(newBenchmark(t.Value))
	alone.text.loose = true
	alone.key(l[toleranceKey])
	return append(layers, l)
}
