package spec

import (
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
)

// maxTotal bounds what all files of a suite hold together.
const maxTotal = 4 << 20

// include reads the files that a file names, in their order.
func (r *reader) include(s *Suite, n node, layers []layer) {
	for _, item := range r.list(n, `"files"`, "a list of files") {
		path, ok := r.str(item, "a file name")
		if !ok {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(item.src.name), path)
		}
		r.includeFile(s, item, path, layers)
	}
}

func (r *reader) includeFile(s *Suite, n node, path string, layers []layer) {
	if !r.firstTime(n, path) {
		return
	}
	if r.open == nil {
		r.fail(n, "", "file %s cannot be included here", quote(path))
		return
	}
	text, err := r.open(path)
	if err != nil {
		r.add(fileProblem(n.place(), path, err))
		return
	}
	if r.read += len(text); r.read > maxTotal {
		r.fail(n, "use matrix: for cases that differ in values", "the files of the suite are larger than 4 MiB together")
		return
	}
	r.hash.Write([]byte{0}) // a byte that no file holds keeps them apart
	r.onlyBenchmarks(r.file(s, path, text, layers))
}

// firstTime refuses a file that includes itself, or that is there already.
func (r *reader) firstTime(n node, path string) bool {
	before, again := r.seen[filepath.Clean(path)]
	open := slices.IndexFunc(r.files, func(f string) bool { return filepath.Clean(f) == filepath.Clean(path) })
	switch {
	case open >= 0:
		r.fail(n, "", "files form a cycle: %s", strings.Join(append(slices.Clone(r.files[open:]), path), " → "))
	case again:
		r.fail(n, "it is included at "+before.String()+" already", "file %s is included twice", quote(path))
	case len(r.seen) >= maxFiles:
		r.fail(n, "", "the suite has more than %d files", maxFiles)
	default:
		r.seen[filepath.Clean(path)] = n.place()
		return true
	}
	return false
}

// onlyBenchmarks refuses what only the outermost file may say. suite and
// description are those of the file when it is run by itself.
func (r *reader) onlyBenchmarks(pairs []pair) {
	for _, p := range pairs {
		if slices.Contains([]string{"packages", "toolchain", "build", "timer", "budget", "errors", "tolerance", "on_inconclusive", "removed", "report"}, p.name) {
			r.add(diag.Problem{Place: p.key.place(), Message: "key " + quote(p.name) + " in a file that another one includes",
				Hint: "it belongs into " + quote(r.files[0])})
		}
	}
}
