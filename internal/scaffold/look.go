package scaffold

import (
	"bytes"
	"cmp"
	"errors"
	gobuild "go/build"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/build"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
)

// Survey is what a folder contains that a suite can measure.
type Survey struct {
	Name       string        // for the suite: the last word of the module, or the folder's name
	Module     string        // path of the Go module that the folder belongs to; empty: none
	Packages   []GoPackage   // with benchmarks for go test, in alphabetical order
	Excluded   []GoPackage   // the same for benchmarks that only build tags include
	Nested     []GoPackage   // the same in modules below the own one, which ./... leaves out
	Loose      []GoPackage   // the same in no module
	Google     []string      // programs with benchmarks of google-benchmark that cmake builds, below its build folder
	Catch      []string      // the same of Catch2
	Criterion  []CargoBench  // programs with benchmarks of criterion, that cargo builds
	Python     []string      // files with benchmarks of pytest-benchmark, slash-separated, relative to the folder
	JavaScript []NodePackage // packages with benchmarks in JavaScript
	Installer  string        // the command that makes node_modules, as words of YAML
	Make       string        // what builds the programs: make, cargo or nothing
	Targets    []string      // of the Makefile that look like benchmarks
	Benchmarks []string      // scripts and programs whose names look like benchmarks
	Scripts    []string      // all other scripts
	Programs   []string      // all other programs

	root  string // the folder of Module
	rules string // the text of the Makefile
}

// GoPackage is a Go package with benchmarks.
type GoPackage struct {
	Path   string   // slash-separated, relative to the folder: . or ./internal/parse
	Module string   // the folder of its module, likewise
	Names  []string // of its functions, without Benchmark unless that is the whole name
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
	s := &Survey{Name: path.Base(filepath.ToSlash(whole))}
	s.root, s.Module = moduleOf(whole)
	if s.Module != "" {
		s.Name, _ = build.ModuleName(s.Module)
	}
	s.Name = fileName(s.Name)
	if err := s.goBenchmarks(dir); err != nil {
		return nil, err
	}
	if err := s.cmake(dir); err != nil {
		return nil, err
	}
	if err := s.harnesses(dir); err != nil {
		return nil, err
	}
	if err := s.makefile(dir); err != nil {
		return nil, err
	}
	s.programs(dir)
	return s, nil
}

// moduleLine matches the line of a go.mod that names the module.
var moduleLine = lazy.Regexp(`(?m)^module\s+"?([^\s"]+)`)

// moduleOf returns the folder and the path of the module that a folder belongs to, empty if there
// is none.
func moduleOf(dir string) (root, module string) {
	for {
		text, err := paths.ReadRegular(filepath.Join(dir, "go.mod"))
		if m := moduleLine().FindSubmatch(text); err == nil && m != nil {
			return dir, string(m[1])
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ""
		}
		dir = parent
	}
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

// goBenchmarks finds the packages with benchmarks in and below a folder: of the modules that
// its workspace uses or, without a workspace, of its own module or, if that has no benchmarks, of
// all modules below.
func (s *Survey) goBenchmarks(dir string) error {
	work := workspace(dir)
	used := func(module string) bool { return module == "." && s.Module != "" }
	if work != "" {
		folders, err := workspaceFolders(work)
		if err != nil {
			return err
		}
		used = func(module string) bool {
			root := filepath.Join(dir, filepath.FromSlash(module))
			if module == "." {
				root = s.root
			}
			return slices.Contains(folders, paths.Real(root))
		}
	}
	found, err := packagesBelow(dir)
	if err != nil {
		return err
	}
	if work == "" && !slices.ContainsFunc(found, func(p taggedPackage) bool { return used(p.Module) }) {
		used = func(module string) bool { return module != "." || s.Module != "" }
	}
	for _, p := range found {
		switch {
		case !used(p.Module):
			switch {
			case work != "" || p.tagged:
			case p.Module == ".":
				s.Loose = append(s.Loose, p.GoPackage)
			default:
				s.Nested = append(s.Nested, p.GoPackage)
			}
		case p.tagged:
			s.Excluded = append(s.Excluded, p.GoPackage)
		default:
			s.Packages = append(s.Packages, p.GoPackage)
		}
	}
	return nil
}

// taggedPackage is a package with its benchmarks that are always built, or with those that only
// build tags include.
type taggedPackage struct {
	GoPackage
	tagged bool
}

// packagesBelow finds the packages with benchmarks in and below a folder in all modules,
// in alphabetical order. It leaves out files for other systems.
func packagesBelow(dir string) (all []taggedPackage, err error) {
	left := mostEntries
	modules := map[string]string{} // of folders that were entered; none below _folders, up to the next module
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return skipUnreadable(d, err, left)
		}
		if d.IsDir() {
			isHidden := d.Name()[0] == '_' // from ./..., and yet _benchmark may be a module
			switch {
			case file != dir && isNoPackage(d.Name()) && !isHidden:
				return fs.SkipDir
			case file == dir || isModule(file):
				modules[file] = file
			case !isHidden:
				modules[file] = modules[filepath.Dir(file)]
			}
			return nil
		}
		if !strings.HasSuffix(d.Name(), "_test.go") || modules[filepath.Dir(file)] == "" {
			return nil
		}
		text, err := paths.ReadRegular(file)
		if err != nil {
			return nil // what cannot be read is not measured
		}
		found := benchmarkFunc().FindAllSubmatch(text, -1)
		included, tagged := isBuilt(file)
		if len(found) == 0 || !included && !tagged {
			return nil
		}
		p := taggedPackage{GoPackage{below(dir, filepath.Dir(file)), below(dir, modules[filepath.Dir(file)]), nil},
			!included}
		at := slices.IndexFunc(all, func(q taggedPackage) bool { return q.Path == p.Path && q.tagged == p.tagged })
		if at < 0 {
			at, all = len(all), append(all, p)
		}
		for _, m := range found {
			all[at].Names = append(all[at].Names, cmp.Or(string(m[1]), "Benchmark"))
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b taggedPackage) int { return strings.Compare(a.Path, b.Path) })
	return all, err
}

