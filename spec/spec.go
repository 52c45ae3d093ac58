// Package spec reads suite files. Load and Parse turn bytes into a checked Suite, or return
// every problem with its place; Suite.Plan expands a Suite into cases, in the order of the
// file, with unique names and every value resolved. Package spec reads no clock and starts
// no process: what it has to know of the machine comes in a Catalogue.
package spec

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"example.com/suite/spec/internal/yaml"
	yamlv3 "gopkg.in/yaml.v3"
)

// suiteNames are the endings of file names that mark a suite file.
var suiteNames = []string{".suite.yaml", ".suite.yml"}

// isBenchmarks matches the one key that only suite files have, also if it is misspelt or
// the file is not valid YAML.
var isBenchmarks = lazy.Regexp(`(?m)^\{?\s*["']?benchmarks?["']?\s*:`)

// IsSuite reports whether a file is meant as a suite file: if its name ends in .suite.yaml,
// if it has the key benchmarks, or if it has the key files and no key that a suite file
// cannot have. The error is the one from reading the file.
func IsSuite(path string) (bool, error) {
	if slices.ContainsFunc(suiteNames, func(end string) bool { return strings.HasSuffix(strings.ToLower(path), end) }) {
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

// Load reads a suite file and the files that it includes. It returns a suite or problems,
// never both or neither.
func Load(path string) (*Suite, diag.Problems) {
	src, err := ReadFile(path)
	if err != nil {
		return nil, diag.Problems{fileProblem(diag.Place{File: path}, path, err)}
	}
	return Parse(path, src, ReadFile)
}

// Parse reads a suite from memory. name is used in places, and its folder is the one that
// relative paths start from. open reads included files; if it is nil, they are refused.
// Parse returns a suite or problems, never both or neither.
func Parse(name string, src []byte, open Opener) (*Suite, diag.Problems) {
	s, problems := parse(name, src, open)
	if len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}

// LoadPlan is Load and Plan in one pass, so that one call finds the problems of both: a
// misspelt key in one benchmark does not hide an unknown function in another. If there are
// problems, the plan must not be run: it has only the cases that are sound enough to have
// their gates checked. It is nil if the file cannot be read.
func LoadPlan(path string, cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	read := cat.Read
	if read == nil {
		read = ReadFile
	}
	src, err := read(path)
	if err != nil {
		return nil, diag.Problems{fileProblem(diag.Place{File: path}, path, err)}
	}
	s, problems := parseIn(cat.Folder, path, src, ReadFile)
	plan, more := s.plan(cat, o)
	return plan, append(problems, more...).Sort()
}

// ReadFile reads a regular file of at most 1 MiB. Devices and pipes are refused, because
// reading one may never end.
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

// Node parses a YAML file of another kind, with the limits and the messages of suite files.
// what names the kind in hints: "a file of accepted failures". Node returns a node or a
// problem; a file without a value is a problem.
func Node(name string, text []byte, what string) (*yamlv3.Node, *diag.Problem) {
	r := &yaml.Reader{Format: yaml.Format{Name: what, Smaller: suiteFormat.Smaller}}
	if n := r.Document(name, text); n != nil {
		return n.Node, nil
	}
	return nil, &r.Found[0]
}
