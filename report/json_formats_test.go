package report

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/suite/report/hyperfine"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

func readJSON[T any](t testing.TB, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// bencher is BMF as its schema has it.
type bencher map[string]map[string]struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value"`
	Upper *float64 `json:"upper_value"`
}

var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Every case that has a number is there, with a median between its bounds.
func TestBMFHasEveryCase(t *testing.T) {
	for name, doc := range recorded(t) {
		all := readJSON[bencher](t, render(t, "bmf", doc, table.Options{}))
		want := 0
		for i := range doc.Cases {
			if len(table.KnownMetrics(&doc.Cases[i])) > 0 {
				want++
			}
		}
		if len(all) != want {
			t.Errorf("%s: %d benchmarks, want %d", name, len(all), want)
		}
		for benchmark, measures := range all {
			for measure, m := range measures {
				if !slug.MatchString(measure) || len(measure) > 64 || utf8.RuneCountInString(benchmark) > 1024 {
					t.Errorf("%s: Bencher refuses %q of %q", name, measure, benchmark)
				}
				if m.Lower != nil && *m.Lower > m.Value || m.Upper != nil && *m.Upper < m.Value {
					t.Errorf("%s: %q: %s: %v", name, benchmark, measure, m)
				}
			}
		}
	}
	one := readJSON[bencher](t, render(t, "bmf", recorded(t)["one"], table.Options{}))
	if m := one["sha256/1KiB"]["latency"]; math.Abs(m.Value-1934.2) > 1e-9 || m.Lower == nil || m.Upper == nil {
		t.Errorf("latency in nanoseconds: %v", m)
	}
}

// A metric that a suite declares is not taken for the time, which Bencher calls latency,
// nor one of two that differ in capitals for the other.
func TestBMFMeasuresAreDistinct(t *testing.T) {
	taken := map[string]bool{}
	for _, want := range [][2]string{{"time", "latency"}, {"latency", "latency-2"}, {"p99_ns", "p99-ns"}, {"P99__ns_", "p99-ns-2"}} {
		if got := measureName(want[0], taken); got != want[1] || !slug.MatchString(got) {
			t.Errorf("%s is measure %q, want %q", want[0], got, want[1])
		}
	}
	if got := measureName(strings.Repeat("x", 100), taken); len(got) > mostMeasure {
		t.Errorf("%q is too long", got)
	}
}

// entry is one of github-action-benchmark.
type entry struct {
	Name, Unit, Range, Extra *string
	Value                    *float64
}

// Each direction is a file of its own, and operations per second are in one of them.
func TestCustomIsBetterSplitsDirections(t *testing.T) {
	doc := reporttest.Document("d")
	c := reporttest.Measure(doc, "x", 1e-6, 0.01)
	c.Metrics = append(c.Metrics, reporttest.Summary("throughput", "1/s", 1e6, 0.01))
	reporttest.Allocates(c, 3, 48)
	for format, want := range map[string][]string{
		"customSmallerIsBetter": {"x: time", "x: cpu", "x: allocs", "x: heap"}, "customBiggerIsBetter": {"x: throughput"},
	} {
		all := readJSON[[]entry](t, render(t, format, doc, table.Options{}))
		if len(all) != len(want) {
			t.Fatalf("%s: %d entries, want %q", format, len(all), want)
		}
		for i, e := range all {
			if e.Name == nil || *e.Name != want[i] || e.Unit == nil || e.Value == nil || e.Extra == nil {
				t.Errorf("%s: entry %d is not %q", format, i, want[i])
			}
		}
	}
	if first := readJSON[[]entry](t, render(t, "customSmallerIsBetter", doc, table.Options{}))[0]; *first.Value != 1000 || *first.Unit != "ns/op" {
		t.Errorf("time is %v %s", *first.Value, *first.Unit)
	}
}

// issue is one of Code Quality.
type issue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

var severe = regexp.MustCompile(`^(info|minor|major|critical|blocker)$`)

// Every issue has all fields that GitLab needs, and a fingerprint of its own that
// does not depend on numbers.
func TestGitLabFingerprintsStay(t *testing.T) {
	for name, doc := range recorded(t) {
		prints := map[string]bool{}
		for _, i := range readJSON[[]issue](t, render(t, "gitlab", doc, table.Options{})) {
			if i.Description == "" || i.CheckName == "" || !severe.MatchString(i.Severity) || i.Location.Path == "" || i.Location.Lines.Begin < 1 {
				t.Errorf("%s: %+v", name, i)
			}
			if prints[i.Fingerprint] {
				t.Errorf("%s: two issues have the fingerprint %s", name, i.Fingerprint)
			}
			prints[i.Fingerprint] = true
		}
	}
	doc := named2("a", "b")
	before := readJSON[[]issue](t, render(t, "gitlab", doc, table.Options{}))
	doc.Cases[0].Gates[0].Reason = "another number"
	after := readJSON[[]issue](t, render(t, "gitlab", doc, table.Options{}))
	if before[0].Fingerprint != after[0].Fingerprint || before[0].Description == after[0].Description || before[0].Fingerprint == before[1].Fingerprint {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// All fields for hyperfine's readers are present, and the statistics fit the times.
func TestHyperfineHasCommands(t *testing.T) {
	file := readJSON[hyperfine.File](t, render(t, "hyperfine", recorded(t)["killed"], table.Options{}))
	if len(file.Results) != 2 {
		t.Fatalf("%d results", len(file.Results))
	}
	r := file.Results[0]
	if len(r.Times) != 20 || len(r.ExitCodes) != 20 || r.User == nil || middle(r.Times) != r.Median || r.ExitCodes[2] != nil || r.ExitCodes[0] == nil || *r.ExitCodes[0] != 0 {
		t.Errorf("%+v", r)
	}
}

func FuzzJSONNames(f *testing.F) {
	fuzzNames(f, func(t *testing.T, doc *result.Document) {
		if all := readJSON[bencher](t, render(t, "bmf", doc, table.Options{})); len(all) != 2 {
			t.Errorf("%d benchmarks", len(all))
		}
		names := map[string]bool{}
		for _, e := range readJSON[[]entry](t, render(t, "customSmallerIsBetter", doc, table.Options{})) {
			names[*e.Name] = true
		}
		if len(names) != 4 { // time and cpu of each
			t.Errorf("names %v", names)
		}
		if all := readJSON[[]issue](t, render(t, "gitlab", doc, table.Options{})); len(all) != 2 || all[0].Fingerprint == all[1].Fingerprint {
			t.Errorf("%+v", all)
		}
		for i := range doc.Cases {
			reporttest.Command(&doc.Cases[i], 1, 1, "true")
		}
		for i, r := range readJSON[hyperfine.File](t, render(t, "hyperfine", doc, table.Options{})).Results {
			if r.Command != doc.Cases[i].Name {
				t.Errorf("got %q, want %q", r.Command, doc.Cases[i].Name)
			}
		}
	})
}
