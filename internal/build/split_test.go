package build

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const splitModule = `
-- go.mod --
module example.org/m

go 1.24
-- a/a.go --
package a

import "strings"

var Table = strings.Repeat("a", 3)
-- a/a_test.go --
package a

import "testing"

func BenchmarkOne(b *testing.B) {}
`

// A package is split once for each of its contents, and what was kept needs no go command.
func TestPackagesAreSplitOnce(t *testing.T) {
	const pkg = "example.org/m/a"
	dir := tree(t, splitModule)
	r := offline(dir, "./a")
	r.Cache = t.TempDir()
	split := func(want ...string) *Test {
		t.Helper()
		one := tests(t, r)[0]
		first, err := one.Split(t.Context(), pkg)
		if err != nil {
			t.Fatal(err)
		}
		var vars []string
		for _, u := range first.List {
			vars = append(vars, u.Vars...)
		}
		if !reflect.DeepEqual(vars, want) {
			t.Errorf("initialisers of %q, want %q", vars, want)
		}
		again := tests(t, r)[0]
		again.request.tool.path = filepath.Join(dir, "no-go")
		if second, err := again.Split(t.Context(), pkg); err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("got %+v, %v; first %+v", second, err, first)
		}
		return one
	}
	split("Table")
	source := filepath.Join(dir, "a/a.go")
	write(t, source, "package a\n\nvar Table, More = make([]int, 4), len(make([]int, 5))\n")
	split("Table", "More")
	if units, err := tests(t, r)[0].Split(t.Context(), "example.org/m/other"); err != nil || units.Archive != "" {
		t.Errorf("a package that is not linked: %+v, %v", units, err)
	}

	// What is read after the build may not be what was built, and is not kept.
	write(t, source, "package a\n\nvar Table = len(make([]int, 3))\n")
	last := tests(t, r)[0]
	write(t, source, "package a\n\nvar Table = len(make([]int, 4))\n")
	if units, err := last.Split(t.Context(), pkg); err == nil || !strings.Contains(err.Error(), "source has changed") {
		t.Errorf("%+v, error %v", units, err)
	}
	write(t, source, "package a\n\nvar Table = len(make([]int, 3))\n")
	again := tests(t, r)[0]
	again.request.tool.path = filepath.Join(dir, "no-go")
	if units, err := again.Split(t.Context(), pkg); err == nil {
		t.Errorf("kept %+v", units)
	}
}

// Both programs are split, the base first. A base that was edited after it was built is an error too.
func TestBothProgramsAreSplit(t *testing.T) {
	const pkg = "example.org/m/a"
	base, here := tree(t, splitModule), tree(t, splitModule)
	write(t, filepath.Join(here, "a/a.go"), "package a\n\nvar More = len(make([]int, 5))\n")
	r := offline(base, "./a")
	r.Cache = t.TempDir()
	was := tests(t, r)[0]
	r.Dir = here
	is := tests(t, r)[0]
	both, err := Split(t.Context(), was, is, pkg)
	if err != nil || len(both[0].List) != 1 || len(both[1].List) != 1 ||
		both[0].List[0].Vars[0] != "Table" || both[1].List[0].Vars[0] != "More" {
		t.Errorf("%+v, %v", both, err)
	}
	r.Dir = base
	write(t, filepath.Join(base, "a/a.go"), "package a\n\nvar Table = len(make([]int, 6))\n")
	was = tests(t, r)[0]
	write(t, filepath.Join(base, "a/a.go"), "package a\n\nvar Table = len(make([]int, 7))\n")
	if _, err := Split(t.Context(), was, is, pkg); err == nil || !strings.Contains(err.Error(), "source has changed") {
		t.Errorf("error %v after the base was edited", err)
	}
}
