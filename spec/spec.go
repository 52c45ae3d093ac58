// Package spec reads suite files. It takes bytes and gives a checked Suite or
// every problem with its place; Suite.Plan expands it into cases in order,
// with unique names and everything resolved. It knows no clocks and starts no
// processes.
package spec

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/spec/internal/yaml"
	yamlv3 "gopkg.in/yaml.v3"
)

const maxFiles = 64 // of one suite, with all that it includes

// Opener reads a file that a suite includes, at most MaxFileSize bytes and one
// more. path is relative to nothing but the suite file's own folder, which has
// been put in front of it.
type Opener func(path string) ([]byte, error)

// suiteNames are the ends of names that say that a file is a suite.
var suiteNames = []string{".suite.yaml", ".suite.yml"}

// isBenchmarks matches the key of a suite file that no other has, also where it
// is misspelt or where the file is no YAML.
var isBenchmarks = lazy.Regexp(`(?m)^\{?\s*["']?benchmarks?["']?\s*:`)

// IsSuite reports whether a file is meant as a suite: it is named so, has
// benchmarks, or has the files that hold them and no key that a suite has not.
// The error is that of reading the file.
func IsSuite(path string) (bool, error) {
	if slices.ContainsFunc(suiteNames, func(end string) bool { return strings.HasSuffix(path, end) }) {
		return true, nil
	}
	src, err := ReadFile(path)
	if err != nil || isBenchmarks().Match(src) {
		return err == nil, err
	}
	keys, ok := yaml.Keys(src)
	if !ok {
		return false, nil
	}
	files := slices.Contains(keys, "files")
	for _, key := range keys {
		if near, _ := diag.Nearest(key, suiteKeys.Known); near == "benchmarks" {
			return true, nil
		}
		files = files && slices.Contains(suiteKeys.Known, key)
	}
	return files, nil
}

// Load reads a suite file and the files that it includes. There is a suite or
// there are problems, never both or neither.
func Load(path string) (*Suite, diag.Problems) {
	src, err := ReadFile(path)
	if err != nil {
		return nil, diag.Problems{fileProblem(diag.Place{File: path}, path, err)}
	}
	return Parse(path, src, ReadFile)
}

// Parse reads a suite from memory. name stands in problems and gives the folder
// that relative paths start from; open reads included files, and nil refuses
// them. There is a suite or there are problems, never both or neither.
func Parse(name string, src []byte, open Opener) (*Suite, diag.Problems) {
	s, problems := parse(name, src, open)
	if len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}

// LoadPlan is Load and Plan in one pass, so that one call finds the problems of
// both: a misspelt key in one benchmark does not hide an unknown function in
// another. The plan holds the cases that are sound enough to have their gates
// checked; where there are problems it is not to be run. It is nil only where
// the file cannot be read.
func LoadPlan(path string, cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	src, err := ReadFile(path)
	if err != nil {
		return nil, diag.Problems{fileProblem(diag.Place{File: path}, path, err)}
	}
	s, problems := parseIn(cat.Folder, path, src, ReadFile)
	plan, more := s.plan(cat, o)
	return plan, append(problems, more...).Sort()
}

const minimalExample = "a small suite file is:  benchmarks: [{command: [sleep, 0.1]}]"

var suiteFormat = yaml.Format{Name: "a suite file", Example: minimalExample, Smaller: "use matrix: for cases that differ in values"}

// reader reads a suite file and the files that it includes.
type reader struct {
	yaml.Reader
	open  Opener
	hash  hash.Hash
	read  int                   // bytes of all files so far
	files []string              // open files, outermost first
	seen  map[string]diag.Place // files, and where they were included
	given []string              // variables with their values: see Plan.Given
}

// parse gives the benchmarks that are right and the problems of the others.
func parse(name string, src []byte, open Opener) (*Suite, diag.Problems) {
	return parseIn(nil, name, src, open)
}

// parseIn is parse with relative paths that start in other folders: see
// Catalogue.Folder.
func parseIn(folder func(string) string, name string, src []byte, open Opener) (*Suite, diag.Problems) {
	r := &reader{Reader: yaml.Reader{Format: suiteFormat, Folder: folder}, open: open, hash: sha256.New(), seen: map[string]diag.Place{}}
	s := r.suite(name, src)
	s.Hash, s.given = fmt.Sprintf("sha256:%x", r.hash.Sum(nil)), r.given
	return s, r.Found.Sort()
}

// ReadFile reads a regular file of at most 1 MiB. Devices and pipes are refused:
// they may have no end, or never begin.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a directory, not a suite file")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, yaml.MaxFileSize+1))
}

// fileProblem words why a file could not be read.
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
	return diag.Problem{Place: at, Message: fmt.Sprintf("file %s %s", diag.Quote(path), reason), Hint: hint}
}

// baseName is the name of a suite that has none of its own.
func baseName(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Node parses the one document of a YAML file that stands beside suite files, with
// the limits and the problems of a suite file. what is how hints call such a file.
// There is a node or there is a problem; a file without a value is a problem, too.
func Node(name string, text []byte, what string) (*yamlv3.Node, *diag.Problem) {
	r := &yaml.Reader{Format: yaml.Format{Name: what, Smaller: suiteFormat.Smaller}}
	if n := r.Document(name, text); n != nil {
		return n.Node, nil
	}
	return nil, &r.Found[0]
}
