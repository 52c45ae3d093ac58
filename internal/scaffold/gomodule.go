package scaffold

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/build"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/self"
)

// leastGo is the oldest language version with which hosts are built.
const leastGo = "1.26.0"

// moduleFile is the part of a go.mod, as go mod edit -json prints it, that another module which
// requires it must repeat.
type moduleFile struct {
	Module  struct{ Path string }
	Go      string
	Require []moduleVersion
	Replace []struct{ Old, New moduleVersion }
}

type moduleVersion struct{ Path, Version string }

// GoModule makes the files of a module of its own for the benchmarks of the Go library
// in dir, below one new folder. The library's go.mod does not change, and does not
// require suite.
func GoModule(ctx context.Context, dir string) (files []File, folder string, err error) {
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); err != nil {
		return nil, "", fmt.Errorf("no go.mod in %q: a module for benchmarks is made in the folder of the "+
			"library's own", dir)
	}
	m, err := readModule(ctx, file)
	if err != nil {
		return nil, "", err
	}
	sum, err := paths.ReadRegular(filepath.Join(dir, "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	folder, err = freeFolder(dir)
	if err != nil {
		return nil, "", err
	}
	name, _ := build.ModuleName(m.Module.Path)
	name = fileName(name)
	files = []File{
		{folder + "/go.mod", m.nested(folder)},
		{folder + "/benchmarks.go", fmt.Sprintf(benchmarksGo, name, libraryImport(dir, m.Module.Path),
			folder+"/"+name+Ending, self.Module)},
		{folder + "/" + name + Ending, fmt.Sprintf(moduleSuite, m.Module.Path, yamlWord(name),
			yamlWord(name+"/fields"))},
	}
	if len(sum) > 0 {
		files = append(files, File{folder + "/go.sum", string(sum)})
	}
	return files, folder, nil
}

func readModule(ctx context.Context, file string) (m moduleFile, err error) {
	var complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-json", file)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("go mod edit -json %s: %w: %s", file, err, strings.TrimSpace(complaint.String()))
	}
	return m, json.Unmarshal(out, &m)
}

// moduleFolders are names for the folder, in the order in which they are tried.
var moduleFolders = []string{"bench", "benchmarks", "suitebench"}

// freeFolder finds the first name that is free. A folder with Go files of the library
// is not: the library would lose them to the new module.
func freeFolder(dir string) (string, error) {
	for _, name := range moduleFolders {
		if _, err := os.Stat(filepath.Join(dir, name, "go.mod")); err == nil {
			return "", &ExistsError{[]string{name + "/go.mod"}}
		}
		found, err := filepath.Glob(filepath.Join(dir, name, "*.go"))
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return name, nil
		}
	}
	return "", fmt.Errorf("there are Go files in %s already, and nothing was written",
		strings.Join(moduleFolders, ", "))
}

// nested writes the go.mod of the new module. It repeats what the library requires, so
// that it is complete without go mod tidy, which could not find suite.
func (m *moduleFile) nested(folder string) string {
	line := m.Go
	if version.Compare("go"+line, "go"+leastGo) < 0 {
		line = leastGo
	}
	var b strings.Builder
	fmt.Fprintf(&b, nestedHead, m.Module.Path, folder, line, self.Module, m.Module.Path, placeholder(m.Module.Path))
	fmt.Fprintf(&b, "replace %s => ../\n", m.Module.Path)
	for _, r := range m.Replace {
		fmt.Fprintf(&b, "replace %s => %s\n", r.Old.words(), above(r.New).words())
	}
	if len(m.Require) > 0 {
		fmt.Fprintf(&b, "\n// What %s requires.\nrequire (\n", m.Module.Path)
		for _, r := range m.Require {
			fmt.Fprintf(&b, "\t%s // indirect\n", r.words())
		}
		b.WriteString(")\n")
	}
	return b.String()
}

const nestedHead = `// A module of its own: what benchmarks need does not become a requirement of the library.
module %s/%s

go %s

require (
	%s v0.0.0 // suite brings its own copy, and nothing is fetched
	%s %s
)

`

func (v moduleVersion) words() string {
	if v.Version == "" {
		return v.Path
	}
	return v.Path + " " + v.Version
}

// above converts the target of a replacement to what a folder one level below sees.
func above(v moduleVersion) moduleVersion {
	if v.Version == "" && !filepath.IsAbs(v.Path) {
		v.Path = "../" + strings.TrimPrefix(path.Clean(filepath.ToSlash(v.Path)), "./")
	}
	return v
}

// placeholder is a version for a module that is replaced with a folder. Its major
// version must be the path's.
func placeholder(module string) string {
	_, major := build.ModuleName(module)
	return cmp.Or(major, "v0") + ".0.0"
}

// libraryImport is the line that imports the library: its root or, if there is no
// package, the first one below that may be imported.
func libraryImport(dir, module string) string {
	found := ""
	left := mostEntries
	_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		// without a package there is no import
		if left--; err != nil || left < 0 {
			return skipUnreadable(d, err, left)
		}
		if !d.IsDir() {
			return nil
		}
		if file != dir && (isNoPackage(d.Name()) || isModule(file) || d.Name() == "internal") {
			return fs.SkipDir
		}
		if !isLibraryPackage(file) {
			return nil
		}
		if rel, err := filepath.Rel(dir, file); err == nil {
			found = path.Join(module, filepath.ToSlash(rel))
		}
		return fs.SkipAll
	})
	if found == "" {
		return ""
	}
	return fmt.Sprintf("\n\t_ %q // remove the _ when a function calls it\n", found)
}

// isLibraryPackage reports whether a folder has a Go file of a package that may be imported and
// that every system builds.
func isLibraryPackage(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		if strings.HasSuffix(file, "_test.go") {
			return false
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil || source.Name.Name == "main" {
			return false
		}
		for _, group := range source.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:build") {
					return false
				}
			}
		}
		return true
	})
}

// benchmarksGo is a package that registers a function. It has its final form with the name of the
// library, the line that imports it, the suite file, and the path of suite's module.
const benchmarksGo = `// Package benchmarks registers functions for suite: suite run %[3]s
package benchmarks

import (
	"strings"

	"%[4]s/bench"
%[2]s)

func init() {
	bench.Register("%[1]s/fields", func(c *bench.Case) bench.Loop {
		text := strings.Repeat("word ", c.Int("words")) // setup: runs once, is not timed
		return func(n int) {                            // the loop: the only code that is timed
			sum := 0
			for range n {
				sum += len(strings.Fields(text)) // an example: call the library here
			}
			bench.Keep(&sum)
		}
	})
}
`

// moduleSuite is the suite file of the new module, for the library's path and name.
const moduleSuite = `# Benchmarks of %[1]s, for suite. ` + "`suite init --go`" + ` wrote this file once, and it is yours to change.
suite: %[2]s

# tolerance: 5%%            # --against fails a case that is slower by more than this; 3%% if not set

defaults:
  target_time: 300ms      # measured time of a case; 1s, the default, shows smaller differences

packages: [.]    # the package next to this file, which registers the functions below
benchmarks:
  - name: fields/${words}
    go: %[3]s
    matrix: {words: [100, 10000]}    # a case for each value; c.Int("words") reads it
    expect: allocs.max < 10          # a gate
`