// isBuilt reports whether go builds a file as it is, and if not, whether tags could include it.
// A file that is named after another system cannot be included.
func isBuilt(file string) (included, tagged bool) {
	dir, name := filepath.Split(file)
	included, err := gobuild.Default.MatchFile(dir, name)
	if err != nil || included {
		return included, false
	}
	all := gobuild.Default
	all.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil }
	tagged, err = all.MatchFile(dir, name) // with a text that has no constraint only the name counts
	return false, err == nil && tagged
}

// below returns the slash-separated path of a folder in dir: . or ./internal/parse.
func below(dir, folder string) string {
	rel, err := filepath.Rel(dir, folder)
	if err != nil || rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

// useLines matches a use directive of a go.work, with its block if it has one, and usedFolder a
// folder in it.
var (
	useLines   = lazy.Regexp(`(?m)^[ \t]*use[ \t]*(?:\(([^)]*)\)|([^(\s].*)$)`)
	usedFolder = lazy.Regexp("(?m)^\\s*[\"`]?([^\"`\\s]+)")
	comments   = lazy.Regexp(`//.*`)
)

// workspaceFolders lists the real folders of the modules that a go.work uses.
func workspaceFolders(work string) (folders []string, err error) {
	text, err := paths.ReadRegular(work)
	if err != nil {
		return nil, err
	}
	for _, use := range useLines().FindAllSubmatch(comments().ReplaceAll(text, nil), -1) {
		for _, m := range usedFolder().FindAllSubmatch(slices.Concat(use[1], use[2]), -1) {
			folder := filepath.FromSlash(string(m[1]))
			if !filepath.IsAbs(folder) {
				folder = filepath.Join(filepath.Dir(work), folder)
			}
			folders = append(folders, paths.Real(folder))
		}
	}
	return folders, nil
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

// isNoPackage reports whether go leaves a folder of this name out of ./...
func isNoPackage(name string) bool {
	return name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" || name == "node_modules"
}

func isModule(dir string) bool { return paths.Exists(filepath.Join(dir, "go.mod")) }

// target matches a rule of a Makefile, and benchmarkName a name that announces a benchmark.
var (
	target        = lazy.Regexp(`(?m)^([A-Za-z0-9][A-Za-z0-9_.-]*)\s*:(?:[^=]|$)`)
	benchmarkName = lazy.Regexp(`(?i)^(bench|perf)|[-_.]bench`)
)

// makefile finds what builds the programs of a folder.
func (s *Survey) makefile(dir string) error {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		text, err := paths.ReadRegular(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, paths.ErrNotRegular) {
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
func (s *Survey) programs(dir string) {
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
			case benchmarkName().MatchString(e.Name()) && !(kind == "script" && movesTree(dir, file)):
				s.Benchmarks = append(s.Benchmarks, file)
			case kind == "script":
				s.Scripts = append(s.Scripts, file)
			default:
				s.Programs = append(s.Programs, file)
			}
		}
	}
}

// moving matches what a script does that compares revisions by itself: after it the tree may be another one.
var moving = lazy.Regexp(`\bgit\s+(?:checkout|switch|stash|reset|clean)\b`)

func movesTree(dir, file string) bool {
	text, err := paths.ReadRegular(filepath.Join(dir, filepath.FromSlash(file)))
	return err != nil || moving().Match(text)
}

// kindOf is script or program for a file that the system can execute, and empty for
// others.
func kindOf(file string, mode fs.FileMode) string {
	windows := strings.HasSuffix(strings.ToLower(file), ".exe")
	if mode.Perm()&0o111 == 0 && !windows || isLibrary(file) {
		return ""
	}
	f, err := paths.OpenRegular(file)
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
	case bytes.Equal(head, []byte("\x7fELF")), bytes.Equal(head, []byte("\xcf\xfa\xed\xfe")), windows &&
		bytes.HasPrefix(head, []byte("MZ")):
		return "program"
	}
	return ""
}

// isLibrary reports whether a file has the format of a program and is none.
func isLibrary(file string) bool {
	name := filepath.Base(file)
	return strings.Contains(name, ".so") || strings.HasSuffix(name, ".dylib") || strings.HasSuffix(name, ".o") ||
		strings.HasSuffix(name, ".test")
}
