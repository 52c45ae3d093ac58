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

// The list of vitest 4.1.12. It does not tell which benchmarks the code skips.
func TestVitestListsNamesAsTheyAre(t *testing.T) {
	names, err := vitest{}.Names(Output{Text: recorded(t, "vitest.list")})
	want := []string{"a.bench.js > group one/x > sum <int, 4>/10", "a.bench.js > group one/x > sum 1000", "a.bench.js > top", "a.bench.js > fails",
		"b.bench.js > a [brackets] | (x) > inner > deep > a very long name of a benchmark that goes on and on and on until it is longer than any terminal that anybody has ever seen in the world, really",
		"b.bench.js > skipped", "b.bench.js > todo one", "b.bench.js > twice", "b.bench.js > twice", "b.bench.js > prints", "b.bench.js > async",
		"c.bench.js > a > b > c"}
	for i := range want {
		want[i] = "bench/" + want[i]
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
	names, err = vitest{}.Names(Output{Text: []byte(" RUN  v3.2.7 /src\n ↓ |unit| a.bench.js > b\n   ↓ c [skipped]\n")})
	if err != nil || !slices.Equal(names, []string{"a.bench.js > b > c"}) {
		t.Errorf("of a project: %q, %v", names, err)
	}
	for _, version := range []string{"2", "5", "10"} {
		_, err = vitest{}.Names(Output{Text: []byte("\n RUN  v" + version + ".1.1 /src\n\n")})
		if err == nil || !strings.Contains(err.Error(), "it is vitest "+version) {
			t.Errorf("version %s: %v", version, err)
		}
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

// A process that stays has the same arguments, answers the requests for one benchmark, and writes no results.
func TestVitestStays(t *testing.T) {
	row, _ := Find("vitest")
	if row.Counts {
		t.Error("a process for each sample can be told a number of iterations")
	}
	if row = row.Staying(); runtime.GOOS != "linux" {
		if _, isAsked := row.Harness.(Asked); isAsked {
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
	if m := row.Harness.(Extended).Module(); !strings.Contains(m.Text, "process.env.SUITE_BENCHMARK") || m.Argument == "" {
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
	} {
		got, err := vitest{}.Time(Output{Results: "testdata/" + test.file}, "bench/"+test.name, Amount{})
		var own *Failure
		switch {
		case test.err == "" && (err != nil || math.Abs(got/test.want-1) > 0.5):
			t.Errorf("%s: %v, %v", test.file, got, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.file, err, test.err)
		case errors.As(err, &own) != (test.file == "vitest_fail.json"):
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
