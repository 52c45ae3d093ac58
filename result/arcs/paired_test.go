package arcs_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// inPairs is a case whose passes have these arcs, with the times of each in twelve pairs.
func inPairs(of ...result.ArcPairs) *result.Case {
	side := func() *result.Pegs {
		p := pegs(nil)
		p.Iterations, p.Seconds, p.Residue = 1, 1, 0.01
		for _, a := range of {
			p.Arcs = append(p.Arcs, ofKind(a.Kind, arc(a.From, a.To, 1)))
		}
		return p
	}
	c := &result.Case{Pegs: side(), BasePegs: side(), PegPairs: &result.PegPairs{Arcs: of}}
	for i := range 12 {
		base, own := 10.0, 10.0
		for _, a := range of {
			base += a.Base[i]
			own += a.Case[i]
		}
		c.PegPairs.Base, c.PegPairs.Case = append(c.PegPairs.Base, base), append(c.PegPairs.Case, own)
	}
	return c
}

// times are those of an arc in twelve pairs: the ith base has i, and the case has more by what
// is added, which is for the first six, and for the others.
func times(from, to string, first, others float64) result.ArcPairs {
	a := result.ArcPairs{From: from, To: to}
	for i := range 12 {
		more := first
		if i >= 6 {
			more = others
		}
		a.Base, a.Case = append(a.Base, float64(i)), append(a.Case, float64(i)+more)
	}
	return a
}

// Worked by hand: an arc that takes 2 or 3 s longer in each pair differs by 2.5 s. At twelve
// pairs and two arcs its interval is from the second to the eleventh difference, since the
// chance of two heads or fewer in twelve tosses, 79 of 4096, is more than a quarter of 5 %. An
// arc that is longer in half of the pairs is not shown to differ. The whole iteration is 3 s
// longer in the first six pairs and 2 s in the others.
func TestDifferences(t *testing.T) {
	all, whole := arcs.Differences(inPairs(times("a", "b", 2, 3), times("b", "c", 1, -1)))
	if len(all) != 2 || whole.Median != 2.5 || !whole.IsShown {
		t.Fatalf("%+v, whole %+v", all, whole)
	}
	grown, noisy := all[0], all[1]
	if grown.From != "a" || grown.Median != 2.5 || grown.Low != 2 || grown.High != 3 || !grown.IsShown || grown.Share != 1 || grown.Base != 5.5 {
		t.Errorf("%+v", grown)
	}
	if noisy.From != "b" || noisy.Median != 0 || noisy.IsShown || !noisy.IsBounded || noisy.Share != 0 {
		t.Errorf("%+v", noisy)
	}
}

// A difference that the cost of hits may explain is not shown, nor one of too few pairs.
func TestDifferencesThatAreNotShown(t *testing.T) {
	if all, _ := arcs.Differences(inPairs(times("a", "b", 0.009, 0.009))); all[0].IsShown || !all[0].IsBounded {
		t.Errorf("within the residue: %+v", all[0])
	}
	c := inPairs(times("a", "b", 2, 2))
	c.PegPairs.Base, c.PegPairs.Case = c.PegPairs.Base[:5], c.PegPairs.Case[:5]
	c.PegPairs.Arcs[0].Base, c.PegPairs.Arcs[0].Case = c.PegPairs.Arcs[0].Base[:5], c.PegPairs.Arcs[0].Case[:5]
	if all, _ := arcs.Differences(c); all[0].IsShown || all[0].IsBounded || all[0].Median != 2 {
		t.Errorf("five pairs: %+v", all[0])
	}
	if all, _ := arcs.Differences(&result.Case{Pegs: c.Pegs, BasePegs: c.BasePegs}); all != nil {
		t.Errorf("without pairs: %+v", all)
	}
}

// Of arcs that do not differ, any is called different in at most 5 % of cases, whatever the
// noise: here skewed, and with an effect of each pair that all arcs share.
func TestFewEqualArcsAreCalledDifferent(t *testing.T) {
	const trials, number = 2000, 20
	rng := rand.New(rand.NewPCG(5, 16))
	wrong := 0
	for range trials {
		var of []result.ArcPairs
		var common [12]float64
		for i := range common {
			common[i] = 0.1 * rng.NormFloat64()
		}
		for j := range number {
			a := result.ArcPairs{From: string(rune('a' + j)), To: "z"}
			for i := range common {
				a.Base = append(a.Base, math.Exp(rng.NormFloat64())+max(common[i], 0))
				a.Case = append(a.Case, math.Exp(rng.NormFloat64())+max(-common[i], 0))
			}
			of = append(of, a)
		}
		all, _ := arcs.Differences(inPairs(of...))
		for _, d := range all {
			if d.IsShown {
				wrong++
				break
			}
		}
	}
	if limit := trials*0.05 + 5*math.Sqrt(trials*0.05*0.95); float64(wrong) > limit {
		t.Errorf("%d of %d cases blame an arc that is the same, want at most %.0f", wrong, trials, limit)
	}
}

// The changes of a case with pairs are what the pairs show.
func TestChangesOfACaseWithPairs(t *testing.T) {
	c := inPairs(times("a", "b", 2, 3), times("b", "c", 1, -1))
	for _, change := range arcs.ChangesOf(c) {
		if change.IsUnshown != (change.From == "b") || change.From == "a" && (change.Difference != 2.5 || change.Base != 5.5) {
			t.Errorf("%+v", change)
		}
	}
	c.PegPairs = nil
	for _, change := range arcs.ChangesOf(c) {
		if change.IsUnshown || change.Difference != 0 {
			t.Errorf("%+v", change)
		}
	}
}
