package flow

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// A case of many arcs shows the longest of them, in their order, and counts the others.
func TestFlowFolds(t *testing.T) {
	doc := reporttest.Flowing()
	f := Of("odd", &doc.Cases[3], Options{})
	whole := f.Rows
	f.Fold(12)
	if len(f.Rows) != 12 || f.Folded != "27 arcs more, 6.7% of the pass" {
		t.Fatalf("%d rows, %q", len(f.Rows), f.Folded)
	}
	at := 0
	for _, kept := range f.Rows {
		for at < len(whole) && (whole[at].From != kept.From || whole[at].To != kept.To) {
			at++
		}
	}
	if at >= len(whole) {
		t.Error("the order has changed")
	}
}

// A time of which hits may hide a part is a range. Long times, of which it is less than a
// hundredth, are not.
func TestFlowShowsRanges(t *testing.T) {
	p := reporttest.PassOf(2e-6, reporttest.ArcOf("a", "b", 100, 24.6e-9), reporttest.ArcOf("b", "c", 100, 0.5e-9), reporttest.ArcOf("c", "a", 100, 1.9e-6))
	p.Overlap = 9.9e-9
	f := Of("x", &result.Case{Kind: result.KindGo, Pegs: p}, Options{})
	cells := map[string][3]string{}
	for j, column := range f.Columns {
		var of [3]string
		for i := range f.Rows {
			c := f.Rows[i].Cells[j]
			of[i] = strings.TrimSpace(c.From + " " + c.Number + " " + c.Unit)
		}
		cells[column.Head] = of
	}
	for head, want := range map[string][3]string{
		"mean":  {"24.6 34.5 ns", "≤ 10.4 ns", "1.90 µs"},
		"min":   {"19.7 29.6 ns", "≤ 10.3 ns", "1.52 µs"},
		"total": {"2.46 3.45 µs", "≤ 1.04 µs", "190 µs"},
		"share": {"1.2% 1.7%", "≤ 0.5%", "95.0%"},
	} {
		if cells[head] != want {
			t.Errorf("%s: %q, want %q", head, cells[head], want)
		}
	}
	if text := notesOf(p); !strings.Contains(text, "a range: the program may have worked during its hits") {
		t.Error(text)
	}
	if text := ArcText(p, &p.Arcs[0]); !strings.Contains(text, "24.6 ns to 34.5 ns each") {
		t.Error(text)
	}
	p.Overlap = 0
	if text := notesOf(p); strings.Contains(text, "a range") {
		t.Error(text)
	}
}
