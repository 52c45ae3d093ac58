package build

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"github.com/rogpeppe/go-internal/txtar"
)

// cache is shared by all tests: the sources of suite are written once.
var cache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "build-test-")
	if err != nil {
		panic(err)
	}
	cache = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// goMod is that of a module that was given suite by `go get`.
const goMod = "module example.org/m\n\ngo 1.26.0\n\nrequire example.com/suite v1.0.0\n"

// register is a package that registers the function of its name.
func register(name string) string {
	return "package " + name + "\n\nimport \"example.com/suite/bench\"\n\nfunc init() {\n\tbench.Register(\"" + name +
		"\", func(c *bench.Case) bench.Loop { return func(n int) {} })\n}\n"
}

// tree writes files (a txtar archive) to a folder, with a go.mod where none of
// them is one. REGISTER:name stands for a package that registers name.
func tree(t *testing.T, files string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command in PATH, which builds hosts")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, dir, files)
	return dir
}

// fill writes the files of a tree to a folder.
func fill(t *testing.T, dir, files string) {
	t.Helper()
	archive := txtar.Parse([]byte(files))
	if !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return filepath.Base(f.Name) == "go.mod" || f.Name == "no.mod" }) {
		archive.Files = append(archive.Files, txtar.File{Name: "go.mod", Data: []byte(goMod)})
	}
	for _, f := range archive.Files {
		text := string(f.Data)
		if name, ok := strings.CutPrefix(strings.TrimSpace(text), "REGISTER:"); ok {
			text = register(name)
		}
		write(t, filepath.Join(dir, f.Name), text)
	}
}

// refill replaces all files of a tree. A module whose go.mod and folder are the same is prepared
// already: four starts of go less.
func refill(t *testing.T, dir, files string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, files)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// offline is a request that needs no network beyond the module cache. Without paths in it
// the code of suite is compiled once, and not for every folder that a test uses for its cache:
// 4 s each. Without symbols, and without collections in the linker, which then takes 150 MB,
// a link takes half of the time.
func offline(dir string, packages ...string) Request {
	return Request{Dir: dir, Packages: packages, Cache: cache, Flags: []string{"-trimpath", "-ldflags=-s"},
		Env: []string{"GOPROXY=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOWORK=", "GOGC=off"}}
}

func built(t *testing.T, r Request) *Program {
	t.Helper()
	p, err := Host(context.Background(), r)
	if err != nil {
		t.Fatalf("Host: %v", err)
	}
	return p
}

// lists checks what a program has registered.
func lists(t *testing.T, p *Program, want ...string) {
	t.Helper()
	got, err := p.Functions(context.Background())
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("functions %q, %v; want %q", got, err, want)
	}
}

// contents gives every file below dir with its text.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = ""
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExampleIsBuiltAndNothingIsWrittenToIt(t *testing.T) {
	tree(t, "")
	before := contents(t, "../../suites/example")
	p := built(t, offline("../../suites/example", "./hashbench"))
	lists(t, p, "hash/fnv", "hash/sha256")
	if !slices.Equal(p.Packages, []string{"example.org/hashing/hashbench"}) || len(p.Notes) != 0 || p.Cached || p.Elapsed <= 0 {
		t.Errorf("%+v", p)
	}
	if !maps.Equal(before, contents(t, "../../suites/example")) {
		t.Error("the build changed the tree of the user")
	}
	var exit *exec.ExitError
	if out, err := exec.Command(p.Path).CombinedOutput(); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "suite run") {
		t.Errorf("started by hand it ends with %v and says %s", err, out)
	}
	if hello := greet(t, p); hello.Hash != host.Hash() || hello.Version != wire.Version {
		t.Errorf("host says hash %s, want %s: it runs other timing code", hello.Hash, host.Hash())
	}
}

