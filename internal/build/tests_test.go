package build

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/paths"
)

// benchModule is a module as people have it: it knows nothing of suite.
const benchModule = `
-- go.mod --
module example.org/m

go 1.24
-- m_test.go --
package m_test

import "testing"

func BenchmarkRoot(b *testing.B) {}
-- a/a.go --
package a
-- a/a_test.go --
package a

import "testing"

func BenchmarkOne(b *testing.B)   { for range b.N { } }
func ExampleNothing()             {} // go vet: ExampleNothing refers to unknown identifier: Nothing
func Benchmarking()               {}
func BenchmarkTwo(b *testing.B) {}
-- internal/deep/d_test.go --
package deep

import "testing"

func BenchmarkDeep(b *testing.B) {}
-- tests/t_test.go --
package tests

import "testing"

func TestX(t *testing.T) {}
-- plain/plain.go --
package plain
-- broken/b_test.go --
package broken

import "testing"

func BenchmarkX(b *testing.B) { undefined() }
-- tagged/t_test.go --
//go:build special

package tagged

import "testing"

func BenchmarkTagged(b *testing.B) {}
`

// Binaries of several packages are built by one command, and are the ones that are built alone.
func TestTestBinariesAreBuiltTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command that is counted is a script")
	}
	module := "-- go.mod --\nmodule example.org/m\n\ngo 1.24\n"
	for _, folder := range []string{"a", "b", "b/v2", "c/a", "z"} { // c/a would have the name of a, and b/v2 the one of b
		module += "-- " + folder + "/x_test.go --\npackage x\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) { b.Log(`" + folder + "`) }\n"
	}
	dir := tree(t, module)
	bin, list := t.TempDir(), filepath.Join(t.TempDir(), "calls")
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", list, program)
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r := offline(dir, "./...")
	r.Env = append(r.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	together := tests(t, r)
	if calls := strings.Count(read(t, list), "test -c "); len(together) != 5 || calls != 3 {
		t.Errorf("%d binaries are built by %d commands, want 5 by 3:\n%s", len(together), calls, read(t, list))
	}
	if slot := together[0].request.slot; slot != filepath.Dir(together[4].Path) {
		t.Errorf("the folder of layouts is %q", slot)
	}
	again := tests(t, r)
	for i, one := range together {
		r.Packages = []string{one.Package}
		r.Dir = one.Dir
		alone := tests(t, r)[0]
		if alone.Hash != one.Hash || alone.Path != one.Path || again[i].Path != one.Path {
			t.Errorf("%s is %s together, %s again, and %s alone", one.Package, one.Path, again[i].Path, alone.Path)
		}
		out, err := one.Run(context.Background(), time.Minute, nil, "-test.bench=.", "-test.benchtime=1x")
		if want := "    x_test.go:5: " + strings.TrimPrefix(one.Package, "example.org/m/") + "\n"; err != nil || !strings.Contains(out.Stdout, want) {
			t.Errorf("%s prints %q, %v, want %q", one.Package, out.Stdout, err, want)
		}
	}

	// One that does not compile is named, and costs no other its own error.
	write(t, filepath.Join(dir, "b", "x_test.go"), "package x\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) { undefined() }\n")
	r.Packages, r.Dir = []string{"./..."}, dir
	_, err = Tests(context.Background(), r)
	if e := new(Error); !errors.As(err, &e) || len(e.Problems) != 1 || !strings.HasSuffix(e.Problems[0].Place.File, "b/x_test.go") ||
		e.Problems[0].Message != "undefined: undefined" {
		t.Errorf("the error is %v", err)
	}
}

func tests(t *testing.T, r Request) []*Test {
	t.Helper()
	all, err := Tests(context.Background(), r)
	if err != nil {
		t.Fatalf("Tests: %v", err)
	}
	return all
}

