package harness

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The lists of criterion 0.5.1 and 0.3.6.
func TestCriterionListsNamesAsTheyAre(t *testing.T) {
	names, err := criterion{}.Names(Output{Text: recorded(t, "criterion.list")})
	want := []string{"small", "group one/x/sum<int, 4>/10", "group one/x/sum<int, 4>/100", "flat/slow", "crash", "twice", "twice #2",
		"never", "zero", "prints", "idle"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
	old := recorded(t, "criterion_0.3.list")
	names, err = criterion{whole: true}.Names(Output{Text: old})
	if err != nil || !slices.Equal(names, want[:4]) {
		t.Errorf("%q, %v", names, err)
	}
	_, err = criterion{}.Names(Output{Text: old})
	if err == nil || !strings.Contains(err.Error(), "harness: criterion-0.3") {
		t.Errorf("criterion does not take 0.3 for what it is: %v", err)
	}
}

func TestCriterionIsToldOneBenchmarkAndATime(t *testing.T) {
	short := Amount{Seconds: 0.005}
	for _, test := range []struct {
		c    criterion
		want []string
	}{
		{criterion{}, []string{`^a\(b\)$`, "--warm-up-time 0.005", "--measurement-time 0.005"}},
		{criterion{whole: true}, []string{`^a\(b\)$`, "--warm-up-time 1", "--measurement-time 1"}},
	} {
		request := test.c.Run("a(b)", short)
		args, variables := request.With("/tmp/results")
		line := strings.Join(args, " ") + " "
		for _, want := range test.want {
			if !strings.Contains(line, want+" ") {
				t.Errorf("%s lacks %s", line, want)
			}
		}
		if !slices.Equal(variables, []string{"CRITERION_HOME=/tmp/results"}) {
			t.Errorf("variables %q", variables)
		}
	}
}

// The results of criterion 0.5.1.
func TestCriterionTime(t *testing.T) {
	const name = "group one/x/sum<int, 4>/10"
	for _, test := range []struct {
		folder, name, err string
		want              float64
	}{
		{"criterion", name, "", 2e-9},
		{"criterion", "small", `no result of "small"`, 0},
		{"criterion_twice", "twice", "several benchmarks have the name", 0},
		{"criterion_nothing", name, "no result of", 0},
	} {
		got, err := criterion{}.Time(Output{Results: "testdata/" + test.folder}, test.name, Amount{})
		switch {
		case test.err == "" && (err != nil || math.Abs(got/test.want-1) > 1):
			t.Errorf("%s: %v, %v", test.folder, got, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.folder, err, test.err)
		}
	}
}

// The time is the median of what its samples took for an iteration, in seconds.
func TestCriterionTimeOfSamples(t *testing.T) {
	for sample, want := range map[string]string{
		`{"iters": [1, 2, 4], "times": [9000, 8000, 20000]}`: "",
		`{"iters": [1, 2, 4], "times": [9000, 8000]}`:        "2 times of 3 samples",
		`{"iters": [], "times": []}`:                         "0 times of 0 samples",
		`{"iters": [0], "times": [1]}`:                       "no time",
		`{"iters": [1`:                                       "sample.json cannot be read",
	} {
		home := t.TempDir()
		at := filepath.Join(home, "a", "new")
		if err := errors.Join(os.MkdirAll(at, 0o700),
			os.WriteFile(filepath.Join(at, "benchmark.json"), []byte(`{"full_id": "a"}`), 0o600),
			os.WriteFile(filepath.Join(at, "sample.json"), []byte(sample), 0o600)); err != nil {
			t.Fatal(err)
		}
		got, err := criterion{}.Time(Output{Results: home}, "a", Amount{})
		switch {
		case want == "" && (err != nil || math.Abs(got-5e-6) > 1e-12):
			t.Errorf("%s: %v, %v", sample, got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", sample, err, want)
		}
	}
}

func TestCriterionFindsTheProgramOfCargo(t *testing.T) {
	argv := []string{"cargo", "bench", "--bench", "parse", "--", "--color", "never"}
	build := criterion{}.Locate(argv)
	if want := []string{"cargo", "bench", "--bench", "parse", "--no-run", "--message-format=json-render-diagnostics"}; !slices.Equal(build, want) {
		t.Errorf("%q", build)
	}
	for _, other := range [][]string{{"./parse"}, {"cargo", "run"}, {"cargo", "run", "--", "bench"}} {
		if build := (criterion{}).Locate(other); build != nil {
			t.Errorf("%q is built by %q", other, build)
		}
	}
	text := recorded(t, "criterion_cargo.json")
	program, dir, err := criterion{}.Program(argv, text)
	want := []string{"/src/parse/target/release/deps/parse-ff10da934cbe3232", "--color", "never"}
	if err != nil || !slices.Equal(program, want) || filepath.ToSlash(dir) != "/src/parse" {
		t.Errorf("%q in %s, %v", program, dir, err)
	}
	_, _, err = criterion{}.Program(argv, slices.Concat(text, text))
	if err == nil || !strings.Contains(err.Error(), "name one with --bench") {
		t.Error(err)
	}
	_, _, err = criterion{}.Program(argv, nil)
	if err == nil || !strings.Contains(err.Error(), "no program with benchmarks") {
		t.Error(err)
	}
}