// greet starts a host as the runner does and says hello.
func greet(t *testing.T, p *Program) *wire.Hello {
	t.Helper()
	requests, send, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	receive, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	argv := p.Argv()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	if err := wire.Inherit(cmd, requests, answers); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	requests.Close()
	answers.Close()
	var r wire.Response
	err = errors.Join(wire.WriteMessage(send, wire.Request{Seq: 1, Op: "hello", Kind: wire.KindGo}), wire.ReadMessage(receive, &r),
		wire.WriteMessage(send, wire.Request{Op: "quit"}), cmd.Wait())
	send.Close()
	receive.Close()
	if err != nil || r.Failure != nil || r.Hello == nil {
		t.Fatalf("hello: %+v, %v", r, err)
	}
	return r.Hello
}

func TestUnchangedPackagesGiveTheSameProgram(t *testing.T) {
	dir := tree(t, "-- a/a.go --\nREGISTER:a\n")
	first, second := built(t, offline(dir, "./a")), built(t, offline(dir, "./a"))
	if first.Cached || !second.Cached || first.Path != second.Path || first.Hash != second.Hash {
		t.Errorf("first %+v\nsecond %+v", first, second)
	}
	write(t, filepath.Join(dir, "a/a.go"), register("a")+register("b")[len("package b\n\nimport \"example.com/suite/bench\"\n\n"):])
	third := built(t, offline(dir, "./a"))
	if third.Cached || third.Path == first.Path {
		t.Errorf("a change of the source was not built: %+v", third)
	}
	lists(t, third, "a", "b")
	lists(t, first, "a") // a suite that runs keeps its program
}

