package flat

import (
	"encoding/json"
	"example.com/suite/internal/history"
	"example.com/suite/result"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/flat/flattest"
	"github.com/google/go-cmp/cmp"
)

func ptr[T any](x T) *T { return &x }

func TestRows(t *testing.T) {
	runs := flattest.Runs(t)
	rows := Rows(runs[0])
	var kinds []string
	for _, r := range rows {
		kinds = append(kinds, r.Case+": "+r.Metric+r.Gate+" "+r.Verdict)
	}
	want := []string{"parse/1MiB: time worse", "parse/1MiB: allocs same", "parse/1MiB: frames ", "parse/1MiB: hit_rate ", "parse/1MiB: rss ",
		"parse/1MiB: tolerance@against fail", "parse/1MiB: time.median < 2ms pass", "print, 'all' of it: time ", "print, 'all' of it: slow accepted"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	first := Row{
		Run: runs[0].Digest, Started: time.Date(2026, 11, 1, 12, 0, 0, 250e6, time.UTC), Commit: strings.Repeat("1", 40),
		Committed: ptr(time.Date(2026, 10, 31, 8, 0, 0, 0, time.UTC)), Subject: `parse: read "quoted" names`, Tool: "suite", ToolVersion: "v0.3.0", GoVersion: "go1.26.8",
		Machine: "AMD EPYC 7B13, 2 CPUs, kvm, linux/amd64", OS: "linux", Arch: "amd64", CPU: "AMD EPYC 7B13", CPUs: 2,
		Suite: "parser", Case: "parse/1MiB", Params: map[string]string{"size": "1MiB"}, Metric: "time", Unit: "s", Per: "byte", Better: "lower",
		Value: ptr(1.25e-9), Low: ptr(1.2e-9), High: ptr(1.3e-9), N: 40, Against: strings.Repeat("a", 40), Ratio: ptr(1.3), RatioLow: ptr(1.26), RatioHigh: ptr(1.34), Verdict: "worse",
	}
	if diff := cmp.Diff(first, rows[0]); diff != "" {
		t.Error(diff)
	}
	if r := Rows(runs[2])[0]; r.Committed != nil || r.Commit != "" || r.Params == nil || r.Low != nil {
		t.Errorf("what is not known: %+v", r)
	}
}

// A column has one name in all stores, and its values are in the order of the names.
func TestColumns(t *testing.T) {
	columns := Columns()
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("parquet"), ","); name != columns[i] {
			t.Errorf("%s is %q in Parquet and %q elsewhere", f.Name, name, columns[i])
		}
	}
	r := Rows(flattest.Runs(t)[0])[0]
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var byName map[string]any
	if err := json.Unmarshal(text, &byName); err != nil {
		t.Fatal(err)
	}
	values := r.Values()
	if len(byName) != len(columns) || len(values) != len(columns) {
		t.Fatalf("%d keys, %d columns, %d values", len(byName), len(columns), len(values))
	}
	if i := slices.Index(columns, "case_name"); values[i] != "parse/1MiB" || byName["case_name"] != "parse/1MiB" {
		t.Errorf("case_name is %v and %v", values[i], byName["case_name"])
	}
}

// The ratio to a base of 0 is infinite in every store that has infinity.
func TestInfiniteRatio(t *testing.T) {
	run := &history.Run{Cases: []history.Case{{Name: "x", Against: history.BaseCase + "y", Metrics: []history.Metric{{Name: "allocs", Value: 1, Ratio: &history.Ratio{Call: result.Worse}}}}}}
	if row := Rows(run)[0]; row.Ratio == nil || !math.IsInf(*row.Ratio, 1) || row.Against != "base: y" || row.Verdict != "worse" {
		t.Errorf("%+v", row)
	}
}
