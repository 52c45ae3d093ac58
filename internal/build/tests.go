package build

import (
	"cmp"
	"context"
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
)

// Test is the test binary of a package that has benchmarks.
type Test struct {
	Package string // import path
	Name    string // the package within its module: internal/parse; for a module's root the last element of its path
	Dir     string // absolute; go test runs the binary there
	Path    string // of the binary, absolute; its content never changes
	Hash    string // sha256 of the binary, hexadecimal
	// Functions are the benchmarks in its source, in the order of the files.
	Functions []string

	linked
}

// Tests builds the test binaries of a request's packages that have benchmarks, in the order
// of their import paths, as go test -c does in their module: suite is not part of them.
// Nothing is written into the user's tree. The error is an *Error for a named package
// without benchmarks, for packages none of which has any, and for code that does not
// compile; if the context ends, it is the context's cause. A package takes 0.2 s if nothing
// has changed.
func Tests(ctx context.Context, r Request) ([]*Test, error) {
	b, err := begin(r)
	if err != nil {
		return nil, err
	}
	b.tests = true
	if err := b.joinTests(ctx); err != nil { // patterns → one module …
		return nil, err
	}
	if err := b.list(ctx); err != nil { // … patterns → packages with benchmarks …
		return nil, err
	}
	var all []*Test
	for _, k := range b.packages { // … packages → binaries
		t, err := b.test(ctx, k)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// joinTests finds the module of the patterns, which is built as it is.
func (b *building) joinTests(ctx context.Context) error {
	all, problems := b.patterns()
	if len(problems) > 0 {
		return &Error{problems}
	}
	roots := rootsOf(all)
	switch {
	case len(roots) > 1:
		return b.several(all)
	case len(roots) == 1:
		b.root = roots[0]
	default:
		b.root = cmp.Or(moduleRoot(b.Dir), b.Dir)
	}
	b.tool.dir = b.root
	vars, text, err := b.tool.variables(ctx)
	if err != nil {
		return b.failed(text, err)
	}
	if err := b.surroundings(vars); err != nil {
		return err
	}
	if strings.Contains(vars["GOFLAGS"], "-mod=mod") {
		b.flags = append(b.flags, "-mod=readonly") // it would write go.mod and go.sum
	}
	for i := range all {
		all[i].relative(b.root)
	}
	b.wanted = all
	return nil
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

// test builds one binary. As for a program, the target is a file of this build alone, go links
// nothing if it finds that the last binary is up to date, and binaries are named after their
// content.
func (b *building) test(ctx context.Context, k *pkg) (*Test, error) {
	b.slot = filepath.Join(b.Cache, "test", key(b.root, k.ImportPath, strings.Join(b.flags, "\n"), strings.Join(b.Env, "\n")))
	if err := os.MkdirAll(b.slot, 0o755); err != nil {
		return nil, unwritable(err)
	}
	touch(b.slot)
	temp, err := os.MkdirTemp(b.slot, "building-")
	if err != nil {
		return nil, unwritable(err)
	}
	defer os.RemoveAll(temp)
	target := filepath.Join(temp, "test")
	if err := b.seed(target, testName); err != nil {
		return nil, unwritable(err)
	}
	args := slices.Concat([]string{"test", "-c"}, b.flags, []string{"-o", target, k.ImportPath})
	if out, text, err := b.tool.run(ctx, args...); err != nil {
		return nil, b.failed(cmp.Or(text, out), err)
	}
	return b.keep(target, k)
}

// keep moves a new binary to the place that its content names.
func (b *building) keep(target string, k *pkg) (*Test, error) {
	hash, err := hashFile(target)
	if err != nil {
		return nil, unwritable(err)
	}
	t := &Test{Package: k.ImportPath, Name: k.within(), Dir: k.Dir, Path: filepath.Join(b.slot, testName(hash)), Hash: hash, Functions: k.benchmarks(),
		linked: linked{request: b, build: []string{"test", "-c", k.ImportPath}}}
	if !exists(t.Path) {
		if err := os.Rename(target, t.Path); err != nil && !exists(t.Path) {
			return nil, unwritable(err)
		}
	}
	touch(t.Path)
	prune(b.Cache, b.slot)
	return t, nil
}

// The name of a binary depends on its content.
func testName(hash string) string {
	name := "test-" + hash[:16]
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// A package of another module keeps its import path.
func (k *pkg) within() string {
	if k.Module == nil || !k.Module.Main {
		return k.ImportPath
	}
	if rest, inside := strings.CutPrefix(k.ImportPath, k.Module.Path+"/"); inside {
		return rest
	}
	return path.Base(k.ImportPath)
}
