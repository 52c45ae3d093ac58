package flow

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

func slower(base, own *result.Pegs) string {
	return strings.Join(Slower(&result.Case{Kind: result.KindGo, Pegs: own, BasePegs: base}).Lines(), "\n")
}

// The arc that grew is named with its part of the difference, and on what that rests.
func TestSlower(t *testing.T) {
	base := reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 100, 1e-6), reporttest.ArcOf("b", "c", 100, 2e-6), reporttest.OfKind(result.ArcDirected, reporttest.ArcOf("a", "c", 100, 3e-6)))
	own := reporttest.PassOf(5e-6, reporttest.ArcOf("a", "b", 200, 1.4e-6), reporttest.ArcOf("b", "c", 100, 2.2e-6), reporttest.OfKind(result.ArcDirected, reporttest.ArcOf("a", "c", 100, 5e-6)))
	want := "arc a → b: 2.80 µs an iteration, in the base 1.00 µs, 2 times instead of 1; 90% of the difference\n" +
		"arc b → c: 2.20 µs an iteration, in the base 2.00 µs; 10% of the difference\n(one pass of each with pegs, not judged)"
	if got := slower(base, own); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Arcs that hardly grew are not named if another one did, and never more than three.
func TestSlowerArcsAreFew(t *testing.T) {
	base := reporttest.PassOf(5e-6, reporttest.ArcOf("a", "b", 100, 1e-6), reporttest.ArcOf("b", "c", 100, 1e-6))
	own := reporttest.PassOf(7e-6, reporttest.ArcOf("a", "b", 100, 2.9e-6), reporttest.ArcOf("b", "c", 100, 1.1e-6))
	if got := slower(base, own); strings.Contains(got, "b → c") || !strings.Contains(got, "a → b") {
		t.Error(got)
	}
	own.Arcs = nil
	for _, name := range []string{"p", "q", "r", "s", "t"} {
		own.Arcs = append(own.Arcs, reporttest.ArcOf(name, "z", 100, 0.4e-6))
	}
	if got := slower(base, own); strings.Count(got, "is new") != mostRisen {
		t.Error(got)
	}
}

// Directed arcs and spans contain others, and are named only if no arc inside them
// is.
func TestSlowerArcsThatHoldOthers(t *testing.T) {
	base, own := reporttest.PassOf(3e-6, reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("", "a", 100, 3e-6))), reporttest.PassOf(5e-6, reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("", "a", 100, 5e-6)))
	if got := slower(base, own); !strings.HasPrefix(got, "span a: 5.00 µs an iteration, in the base 3.00 µs; 100% of the difference\n") {
		t.Error(got)
	}
	base.Arcs, own.Arcs = []result.Arc{reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("b", "a", 100, 3e-6))}, []result.Arc{reporttest.OfKind(result.ArcSpan, reporttest.ArcOf("b", "a", 100, 3e-6)), reporttest.OfKind(result.ArcDirected, reporttest.ArcOf("x", "y", 100, 2e-6))}
	if got := slower(base, own); !strings.HasPrefix(got, "arc x → y (directed) is new: 2.00 µs an iteration; 100% of the difference\n") {
		t.Error(got)
	}
}

// If pegs do not show the change, the report states that, and names no arc.
func TestSlowerArcsShowNothing(t *testing.T) {
	base, own := reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 100, 1e-6)), reporttest.PassOf(2.9e-6, reporttest.ArcOf("a", "b", 100, 1.2e-6))
	if got := slower(base, own); got != "pegs do not show it: an iteration with pegs took 2.90 µs, in the base 3.00 µs (one pass of each, not judged)" {
		t.Error(got)
	}
	own = reporttest.PassOf(4e-6, reporttest.ArcOf("a", "b", 100, 1.0005e-6)) // within the residue
	if got := slower(base, own); got != "no arc took longer: an iteration with pegs took 4.00 µs, in the base 3.00 µs (one pass of each, not judged)" {
		t.Error(got)
	}
	if got := Slower(&result.Case{Pegs: own}).Lines(); got != nil {
		t.Error(got)
	}
}

// Workers that run at the same time may have grown by more than the pass: then no
// percentage is printed.
func TestSlowerArcsOfLanesAtOnce(t *testing.T) {
	base, own := reporttest.PassOf(3e-6, reporttest.ArcOf("a", "b", 400, 1e-6)), reporttest.PassOf(5e-6, reporttest.ArcOf("a", "b", 400, 3e-6))
	if got := slower(base, own); !strings.HasPrefix(got, "arc a → b: 12.0 µs an iteration, in the base 4.00 µs; more than all of the difference\n") {
		t.Error(got)
	}
}
