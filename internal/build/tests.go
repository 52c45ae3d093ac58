package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// Test is the test binary of a package that has benchmarks.
type Test struct {
	Package string // import path
	Name    string // the package within its module: internal/parse; see within
	Dir     string // absolute; go test runs the binary there
	Path    string // of the binary, absolute; its content never changes
	Hash    string // sha256 of the binary, hexadecimal
	// Serves reports whether one process of it can take many samples of a benchmark, see package wire.
	Serves bool
	// Functions are the benchmarks in its source, in the order of the files.
	Functions []string

	linked
}

// Tests builds the test binaries of a request's packages that have benchmarks, in the order
// of their import paths, as go test -c does in their module: nothing of suite is part of them, but for what lets a
// process take many samples, see serving. Nothing is written into the user's tree. The error is an *Error for a named
// package without benchmarks, for packages none of which has any, and for code that does not compile; if the context
// ends, it is the context's cause. A package takes 0.2 s if nothing has changed, and each further one a tenth of that.
func Tests(ctx context.Context, r Request) ([]*Test, error) {
	b, err := beginTests(ctx, r)
	if err != nil {
		return nil, err
	}
	made := b.testBinaries(ctx)
	var all []*Test
	for _, k := range b.packages { // packages → binaries
		t, err := b.test(ctx, k, made)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// beginTests finds the packages of a request that have benchmarks.
func beginTests(ctx context.Context, r Request) (*building, error) {
	b, err := begin(r)
	if err != nil {
		return nil, err
	}
	b.tests = true
	if err := b.joinTests(ctx); err != nil { // patterns → one module …
		return nil, err
	}
	return b, b.list(ctx) // … patterns → packages with benchmarks
}

// joinTests finds the module of the patterns, which is built as it is.
func (b *building) joinTests(ctx context.Context) error {
	if err := b.locate(ctx); err != nil {
		return err
	}
	if len(rootsOf(b.wanted)) > 1 {
		return several(b.Dir, b.wanted)
	}
	if strings.Contains(b.vars["GOFLAGS"], "-mod=mod") {
		b.flags = append(b.flags, "-mod=readonly") // it would write go.mod and go.sum
	}
	return b.serving(b.vars["GOROOT"], b.vars["GOMODCACHE"])
}

// examineTests reports whether a package has benchmarks, and why not. A package that only a
// wildcard matches is not a problem.
func (b *building) examineTests(p pattern, k *pkg) (problem *Problem, fits bool) {
	tests := len(k.TestGoFiles) + len(k.XTestGoFiles)
	without := k.Error == nil
	for _, text := range []string{"no non-test Go files", "no Go files", "build constraints exclude all Go files"} {
		without = without || strings.HasPrefix(k.Error.Err, text)
	}
	message, hint := "has no benchmark in its tests", hintBenchmark
	switch {
	case !without:
		problem := b.packageError(p, k)
		return &problem, false
	case len(k.benchmarks()) > 0:
		return nil, true
	case p.wild():
		return nil, false
	case tests == 0 && len(k.IgnoredGoFiles) > 0:
		message, hint = "has no test file for this system and these tags", "toolchain: {tags: […]}"
	case tests == 0:
		message = "has no test files"
	}
	found := wrong(p.text, fmt.Sprintf("package %q %s", k.ImportPath, message), hint)
	return &found, false
}

const hintBenchmark = "in a file that ends in _test.go: func BenchmarkX(b *testing.B) { for b.Loop() { … } }"

var benchmarkFunc = lazy.Regexp(`(?m)^func\s+(Benchmark(\S*?))\s*\(`)

// benchmarks finds the functions that go test takes for benchmarks. Packages without
// any need no build.
func (k *pkg) benchmarks() (names []string) {
	for _, name := range slices.Concat(k.TestGoFiles, k.XTestGoFiles) {
		text, _ := os.ReadFile(filepath.Join(k.Dir, name)) // the compiler reports a file that cannot be read
		for _, m := range benchmarkFunc().FindAllSubmatch(text, -1) {
			if first, _ := utf8.DecodeRune(m[2]); len(m[2]) == 0 || !unicode.IsLower(first) {
				names = append(names, string(m[1]))
			}
		}
	}
	return names
}

// buildTest builds a test binary without go vet, because an example with a wrong name, in a
// commit of years ago, is no reason not to measure its benchmarks.
var buildTest = []string{"test", "-c", "-vet=off"}

// test returns the binary of a package: one of those that were made together, or else one that it builds.
func (b *building) test(ctx context.Context, k *pkg, all map[string]binary) (*Test, error) {
	made, isMade := all[k.ImportPath]
	if !isMade {
		var err error
		if made, err = b.testBinary(ctx, k.ImportPath); err != nil {
			return nil, err
		}
	}
	b.slot = filepath.Dir(made.path)
	return &Test{Package: k.ImportPath, Name: k.within(b.Dir), Dir: k.Dir, Path: made.path, Hash: made.hash,
		Serves: b.serves, Functions: k.benchmarks(),
		linked: linked{request: b, build: slices.Concat(buildTest, []string{k.ImportPath}), program: made.path,
			graph: made.graph}}, nil
}

// testBinary builds one binary. As for a program, the target is a file of this build alone, go links
// nothing if it finds that the last binary is up to date, and binaries are named after their
// content.
func (b *building) testBinary(ctx context.Context, path string) (made binary, err error) {
	b.slot, err = testSlot(b, path)
	if err != nil {
		return made, unwritable(err)
	}
	return b.binary(ctx, "test", buildTest, path)
}

// testSlot makes the folder for the binaries of a package.
func testSlot(b *building, path string) (slot string, err error) {
	slot = filepath.Join(b.Cache, "test", usercache.Key(b.tree.root, path, strings.Join(b.flags, "\n"),
		strings.Join(b.Env, "\n")))
	err = os.MkdirAll(slot, 0o755)
	usercache.Touch(slot)
	return slot, err
}

// mostTogether keeps the command line of go short enough for Windows.
const mostTogether = 100

// testBinaries builds the binaries of several packages with one go command for each hundred, because most of what go
// does for a binary that is up to date is to load packages. It returns them by import path. What is not in the result
// has to be built alone: a package whose binary would have the name of another one, and all if one of them does not
// compile.
func (b *building) testBinaries(ctx context.Context) map[string]binary {
	all := map[string]binary{}
	if len(b.packages) < 2 {
		return all
	}
	for some := range slices.Chunk(importPaths(b.packages), mostTogether) {
		if buildTogether(ctx, b, some, all) != nil {
			return nil
		}
	}
	return all
}

// buildTogether adds the binaries of packages to all.
func buildTogether(ctx context.Context, b *building, packages []string, all map[string]binary) error {
	first, err := testSlot(b, packages[0])
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(first, "building-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	args := slices.Concat(buildTest, b.lean(), []string{"-o", temp + string(filepath.Separator)})
	var last []string
	slots := map[string]string{}   // by import path
	targets := map[string]string{} // import path by file
	for _, path := range packages {
		target := filepath.Join(temp, testName(path))
		if targets[target] != "" {
			continue
		}
		targets[target] = path
		last = append(last, path)
		slots[path], err = testSlot(b, path)
		if err := errors.Join(err, seed(slots[path], target, "test")); err != nil {
			return err
		}
	}
	graph, _, err := b.tool.build(ctx, temp, args, last)
	if err != nil {
		return err
	}
	for target, path := range targets {
		if !paths.Exists(target) { // go has another name for it
			continue
		}
		made, err := keep(b.Cache, slots[path], target, "test")
		if err != nil {
			return err
		}
		made.graph = graph
		all[path] = made
	}
	return nil
}

// testName is the name that go gives to the test binary of a package, which is not its major version.
func testName(importPath string) string {
	name := path.Base(importPath)
	if version := majorVersion().FindString("/" + name); version == "/"+name {
		name = path.Base(path.Dir(importPath))
	}
	name += ".test"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// within names a package within its module, and the root of a module as people call the module.
// In a module below dir, the folder of the suite file, the name is the package's folder, because the
// modules of a repository often have packages of the same name. A package of another module
// keeps its import path.
func (k *pkg) within(dir string) string {
	if k.Module == nil || !k.Module.Main {
		return k.ImportPath
	}
	if below, err := filepath.Rel(paths.Real(dir), paths.Real(k.Module.Dir)); err == nil &&
		below != "." && filepath.IsLocal(below) {
		return path.Join(filepath.ToSlash(below), strings.TrimPrefix(k.ImportPath, k.Module.Path))
	}
	if rest, inside := strings.CutPrefix(k.ImportPath, k.Module.Path+"/"); inside {
		return rest
	}
	name, _ := ModuleName(k.ImportPath)
	return name
}

// majorVersion matches the major version at the end of a module path: an element of its own, or
// a part of the last, as in gopkg.in/yaml.v3.
var majorVersion = lazy.Regexp(`[/.](v[0-9]+)$`)

// ModuleName splits the path of a module into the last element without the major version, by
// which people call the module, and that version: v5, or nothing.
func ModuleName(module string) (name, major string) {
	if m := majorVersion().FindStringSubmatch(module); m != nil {
		module, major = strings.TrimSuffix(module, m[0]), m[1]
	}
	return path.Base(module), major
}
