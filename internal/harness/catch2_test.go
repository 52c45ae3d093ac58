package harness

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The lists of Catch2 2.13.10 and 3.7.1, which the crash of a benchmark ends.
func TestCatchListsWhatHasRun(t *testing.T) {
	want := []string{"sum, of numbers/small <int, 4>/10", "sum, of numbers/big", "templ - int/t", "templ - std::vector<int>/t",
		"sections/a/s", "sections/b/s", "generated/gen 10", "generated/gen 20", "fails/f", "prints/p", "throws/th", "crash/cr"}
	for _, file := range []string{"catch2_list.xml", "catch2_v3_list.xml"} {
		out := Output{Results: "testdata/" + file}
		names, err := catch2{}.Names(out)
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: %q, %v", file, names, err)
		}
		tests, isWhole := catch2{}.Seen(out)
		if isWhole || len(tests) != 9 || tests[8] != "crash" {
			t.Errorf("%s: tests %q, whole: %v", file, tests, isWhole)
		}
	}
	_, isWhole := catch2{}.Seen(Output{Results: "testdata/catch2_v3.xml"})
	if !isWhole {
		t.Error("results that come to their end are not whole")
	}
}

// A benchmark is told by all tests that its name could mean. Commas and quotes in names mean nothing.
func TestCatchIsToldTheTest(t *testing.T) {
	args := catch2{}.Run(`a, "b"/c`, Amount{Seconds: 0.0051}).Args
	if args[0] != `"a\, \"b\"","a\, \"b\"/c"` {
		t.Errorf("tests %s", args[0])
	}
	if line := strings.Join(args, " "); !strings.HasSuffix(line, "--benchmark-warmup-time 6") {
		t.Error(line)
	}
	args = catch2{}.ListWithout([]string{"a", "b"}).Args
	if want := `[!benchmark]~"a"~"b",[benchmark]~"a"~"b",[bench]~"a"~"b"`; args[0] != want {
		t.Errorf("tests %s, want %s", args[0], want)
	}
}

func TestCatchTime(t *testing.T) {
	for _, test := range []struct {
		file, name, err string
		want            float64
	}{
		{"catch2_list.xml", "templ - std::vector<int>/t", "", 262e-9},
		{"catch2_v3.xml", "sections/b/s", "", 363e-9},
		{"catch2_list.xml", "sections/b", "has run without the benchmark", 0},
		{"catch2_fail.xml", "fails/f", `"fails/f" failed: REQUIRE 1 == 2 in b.cpp:25`, 0},
		{"catch2_throw.xml", "throws/th", "failed: Unknown exception", 0},
		{"catch2_v3_throw.xml", "throws/th", "failed: Unknown exception", 0},
		{"catch2_list.xml", "crash/cr", "failed: SIGABRT - Abort", 0},
		{"catch2_v3_none.xml", "gone/g", "has none of this name now", 0},
		{"catch2_nothing.xml", "a/b", "wrote no results", 0},
		{"google.list", "a/b", "no XML", 0},
	} {
		got, err := catch2{}.Time(Output{Results: "testdata/" + test.file}, test.name, Amount{})
		var own *Failure
		switch {
		case test.err == "" && (err != nil || got < test.want/2 || got > test.want*2):
			t.Errorf("%s: %v, %v", test.file, got, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.file, err, test.err)
		case errors.As(err, &own) != strings.Contains(test.err, "failed: "):
			t.Errorf("%s: whose failure is %v?", test.file, err)
		}
	}
}

// What fails in a section fails its benchmarks and no others; results may be torn anywhere.
func TestCatchOfFailuresAndTornResults(t *testing.T) {
	const bench = `<BenchmarkResults name="s"><mean value="2"/></BenchmarkResults>`
	for inner, want := range map[string]string{
		`<Section name="a">` + bench + `</Section>`:                                                  "",
		`<Section name="a">` + bench + `</Section><Section name="b"><Failure>no</Failure></Section>`: "",
		`<Section name="a">` + bench + `<Failure> no  file </Failure></Section>`:                     "failed: no file",
		`<Section name="a">` + bench + `</Section><Failure>later</Failure>`:                          "failed: later",
		`<Skip>no GPU</Skip>`:                                             `"t/a/s" is skipped: no GPU`,
		`<Section name="a">` + bench + bench + ` `:                        "several benchmarks have the name",
		`<Section name="a"><BenchmarkResults name="s`:                     "without the benchmark",
		`<Section name="a"><BenchmarkResults name="s"><mean valu`:         "end before the time",
		`<Section name="a"><BenchmarkResults name="s"><mean value="x"/>`:  "end before the time",
		`<Section name="a"><BenchmarkResults name="s"><mean value="-2"/>`: "no time",
		`</TestCase></Section><mean value="1"/>`:                          "without the benchmark",
	} {
		file := filepath.Join(t.TempDir(), "results")
		if err := os.WriteFile(file, []byte(`<?xml version="1.0"?><Catch><TestCase name="t">`+inner), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := catch2{}.Time(Output{Results: file}, "t/a/s", Amount{})
		switch {
		case want == "" && (err != nil || got != 2e-9):
			t.Errorf("%s: %v, %v", inner, got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", inner, err, want)
		}
	}
}
