package scaffold

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
)

// Survey is what a folder contains that a suite can measure.
type Survey struct {
	Name       string      // for the suite: the last word of the module, or the folder's name
	Module     string      // path of the Go module that the folder belongs to; empty: none
	Packages   []GoPackage // with benchmarks for go test, in alphabetical order
	Make       string      // what builds the programs: make, cargo or nothing
	Targets    []string    // of the Makefile that look like benchmarks
	Benchmarks []string    // scripts and programs whose names look like benchmarks
	Scripts    []string    // all other scripts
	Programs   []string    // all other programs

	rules string // the text of the Makefile
}

// GoPackage is a Go package with benchmarks.
type GoPackage struct {
	Path  string   // slash-separated, relative to the folder: . or ./internal/parse
	Names []string // of its functions, without Benchmark
}

// mostEntries bounds the files and folders that a survey looks at, so that it also ends in a home
// folder.
const mostEntries = 20_000

// Look surveys a folder. It reads files, and runs nothing.
func Look(dir string) (*Survey, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Survey{Module: moduleOf(whole), Name: path.Base(filepath.ToSlash(whole))}
	if s.Module != "" {
		s.Name = packageName(s.Module)
	}
	s.Name = fileName(s.Name)
	if s.Module != "" {
		s.Packages, err = goBenchmarks(dir)
		if err != nil {
			return nil, err
		}
	}
	if err := s.makefile(dir); err != nil {
		return nil, err
	}
	return s, s.programs(dir)
}

// moduleLine matches the line of a go.mod that names the module.
var moduleLine = lazy.Regexp(`(?m)^module\s+"?([^\s"]+)`)

// moduleOf is the path of the module that a folder belongs to, empty if there is none.
func moduleOf(dir string) string {
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if m := moduleLine().FindSubmatch(text); err == nil && m != nil {
			return string(m[1])
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// versionElement matches the last element of a module path that is only a major version, and
// versionEnding a major version at the end of one, as in gopkg.in/yaml.v3.
var (
	versionElement = lazy.Regexp(`^v[0-9]+$`)
	versionEnding  = lazy.Regexp(`\.v[0-9]+$`)
)

// People call a module by this name.
func packageName(module string) string {
	base := path.Base(module)
	if versionElement().MatchString(base) && path.Dir(module) != "." {
		base = path.Base(path.Dir(module))
	}
	return versionEnding().ReplaceAllString(base, "")
}

// oddCharacters matches what the name of a suite file does not contain.
var oddCharacters = lazy.Regexp(`[^A-Za-z0-9._-]+`)

// fileName makes a text fit for the beginning of a file's name.
func fileName(text string) string {
	text = strings.Trim(oddCharacters().ReplaceAllString(text, "-"), "-.")
	if text == "" {
		return "benchmarks"
	}
	return text
}

// benchmarkFunc matches the declaration of a benchmark as go test finds it.
var benchmarkFunc = lazy.Regexp(`(?m)^func Benchmark((?:[^a-z\s(][^\s(]*)?)\(\s*\w+\s+\*testing\.B\s*\)`)

// goBenchmarks finds the packages with benchmarks in and below a folder, as far as its
// module reaches.
func goBenchmarks(dir string) (all []GoPackage, err error) {
	found := map[string][]string{}
	left := mostEntries
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return skipUnreadable(d, err, left)
		}
		if d.IsDir() {
			if file != dir && isNoPackage(file, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(d.Name(), "_test.go") || d.Name()[0] == '_' || d.Name()[0] == '.' {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil // what cannot be read is not measured
		}
		rel, err := filepath.Rel(dir, filepath.Dir(file))
		if err != nil {
			return err
		}
		for _, m := range benchmarkFunc().FindAllSubmatch(text, -1) {
			key := filepath.ToSlash(rel)
			found[key] = append(found[key], string(m[1]))
		}
		return nil
	})
	for rel, names := range found {
		p := GoPackage{Path: rel, Names: names}
		if rel != "." {
			p.Path = "./" + rel
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b GoPackage) int { return strings.Compare(a.Path, b.Path) })
	return all, err
}

// skipUnreadable ends a walk after too many entries, and leaves out what cannot be read.
func skipUnreadable(d fs.DirEntry, err error, left int) error {
	switch {
	case left < 0:
		return fs.SkipAll
	case d == nil: // the folder itself
		return err
	case d.IsDir():
		return fs.SkipDir
	}
	return nil
}

// isNoPackage reports whether go leaves a folder out of ./...
func isNoPackage(dir, name string) bool {
	if name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" || name == "node_modules" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// target matches a rule of a Makefile, and benchmarkName a name that announces a benchmark.
var (
	target        = lazy.Regexp(`(?m)^([A-Za-z0-9][A-Za-z0-9_.-]*)\s*:(?:[^=]|$)`)
	benchmarkName = lazy.Regexp(`(?i)^(bench|perf)|[-_.]bench`)
)

// makefile finds what builds the programs of a folder.
func (s *Survey) makefile(dir string) error {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		s.Make, s.rules = "make", string(text)
		for _, m := range target().FindAllSubmatch(text, -1) {
			if name := string(m[1]); benchmarkName().MatchString(name) && !slices.Contains(s.Targets, name) {
				s.Targets = append(s.Targets, name)
			}
		}
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, "Cargo.toml")); err == nil {
		s.Make = "cargo"
	}
	return nil
}

// programFolders are where programs and scripts are looked for.
var programFolders = []string{".", "bench", "benchmarks", "perf", "scripts", "bin", "build", "out", "target/release"}

// programs finds scripts and programs that can be executed.
func (s *Survey) programs(dir string) error {
	for _, folder := range programFolders {
		entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		for _, e := range entries { // after an error, those that were read
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || e.Name()[0] == '.' {
				continue
			}
			file := path.Join(folder, e.Name())
			switch kind := kindOf(filepath.Join(dir, filepath.FromSlash(file)), info.Mode()); {
			case kind == "":
			case benchmarkName().MatchString(e.Name()):
				s.Benchmarks = append(s.Benchmarks, file)
			case kind == "script":
				s.Scripts = append(s.Scripts, file)
			default:
				s.Programs = append(s.Programs, file)
			}
		}
	}
	return nil
}

// kindOf is script or program for a file that the system can execute, and empty for
// others.
func kindOf(file string, mode fs.FileMode) string {
	windows := strings.HasSuffix(strings.ToLower(file), ".exe")
	if mode.Perm()&0o111 == 0 && !windows || isLibrary(file) {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 4)
	n, _ := io.ReadFull(f, head) // a shorter file is none of them
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("#!")):
		return "script"
	case bytes.Equal(head, []byte("\x7fELF")), bytes.Equal(head, []byte("\xcf\xfa\xed\xfe")), windows && bytes.HasPrefix(head, []byte("MZ")):
		return "program"
	}
	return ""
}

// isLibrary reports whether a file has the format of a program and is none.
func isLibrary(file string) bool {
	name := filepath.Base(file)
	return strings.Contains(name, ".so") || strings.HasSuffix(name, ".dylib") || strings.HasSuffix(name, ".o") || strings.HasSuffix(name, ".test")
}
