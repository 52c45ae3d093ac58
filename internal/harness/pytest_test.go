package harness

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// The plan of pytest 7.2.1: tests that use the fixture, skipped and failing ones, and one that does not.
func TestPytestListsTestsWithTheFixture(t *testing.T) {
	names, err := pytest{}.Names(Output{Text: recorded(t, "pytest.plan")})
	want := []string{"test_sum", "test_par[10]", "test_par[100]", "test_text[a b]", "test_text[x/y::z]", `test_text[\xe9|(?)]`, "test_fix",
		"test_fail", "test_skip_inside", "test_unused", "TestC::test_sum"}
	for i := range want {
		want[i] = "tests/test_one.py::" + want[i]
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
	_, err = pytest{}.Names(Output{Text: []byte("        t.py::test_a (fixtures used: data, my_benchmark)\n        SETUP    F data (fixtures used: benchmark)\n")})
	if err == nil || !strings.Contains(err.Error(), "none of its tests uses the fixture benchmark") {
		t.Error(err)
	}
}

func TestPytestIsToldATime(t *testing.T) {
	for seconds, want := range map[float64]string{
		0.005: "--benchmark-max-time=0.1 --benchmark-min-time=0.001 a.py::b",
		2:     "--benchmark-max-time=2 --benchmark-min-time=0.02 a.py::b",
	} {
		if line := strings.Join((pytest{}).Run("a.py::b", Amount{Seconds: seconds}).Args, " "); !strings.HasSuffix(line, want) {
			t.Errorf("%v s: %s", seconds, line)
		}
	}
}

// The output of pytest-benchmark 3.2.2.
func TestPytestTime(t *testing.T) {
	for _, test := range []struct {
		file, name, err string
		want            float64
	}{
		{"pytest_text.out", "test_text[a b]", "", 1e-6},
		{"pytest_text.out", "test_text[a]", "measured nothing", 0},
		{"pytest_all.out", "test_sum", "it ran 9 benchmarks", 0}, // its command has a path
		{"pytest_fail.out", "test_fail", "failed: AssertionError: wrong result", 0},
		{"pytest_skip.out", "test_skip_inside", "is skipped: tests/test_one.py:26: no file", 0},
		{"pytest_unused.out", "test_unused", "measured nothing", 0},
	} {
		name := "tests/test_one.py::" + test.name
		got, err := pytest{}.Time(Output{Text: recorded(t, test.file)}, name, Amount{})
		var own *Failure
		switch {
		case test.err == "" && (err != nil || !(got > test.want/10 && got < test.want*10)):
			t.Errorf("%s: %v, %v", test.file, got, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.file, err, test.err)
		case errors.As(err, &own) != (test.file == "pytest_fail.out" || test.file == "pytest_skip.out"):
			t.Errorf("%s: whose failure is %v?", test.file, err)
		}
	}
	_, err := pytest{}.Time(Output{Text: recorded(t, "pytest_broken.out")}, "tests/test_broken.py::test_x", Amount{})
	if err == nil || !strings.Contains(err.Error(), "failed: pytest does not say why") {
		t.Error(err)
	}
}

func TestPytestTable(t *testing.T) {
	for table, want := range map[string]string{
		"Name (time in us)   Median\n----\na.py::b   1,234.5000\n":                            "",
		"Name (time in us)   Median\n----\na.py::b   1,234.5000 (1.0)\na.py::c   9.0 (2.0)\n": "it ran 2 benchmarks",
		"Name (time in h)   Median\n----\na.py::b   2\n":                                      `unknown unit "h"`,
		"a.py::b 3\n": "measured nothing",
		"":            "printed nothing on standard output",
	} {
		got, err := pytest{}.Time(Output{Text: []byte(table)}, "a.py::b", Amount{})
		switch {
		case want == "" && (err != nil || math.Abs(got-1.2345e-3) > 1e-12):
			t.Errorf("%s: %v, %v", table, got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", table, err, want)
		}
	}
	for unit := range pytestUnits {
		if got, err := (pytest{}).Time(Output{Text: []byte("Name (time in " + unit + ")   Median\na b   2\n")}, "a b", Amount{}); err != nil || got != 2*pytestUnits[unit] {
			t.Errorf("%s: %v, %v", unit, got, err)
		}
	}
}
