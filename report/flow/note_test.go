package flow

import (
	"strings"
	"testing"

	"example.com/suite/internal/units"
	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

func notesOf(p *result.Pegs) string {
	var lines []string
	for _, l := range Of("x", &result.Case{Kind: result.KindGo, Pegs: p}, Options{}).Notes {
		lines = append(lines, l.String())
	}
	return strings.Join(lines, "\n")
}

// If shares add up to more than the pass, a note explains it, whether lanes have
// different names or share one.
func TestNotesOnLanes(t *testing.T) {
	const sum, more, longer = "counts for each", "more than 100%", "together longer than the pass: lanes of one name that run at the same time count each, and several stops"
	for name, c := range map[string]struct {
		pegs *result.Pegs
		want string
	}{
		"one lane":                    {reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 100, 1e-6), reporttest.ArcOf("b", "a", 100, 2e-6)), ""},
		"a reading apart":             {reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 100, 3.01e-6)), ""},
		"two names":                   {reporttest.PassOf(3e-6, reporttest.OnLane("p", reporttest.ArcOf("a", "b", 100, 1e-6)), reporttest.OnLane("q", reporttest.ArcOf("a", "b", 100, 1e-6))), more},
		"workers of one name":         {reporttest.PassOf(3e-6, reporttest.OnLane("p", reporttest.ArcOf("a", "b", 100, 2e-6)), reporttest.OnLane("p", reporttest.ArcOf("b", "c", 100, 2e-6))), longer},
		"spans of one name":           {reporttest.PassOf(3e-6, reporttest.OnLane("p", reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("", "s", 400, 2e-6)))), longer},
		"a directed arc over another": {reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 100, 2e-6), reporttest.OfKind(result.ArcDirected, reporttest.ArcOf("a", "c", 100, 3e-6))), ""},
		"a span in a span":            {reporttest.PassOf(3e-6, reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("", "s", 100, 2e-6)), reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("s", "s", 100, 2e-6))), ""},
	} {
		for _, note := range []string{more, longer} {
			if text := notesOf(c.pegs); strings.Contains(text, note) != (note == c.want) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
	alone := &result.Pegs{Iterations: 1, Arcs: []result.Arc{reporttest.OnLane("p", reporttest.ArcOf("a", "b", 1, 1)), reporttest.OnLane("q", reporttest.ArcOf("a", "b", 1, 1))}} // no pass, no shares
	if text := notesOf(alone); !strings.Contains(text, sum) || strings.Contains(text, more) {
		t.Error(text)
	}
}

// A span inside itself counts the same time at each depth, and a note explains that.
func TestNotesOnRecursion(t *testing.T) {
	p := reporttest.PassOf(3e-6, reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("", "expr", 100, 2e-6)), reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("expr", "term", 100, 1e-6)))
	if text := notesOf(p); strings.Contains(text, "depth") {
		t.Error(text)
	}
	p.Arcs = append(p.Arcs, reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("term", "expr", 100, 0.5e-6)))
	if text := notesOf(p); !strings.Contains(text, "their time at each depth: expr, term") {
		t.Error(text)
	}
}

// Numbers in sentences have commas although the table has none for so many digits.
func TestThousands(t *testing.T) {
	for text, want := range map[string]string{"": "", "run": "run", "999 runs": "999 runs", "3200 runs": "3200 runs", "41200 runs": "41,200 runs", "1234567": "1,234,567"} {
		if got := units.Thousands(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What is below resolution has a bound for its share, and no bound of a bound.
func TestShareBelowResolution(t *testing.T) {
	p := reporttest.PassOf(1e-6, reporttest.ArcOf("a", "b", 100, 0.5e-9), reporttest.ArcOf("b", "c", 1, 0.5e-9), reporttest.ArcOf("c", "d", 100, 0.5e-6))
	f := flow{pegs: p}
	for i, want := range []string{"≤ 0.1%", "<0.1%", "50.0%"} {
		if got := f.shareText(&p.Arcs[i]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The residue of hits after a pause is stated in addition, and bounds the arcs that have it.
func TestNoteOnTheColdResidue(t *testing.T) {
	p := reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 100, 100e-9), reporttest.ArcOf("b", "a", 100, 100e-9))
	p.Arcs[0].Residue = 500e-9
	if text := notesOf(p); !strings.Contains(text, "an arc with hits after a pause, or as long as one, may be off by 500 ns") {
		t.Error(text)
	}
	if text := ArcText(p, &p.Arcs[0]); !strings.Contains(text, "≤ 500 ns each") {
		t.Error(text)
	}
	if text := ArcText(p, &p.Arcs[1]); !strings.Contains(text, ": 100 ns each") {
		t.Error(text)
	}
}
