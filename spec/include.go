package spec

import (
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec/internal/yaml"
)

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