func TestDamagedProgramIsBuiltAgain(t *testing.T) {
	dir := tree(t, "-- a/a.go --\nREGISTER:a\n")
	first := built(t, offline(dir, "./a"))
	text, err := os.ReadFile(first.Path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := errors.Join(os.Remove(first.Path), os.WriteFile(first.Path, text, 0o777)); err != nil {
		t.Fatal(err)
	}
	second := built(t, offline(dir, "./a"))
	if second.Hash != first.Hash || second.Cached {
		t.Errorf("first %+v\nsecond %+v", first, second)
	}
	if hash, _ := hashFile(second.Path); hash != second.Hash {
		t.Error("the damaged program is still there")
	}
}

func TestSuitesThatBuildAtOnceGetTheSameProgram(t *testing.T) {
	dir := tree(t, "-- a/a.go --\nREGISTER:a\n")
	r := offline(dir, "./a")
	r.Cache = t.TempDir() // sources and go.mod are written at once too
	type answer struct {
		p   *Program
		err error
	}
	answers := make(chan answer)
	for range 2 {
		go func() {
			p, err := Host(context.Background(), r)
			answers <- answer{p, err}
		}()
	}
	paths := map[string]bool{}
	for range 2 {
		a := <-answers
		if a.err != nil {
			t.Fatal(a.err)
		}
		lists(t, a.p, "a")
		paths[a.p.Path] = true
	}
	if len(paths) != 1 {
		t.Errorf("programs %v", paths)
	}
	for _, left := range []string{"host/*/building-*", "mod/new-*", "source/*/*/.*"} {
		if found, _ := filepath.Glob(filepath.Join(r.Cache, left)); len(found) > 0 {
			t.Errorf("left over: %v", found)
		}
	}
}

func TestWildcardTakesWhatRegistersInternalPackagesToo(t *testing.T) {
	dir := tree(t, `
-- a/a.go --
REGISTER:a
-- b/internal/c/c.go --
REGISTER:c
-- b/internal/x/internal/d/d.go --
REGISTER:d
-- internal/e/e.go --
REGISTER:e
-- wrapped/wrapped.go --
package wrapped
import "example.org/m/kit"
func init() { kit.Add("wrapped") }
-- kit/kit.go --
package kit
import "example.com/suite/bench"
func Add(name string) { bench.Register(name, func(*bench.Case) bench.Loop { return func(int) {} }) }
-- other/other.go --
package other
-- cmd/x/main.go --
package main
import _ "example.org/m/a"
func main() {}
-- tests/x_test.go --
package tests
`)
	p := built(t, offline(dir, "./..."))
	lists(t, p, "a", "c", "d", "e", "wrapped")
	want := "example.org/m/a example.org/m/b/internal/c example.org/m/b/internal/x/internal/d example.org/m/internal/e example.org/m/kit example.org/m/wrapped"
	if got := strings.Join(p.Packages, " "); got != want {
		t.Errorf("packages %s\nwant     %s", got, want)
	}
}

func TestPatternsAreRelativeToTheSuite(t *testing.T) {
	dir := tree(t, "-- suites/a/a.go --\nREGISTER:a\n-- b/b.go --\nREGISTER:b\n-- c/c.go --\nREGISTER:c\n")
	p := built(t, offline(filepath.Join(dir, "suites"), "./a", "../b/...", "example.org/m/c"))
	lists(t, p, "a", "b", "c")
}

func TestModuleBelowTheSuite(t *testing.T) {
	dir := tree(t, "-- code/go.mod --\n"+goMod+"-- code/a/a.go --\nREGISTER:a\n")
	lists(t, built(t, offline(dir, "./code/a")), "a")
}

func TestTagsFlagsAndEnvironmentReachTheBuild(t *testing.T) {
	dir := tree(t, `
-- a/a.go --
REGISTER:a
-- a/tagged.go --
//go:build fast && sse.4

package a

import "example.com/suite/bench"

var which = "unset"

func init() { bench.Register(which, func(*bench.Case) bench.Loop { return func(int) {} }) }
-- a/experiment.go --
//go:build goexperiment.synctest || purego

package a

import "example.com/suite/bench"

func init() { bench.Register("env", func(*bench.Case) bench.Loop { return func(int) {} }) }
`)
	r := offline(dir, "./a")
	r.Tags = []string{"fast", "sse.4"}
	r.Flags = []string{"-trimpath", "-ldflags=-s -X example.org/m/a.which=linked"}
	lists(t, built(t, r), "a", "linked")
	r = offline(dir, "./a")
	r.Env = append(r.Env, "GOFLAGS=-tags=purego")
	lists(t, built(t, r), "a", "env")
}

func TestEndOfTheContextEndsTheBuild(t *testing.T) {
	dir := tree(t, "-- a/a.go --\nREGISTER:a\n")
	r := offline(dir, "./a")
	sleeper := sleeper(t)
	r.Flags = []string{"-toolexec=" + sleeper}
	temporary := t.TempDir()
	r.Env = append(r.Env, "GOTMPDIR="+temporary)
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("interrupted")
	done := make(chan error)
	go func() {
		_, err := Host(ctx, r)
		done <- err
	}()
	pid := pidIn(t, filepath.Join(filepath.Dir(sleeper), "asleep"))
	cancel(why)
	select {
	case err := <-done:
		if !errors.Is(err, why) {
			t.Errorf("error %v, want the cause of the end", err)
		}
	case <-time.After(30 * time.Second): // ten times WaitDelay
		t.Error("the build goes on")
	}
	dies(t, pid)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("go leaves %v, %v", left, err)
	}
}

func TestOwnModuleIsBuiltAsItIs(t *testing.T) {
	tree(t, "")
	p := built(t, offline("../..", "./suites"))
	names, err := p.Functions(context.Background())
	if err != nil || len(names) < 3 {
		t.Errorf("functions %v, %v", names, err)
	}
	if len(p.Notes) > 0 {
		t.Errorf("notes %q", p.Notes)
	}
}

// Without -trimpath a stack has absolute paths. The package is one of suite's own module, whose
// other packages the compiler's cache has already.
func TestAPanicIsPlacedInABuildWithPaths(t *testing.T) {
	tree(t, "")
	r := offline("testdata/panics", ".")
	r.Flags = nil
	if got, want := problemsOf(t, r), "panics.go:11:1: init: panic: assignment to entry in nil map"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
