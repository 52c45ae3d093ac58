package harness

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

func recorded(t *testing.T, file string) []byte {
	t.Helper()
	return testfile.Read(t, "testdata/"+file)
}

func TestGoogleListsNamesAsTheyAre(t *testing.T) {
	names, err := google{}.Names(Output{Text: recorded(t, "google.list")})
	want := []string{"BM_Sum/1000", "BM_Sum/8", "BM_T<int,4>/1", "BM_T<int,4>/8", "BM_Err", "BM_Crash", "BM_Manual/manual_time",
		"with space, and |odd| (name)/repeats:2"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
}

// The filter is an expression, and the name of a benchmark may have any character.
func TestGoogleFilterMatchesTheNameAlone(t *testing.T) {
	args := google{}.Run("T<int, 4>/(8)|x", Amount{Seconds: 0.005}).Args
	for _, want := range []string{`--benchmark_filter=^T<int, 4>/\(8\)\|x$`, "--benchmark_min_time=0.005"} {
		if !slices.Contains(args, want) {
			t.Errorf("%q lacks %q", args, want)
		}
	}
}

// The output of google-benchmark 1.7.1.
func TestGoogleTime(t *testing.T) {
	for _, test := range []struct {
		file, name, err string
		want            float64
	}{
		{"google_template.json", "BM_T<int,4>/8", "", 0.235e-9},
		{"google_manual.json", "BM_Manual/manual_time", "", 1e-3},
		{"google_repeats.json", "with space, and |odd| (name)/repeats:2", "", 4.4e-16}, // ms, the mean of two rows and of no aggregate
		{"google_template.json", "BM_T<int,4>/1", `no result of "BM_T<int,4>/1"`, 0},
		{"google_error.json", "BM_Err", `"BM_Err" failed: no input file`, 0},
		{"google_crash.json", "BM_Crash", "is torn", 0},
		{"google.list", "BM_Err", "printed no JSON", 0},
	} {
		got, err := google{}.Time(Output{Text: recorded(t, test.file)}, test.name, Amount{})
		var own *Failure
		switch {
		case test.err == "" && (err != nil || math.Abs(got/test.want-1) > 0.5):
			t.Errorf("%s: %v, %v", test.file, got, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %q", test.file, err, test.err)
		case errors.As(err, &own) != (test.file == "google_error.json"):
			t.Errorf("%s: whose failure is %v?", test.file, err)
		}
	}
}

func TestGoogleRefusesWhatItCannotTellApart(t *testing.T) {
	row := func(family, more string) string {
		return `{"name": "A", "run_name": "A", "run_type": "iteration", "family_index": ` + family + `, "iterations": 9, "real_time": 2, "time_unit": "us"` + more + `}`
	}
	for rows, want := range map[string]string{
		row("0", "") + "," + row("1", ""):                                      "several benchmarks have the name",
		row("0", `, "skipped": true, "skip_message": "no GPU"`):                `"A" is skipped: no GPU`,
		strings.ReplaceAll(row("0", ""), "us", "days"):                         `unknown unit "days"`,
		strings.ReplaceAll(row("0", ""), "9", "0"):                             "no time",
		strings.ReplaceAll(row("0", ""), "iteration\"", "aggregate\""):         "no result of",
		strings.ReplaceAll(row("0", ""), `"real_time": 2`, `"real_time": -2`):  "no time",
		strings.ReplaceAll(row("0", ""), `"real_time": 2`, `"real_time": "2"`): "torn",
	} {
		_, err := google{}.Time(Output{Text: []byte("noise before\n{\n\"benchmarks\": [" + rows + "]\n}\n")}, "A", Amount{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rows, err, want)
		}
	}
	if _, err := (google{}).Time(Output{}, "A", Amount{}); err == nil || !strings.Contains(err.Error(), "has none of this name now") {
		t.Error(err)
	}
}

func TestLines(t *testing.T) {
	if got := (lines{}).Run("a b", Amount{Iterations: 12}).Input; got != "run 12 a b\n" {
		t.Errorf("request %q", got)
	}
	names, err := lines{}.Names(Output{Text: []byte("hello\n{\"benchmarks\": [\"a b\", \"c\"]}\n")})
	if err != nil || !slices.Equal(names, []string{"a b", "c"}) {
		t.Errorf("%q, %v", names, err)
	}
	for out, want := range map[string]string{"": "printed nothing", "a\nb\n": "no line", "{\"name\": 3}": "no line"} {
		if _, err := (lines{}).Names(Output{Text: []byte(out)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", out, err, want)
		}
	}
}

func TestTimeOfALine(t *testing.T) {
	const good = `{"name": "a", "iterations": 4, "seconds": 0.002, "metrics": {"hits": 3}}`
	for out, want := range map[string]string{
		"warming up\n" + good + "\n":                                 "",
		`{"name": "b", "iterations": 1, "seconds": 1}` + "\n" + good: "",
		good + "\n" + good:                                           "answered 2 times for \"a\", and was asked once",
		"":                                                           "printed nothing on standard output",
		`{"name": "b", "iterations": 1, "seconds": 1}`:  `no result of "a"`,
		`{"name": "a", "iterations": 4}`:                "lacks iterations or seconds",
		`{"name": "a", "iterations": 0, "seconds": 1}`:  "no time",
		`{"name": "a", "iterations": 4, "seconds": -1}`: "no time",
		`{"name": "a", "error": "no input file"}`:       `"a" failed: no input file`,
		`{"name": "a", "skipped": "no GPU"}`:            `"a" is skipped: no GPU`,
		`{"name": "a", "iterations": 4, "seconds": 1`:   "no result",
	} {
		got, err := lines{}.Time(Output{Text: []byte(out)}, "a", Amount{})
		switch {
		case want == "" && (err != nil || got != 0.0005):
			t.Errorf("%q: %v, %v", out, got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", out, err, want)
		}
	}
}

func TestGoogleUnits(t *testing.T) {
	for unit, want := range map[string]float64{"ns": 2e-9, "us": 2e-6, "ms": 2e-3, "s": 2} {
		out := `{"name": "A", "run_name": "A", "run_type": "iteration", "iterations": 9, "real_time": 2, "time_unit": "` + unit + `"}`
		got, err := google{}.Time(Output{Text: []byte("{\n\"benchmarks\": [" + out + "]\n}\n")}, "A", Amount{})
		if err != nil || math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s: %v, %v", unit, got, err)
		}
	}
}

// A process is asked several times, and the last answer counts.
func TestWarmupOfLines(t *testing.T) {
	warm := Amount{Iterations: 2, Warmups: 2}
	if got := (lines{}).Run("a", warm).Input; got != "run 2 a\nrun 2 a\nrun 2 a\n" {
		t.Errorf("request %q", got)
	}
	answer := func(seconds string) string { return `{"name": "a", "iterations": 2, "seconds": ` + seconds + "}\n" }
	got, err := lines{}.Time(Output{Text: []byte(answer("9") + answer("5") + answer("3"))}, "a", warm)
	if err != nil || got != 1.5 {
		t.Errorf("%v, %v", got, err)
	}
	_, err = lines{}.Time(Output{Text: []byte(answer("9"))}, "a", warm)
	if err == nil || !strings.Contains(err.Error(), "answered once") {
		t.Error(err)
	}
}

// docs/harnesses.md has a row for each harness.
func TestPageHasTheTable(t *testing.T) {
	page := testfile.Read(t, "../../docs/harnesses.md")
	for _, r := range All() {
		row := fmt.Sprintf("| `%s` | %s | %s | %s |\n", r.Name, r.For, r.How, r.Versions)
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/harnesses.md lacks %s", row)
		}
	}
}
