package flow

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// arcPairs is an arc that takes so long in the base in each of twelve pairs, and longer in the
// case by one of two times in turn.
func arcPairs(from, to string, base, more, orMore float64) result.ArcPairs {
	a := result.ArcPairs{From: from, To: to}
	for i := range 12 {
		add := more
		if i%2 == 1 {
			add = orMore
		}
		a.Base, a.Case = append(a.Base, base), append(a.Case, base+add)
	}
	return a
}

// inPairs is a case with pairs of passes of these arcs and nothing else.
func inPairs(of ...result.ArcPairs) *result.Case {
	side := func() *result.Pegs {
		var all []result.Arc
		for _, a := range of {
			all = append(all, reporttest.OfKind(a.Kind, reporttest.ArcOf(a.From, a.To, 100, 1e-6)))
		}
		return reporttest.PassOf(3e-6, all...)
	}
	c := &result.Case{Kind: result.KindGo, Pegs: side(), BasePegs: side(), PegPairs: &result.PegPairs{Arcs: of}}
	for i := range 12 {
		base, own := 1e-6, 1e-6
		for _, a := range of {
			if a.Kind == result.ArcNext {
				base += a.Base[i]
				own += a.Case[i]
			}
		}
		c.PegPairs.Base, c.PegPairs.Case = append(c.PegPairs.Base, base), append(c.PegPairs.Case, own)
	}
	return c
}

const restsOnPairs = "(by 12 pairs of passes with pegs, each in new processes or setups; all intervals together are right in 95% of cases)"

// An arc that is shown to take longer is named, with its interval and its part of the
// difference. One that was longer in half of the pairs is not, however much.
func TestOnlyShownArcsAreNamed(t *testing.T) {
	c := inPairs(arcPairs("a", "b", 1e-6, 0.9e-6, 1.1e-6), arcPairs("b", "c", 2e-6, 3e-6, -3e-6))
	want := "arc a → b: +1.00 µs an iteration (+900 ns … +1.10 µs), 1.00 µs in the base; 100% of the difference\n" + restsOnPairs
	if got := strings.Join(Slower(c).Lines(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c = inPairs(arcPairs("a", "b", 0, 1e-6, 1e-6))
	if got := Slower(c).Arcs[0]; got != "arc a → b: +1.00 µs an iteration (+1.00 µs … +1.00 µs), new; 100% of the difference" {
		t.Error(got)
	}
}

// If no arc is shown to take longer, none is named.
func TestNoArcIsNamedWithoutAProof(t *testing.T) {
	c := inPairs(arcPairs("b", "c", 9e-6, 3e-6, -2e-6))
	if got := strings.Join(Slower(c).Lines(), "\n"); got != "no arc is shown to take longer: an iteration with pegs took 10.5 µs, in the base 10.0 µs (medians of 12 pairs of passes)" {
		t.Error(got)
	}
	c = inPairs(arcPairs("b", "c", 9e-6, -1e-6, -2e-6))
	if got := strings.Join(Slower(c).Lines(), "\n"); !strings.HasPrefix(got, "pegs do not show it: ") {
		t.Error(got)
	}
}

// A table of changes shows all arcs, and which of them are not shown to differ.
func TestChangesInPairs(t *testing.T) {
	c := inPairs(arcPairs("a", "b", 1e-6, 1e-6, 1e-6), arcPairs("b", "c", 2e-6, 3e-6, -3e-6))
	f := NewChanges(Pegged{"case", c}, "the base")
	var rows []string
	for _, r := range f.Rows {
		text := r.From + " " + r.To
		for _, cell := range r.Cells {
			text += "|" + cell.Number + cell.Text
		}
		rows = append(rows, text)
	}
	got := strings.Join(rows, "\n")
	for _, want := range []string{"a b|", "+100.0%", "+1.00 µs … +1.00 µs", "b c|", "not shown"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if f.About != "5.00 µs an iteration here, 4.00 µs in the base (medians of 12 pairs of passes)" {
		t.Error(f.About)
	}
}