func TestTestBinariesAreBuiltAndNothingIsWrittenToTheTree(t *testing.T) {
	dir := tree(t, benchModule)
	before := contents(t, dir)
	var got []string
	for _, pattern := range []string{".", "./a", "./internal/..."} {
		r := offline(dir, pattern)
		for _, one := range tests(t, r) {
			got = append(got, one.Name+" "+one.Package+" "+strings.Join(one.Functions, " "))
			out, err := one.Run(context.Background(), time.Minute, nil, "-test.list=.")
			if err != nil || out.Err != nil || strings.Join(strings.Fields(out.Stdout), " ") != strings.Join(one.Functions, " ") {
				t.Errorf("%s lists %q, %v, %v", one.Package, out.Stdout, out.Err, err)
			}
			if again := tests(t, r); again[0].Path != one.Path || again[0].Hash != one.Hash {
				t.Errorf("the same binary is now %+v, was %+v", again[0], one)
			}
		}
	}
	want := []string{"m example.org/m BenchmarkRoot", "a example.org/m/a BenchmarkOne BenchmarkTwo", "internal/deep example.org/m/internal/deep BenchmarkDeep"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !maps.Equal(before, contents(t, dir)) {
		t.Error("the build changed the tree of the user")
	}
}

func TestChangedTestsAreAnotherBinary(t *testing.T) {
	dir := tree(t, benchModule)
	first := tests(t, offline(dir, "./a"))[0]
	if err := first.Changed(t.Context()); err != nil {
		t.Error("nothing has changed: ", err)
	}
	write(t, filepath.Join(dir, "a/a.go"), "package a\n\nfunc init() { println() }\n")
	if second := tests(t, offline(dir, "./a"))[0]; second.Path == first.Path || !paths.Exists(first.Path) {
		t.Errorf("first %+v\nsecond %+v", first, second)
	}
	if err := first.Changed(t.Context()); err == nil || !strings.Contains(err.Error(), "source has changed") {
		t.Errorf("error %v after its source has changed", err)
	}
	write(t, filepath.Join(dir, "a/a.go"), "package a\n\nfunc init() {\n\tnone()\n}\n")
	if err := first.Changed(t.Context()); err == nil || !strings.Contains(err.Error(), "undefined: none") {
		t.Errorf("error %v of a package that does not compile any more", err)
	}
}

func TestTagsReachTestBinaries(t *testing.T) {
	dir := tree(t, benchModule)
	r := offline(dir, "./tagged")
	r.Tags = []string{"special"}
	if all := tests(t, r); len(all) != 1 || all[0].Functions[0] != "BenchmarkTagged" {
		t.Errorf("%+v", all)
	}
}

func TestTestsThatCannotBeBuiltSayWhy(t *testing.T) {
	dir := tree(t, benchModule)
	for pattern, want := range map[string]string{
		"./tests":               `package "example.org/m/tests" has no benchmark in its tests`,
		"./plain":               `package "example.org/m/plain" has no test files`,
		"./plain/...":           `no package that "./plain/..." matches has a benchmark in its tests`,
		"./tagged":              `package "example.org/m/tagged" has no test file for this system and these tags`,
		"./broken":              "broken/b_test.go:5:33: undefined: undefined",
		"./nothing":             `no folder "nothing"`,
		"a":                     `"a" is an import path, and no folder`,
		"example.org/m/nothing": "",
	} {
		_, err := Tests(context.Background(), offline(dir, pattern))
		var failed *Error
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pattern, err, want)
		}
	}
	outside := t.TempDir()
	if _, err := Tests(context.Background(), offline(outside, ".")); err == nil || !strings.Contains(err.Error(), "is in no Go module") || strings.Contains(err.Error(), suiteModule) {
		t.Errorf("outside of a module: %v", err)
	}
}

func TestTestBinaryThatHangsOrPrintsWithoutEndIsKilled(t *testing.T) {
	dir := tree(t, `
-- go.mod --
module example.org/m

go 1.24
-- m_test.go --
package m

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func BenchmarkHang(b *testing.B) { time.Sleep(time.Hour) }
func BenchmarkPrint(b *testing.B) {
	text := strings.Repeat("x", 1<<20)
	for {
		fmt.Println(text)
	}
}
func BenchmarkFail(b *testing.B) { b.Fatal("boom") }
`)
	one := tests(t, offline(dir, "."))[0]
	run := func(name string, limit time.Duration) error {
		out, err := one.Run(context.Background(), limit, nil, "-test.bench="+name)
		if err != nil {
			t.Fatal(err)
		}
		return out.Err
	}
	if err := run("Hang", 200*time.Millisecond); !errors.Is(err, ErrSlow) {
		t.Errorf("hang: %v", err)
	}
	if err := run("Print", time.Minute); !errors.Is(err, ErrMuch) {
		t.Errorf("print: %v", err)
	}
	if err := run("Fail", time.Minute); !errors.As(err, new(*exec.ExitError)) {
		t.Errorf("fail: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("interrupted")
	cancel(why)
	if _, err := one.Run(ctx, time.Minute, nil); !errors.Is(err, why) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestModuleName(t *testing.T) {
	for module, want := range map[string][2]string{
		"example.org/chi":      {"chi", ""},
		"example.org/chi/v5":   {"chi", "v5"},
		"gopkg.in/yaml.v3":     {"yaml", "v3"},
		"example.org/x/v2ray":  {"v2ray", ""},
		"example.org/v2/parse": {"parse", ""},
		"v2":                   {"v2", ""},
	} {
		if name, major := ModuleName(module); name != want[0] || major != want[1] {
			t.Errorf("%s: %q, %q", module, name, major)
		}
	}
}
