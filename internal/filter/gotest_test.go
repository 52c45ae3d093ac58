package filter

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/spec"
)

// A query is left out only if no name of its benchmarks can match.
func TestQueriesThatAFilterLeavesOut(t *testing.T) {
	dir := t.TempDir()
	for _, module := range []string{"", "_bench/go"} {
		folder := filepath.Join(dir, filepath.FromSlash(module))
		if err := os.MkdirAll(filepath.Join(folder, "z", "y"), 0o777); err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(folder, "go.mod"), "module example.org/cache/v2\n")
	}
	for _, c := range []struct {
		only, pattern, name string
		leavesOut           bool
	}{
		{"cache/*", ".", "", false},
		{"cache/*", "./z", "", true},
		{"cache/*", "./...", "", false},
		{"cache/Get", "./z/...", "", false}, // in doubt
		{"c*", "./z", "", true},
		{"z/*", "./z", "", false},
		{"z*", "./z", "", false},
		{"z", "./z", "", false},
		{"z/y/*", "./z", "", false}, // a benchmark y may have sub-benchmarks
		{"z/*", "./z/y", "", false},
		{"z/Get", "./z/y", "", true},
		{"*Get", "./z/y", "", false},
		{"z/*", ".", "", true},
		{"_bench/*", "./_bench/go", "", false},
		{"_bench/go/Get", "./_bench/go", "", false},
		{"cache/*", "./_bench/go", "", true},
		{"_bench/go/z/Get", "./_bench/go/z", "", false},
		{"_bench/go/Get", "./_bench/go/...", "", false},
		{"named/*", "./z", "named", false},
		{"z/*", "./z", "named", true},
		{"z/*", "example.org/other", "", false},
	} {
		q := &spec.GoTestQuery{Dir: dir, Pattern: c.pattern, Name: c.name}
		if got := (&Filter{Only: []string{c.only}}).LeavesOut(q); got != c.leavesOut {
			t.Errorf("--only %s leaves out gotest: %s (name %q): %t", c.only, c.pattern, c.name, got)
		}
	}
}

// A function is left out only if neither its name nor one below it can match.
func TestFunctionsThatAFilterLeavesOut(t *testing.T) {
	for _, c := range []struct {
		only, name string
		leavesOut  bool
	}{
		{"z/Get", "", false},
		{"z/Get/small", "", false},
		{"z/Get/*", "", false},
		{"z/Get-4", "", false}, // with cpu: [4]
		{"z/Get/small-4", "", false},
		{"z*", "", false},
		{"*small", "", false},
		{"z/*l", "", false},
		{"z", "", false},
		{"z/Ge", "", true},
		{"z/Gets", "", true},
		{"z/Set*", "", true},
		{"y/Get", "", true},
		{"named/Get", "named", false},
		{"z/Get", "named", true},
	} {
		q := &spec.GoTestQuery{Pattern: "./...", Name: c.name}
		if got := (&Filter{Only: []string{c.only}}).LeavesOutFunction(q, "z", "BenchmarkGet"); got != c.leavesOut {
			t.Errorf("--only %s leaves out Get of z (name %q): %t", c.only, c.name, got)
		}
	}
	for _, c := range []struct {
		skip      string
		procs     int
		leavesOut bool
	}{
		{"z", 0, true},
		{"z", 4, true},
		{"z/Get", 0, true},
		{"z/Get", 4, false}, // z/Get-4 is another name
		{"z/Get*", 4, true},
		{"z/*", 0, true},
		{"*Get*", 0, true},
		{"z/G*t", 0, false}, // z/Get/small is wanted
		{"z/Get/*", 0, false},
		{"z/Get/small", 0, false},
		{"z/Set", 0, false},
	} {
		f := &Filter{Skip: []string{"y", c.skip}}
		if got := f.LeavesOutFunction(&spec.GoTestQuery{Procs: c.procs}, "z", "BenchmarkGet"); got != c.leavesOut {
			t.Errorf("--skip %s leaves out Get of z with cpu: [%d]: %t", c.skip, c.procs, got)
		}
		if err := (Filter{Skip: []string{c.skip}, met: f.met}).Known(nil); (err == nil) != c.leavesOut {
			t.Errorf("--skip %s: %v", c.skip, err)
		}
	}
}
