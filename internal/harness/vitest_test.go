package harness

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What vitest 4.1.12 prints with the module: its own table, and the list. Benchmarks that the code skips are not there.
func TestVitestListsNamesAsTheyAre(t *testing.T) {
	names, err := vitest{}.Names(Output{Text: recorded(t, "vitest.list")})
	want := []string{"bad.bench.js > throws", "bad.bench.js > rejects", "bad.bench.js > prints", "bad.bench.js > awaits",
		"bad.bench.js > timers", "bad.bench.js > later", "bad.bench.js > exits", "bad.bench.js > setup throws",
		"each.bench.js > of 1 thousand > work 1", "each.bench.js > of 1 thousand > alike", "each.bench.js > of 2 thousand > work 2",
		"each.bench.js > of 2 thousand > alike", "each.bench.js > twice > same", "each.bench.js > twice > same",
		"each.bench.js > x > y", `each.bench.js > regex (.*) [a-z]+ $^ \ "quoted"`, "each.bench.js > ünï côdé 🚀",
		"hooks.bench.js > hooks > beforeAll", "mock.bench.js > mocked", "never.bench.js > never ends",
		"never.bench.js > never resolves", "only.bench.js > the one", "skip.bench.js > runs", "broken.bench.js"}
	for i := range want {
		want[i] = "bench/" + want[i]
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
}

// In the full names that the expression has to match, vitest writes spaces for its own arrows.
func TestVitestIsToldOneBenchmark(t *testing.T) {
	args, _ := vitest{}.Run("b.js > a (x) > c|d", Amount{}).With("/tmp/r.json")
	want := []string{"--run", `--testNamePattern=^a \(x\)( | > )c\|d$`, "b.js", "--outputJson=/tmp/r.json"}
	if !slices.Equal(args, want) {
		t.Errorf("%q", args)
	}
}

// Of a file that cannot be loaded the module reports the first error. Without one the file is still named.
func TestVitestReportsWhyAFileIsNotLoaded(t *testing.T) {
	const file = "bench/a.bench.js"
	r := vitest{}.Run(file, Amount{})
	if want := []string{"--reporter=default", "--run", file}; !slices.Equal(r.Args, want) || !r.Loads || r.Results != "" {
		t.Errorf("%+v", r)
	}
	for text, want := range map[string]string{
		`{"name": "bench/b.bench.js", "error": "b"}` + "\n" + `{"name": "` + file + `", "error": "no input file"}`: "vitest cannot load the file: no input file",
		`{"name": "bench/b.bench.js", "error": "b"}`:                                                               "vitest cannot load the file",
	} {
		_, err := vitest{}.Time(Output{Text: []byte(text)}, file, Amount{})
		var own *Failure
		if !errors.As(err, &own) || own.Message != want || own.Benchmark != file {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A process that stays has the same arguments, answers the requests for one benchmark, and writes no results.
func TestVitestStays(t *testing.T) {
	row, _ := Find("vitest")
	if row.Counts {
		t.Error("a process for each sample can be told a number of iterations")
	}
	if row = row.Staying(); runtime.GOOS != "linux" {
		if _, isAsked := row.Harness.(Responder); isAsked {
			t.Error("it stays on a system without /proc")
		}
		return
	}
	r := row.Run("b.js > a > c", Amount{Iterations: 5, Warmups: 1})
	if r.Input != "run 5 b.js > a > c\nrun 5 b.js > a > c\n" || r.Results != "" || !row.Counts || !row.Slow {
		t.Errorf("%+v", r)
	}
	if want := (vitest{}).Run("b.js > a > c", Amount{}); !slices.Equal(r.Args, want.Args) {
		t.Errorf("%q, want %q", r.Args, want.Args)
	}
	if !slices.Contains(r.Variables, "SUITE_BENCHMARK=b.js > a > c") {
		t.Errorf("%q", r.Variables)
	}
	if m := row.Harness.(Extended).Module(); !r.Loads || vitest.Run(vitest{}, "a > b", Amount{}).Loads || !strings.Contains(m.Text, "process.env.SUITE_BENCHMARK") || m.Argument == "" {
		t.Errorf("%+v", m)
	}
}

func TestVitestTime(t *testing.T) {
	for _, test := range []struct {
		file, name, err string
		want            float64
	}{
		{"vitest.json", "c.bench.js > a > b > c", "", 0.2e-6},
		{"vitest.json", "c.bench.js > a > b", "do not have", 0},
		{"vitest_fail.json", "a.bench.js > fails", "has no time of it and does not say why", 0},
		{"vitest_twice.json", "b.bench.js > twice", "several benchmarks have the name", 0},
		{"vitest_skip.json", "b.bench.js > skipped", "is it skipped", 0},
		{"vitest_none.json", "b.bench.js > skipped", "wrote no results", 0},
		{"vitest.list", "b.bench.js > skipped", "vitest.list cannot be read", 0},
		{"vitest_none.json", "b.bench.js", "vitest cannot load the file", 0},
	} {
		got, err := vitest{}.Time(Output{Results: "testdata/" + test.file}, "bench/"+test.name, Amount{})
		var own *Failure
		switch {
		case test.err == "" && (err != nil || math.Abs(got/test.want-1) > 0.5):
			t.Errorf("%s: %v, %v", test.file, got, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.file, err, test.err)
		case errors.As(err, &own) != (test.file == "vitest_fail.json" || test.name == "b.bench.js"):
			t.Errorf("%s: whose failure is %v?", test.file, err)
		}
	}
	// The median of a longer function is its time, and the mean of a short one.
	for times, want := range map[string]float64{`"mean": 0.003, "median": 0.002`: 2e-6, `"mean": 0.0003, "median": 0.0002`: 0.3e-6} {
		file := filepath.Join(t.TempDir(), "r.json")
		text := `{"files": [{"groups": [{"fullName": "a.js", "benchmarks": [{"name": "b", ` + times + `}]}]}]}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := (vitest{}).Time(Output{Results: file}, "a.js > b", Amount{}); err != nil || math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s: %v, %v", times, got, err)
		}
	}
	file := filepath.Join(t.TempDir(), "r.json")
	text := `{"files": [{"groups": [{"fullName": "a.js", "benchmarks": [{"name": "b", "mean": -2}]}]}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (vitest{}).Time(Output{Results: file}, "a.js > b", Amount{}); err == nil || !strings.Contains(err.Error(), "no time") {
		t.Errorf("a negative time: %v", err)
	}
}
