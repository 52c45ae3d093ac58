package runner

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// If the sides of a case differ, there are twelve pairs of passes, in which an iteration takes
// as long as the clock shows: 2 µs and in the base 1 µs. If they do not, there is none. Arcs have
// a clock of their own, whose steps may be longer than an arc, so their times may be 0.
func TestPassesInPairs(t *testing.T) {
	t.Parallel()
	again := func(c *spec.Case) { c.Name = "pegs/again" }
	// Passes are taken for max_time by the clock of the controller, which no test has replaced.
	unhurried := func(c *spec.Case) { c.Settings.MaxTime = spec.Duration(time.Hour) }
	got := runCases(t, context.Background(), "fake", function("pegs/1us", pegged()), function("pegs/2us", pegged(), basedOn("pegs/1us"), unhurried),
		function("pegs/1us", again, pegged(), basedOn("pegs/1us")))
	p := got[1].PegPairs
	if got[0].PegPairs != nil || p == nil || len(p.Base) != pegPairs || len(p.Case) != pegPairs {
		t.Fatalf("pairs %+v, without a base %+v, warnings %+v", p, got[0].PegPairs, got[1].Warnings)
	}
	for i := range p.Base {
		if math.Abs(p.Base[i]-1e-6) > 0.1e-6 || math.Abs(p.Case[i]-2e-6) > 0.1e-6 {
			t.Errorf("pair %d: an iteration takes %g, of the base %g", i, p.Case[i], p.Base[i])
		}
	}
	for _, ends := range [][2]string{{"in", "out"}, {"out", "in"}} {
		at := slices.IndexFunc(p.Arcs, func(a result.ArcPairs) bool { return a.From == ends[0] && a.To == ends[1] && a.Kind == result.ArcNext })
		if at < 0 || len(p.Arcs[at].Base) != pegPairs || len(p.Arcs[at].Case) != pegPairs {
			t.Errorf("%v: arcs %+v", ends, p.Arcs)
		}
	}
	if got[2].PegPairs != nil || got[2].BasePegs == nil {
		t.Errorf("the same code has %+v", got[2].PegPairs)
	}
}

// What a pair keeps is the median of its passes: one in which another process had the CPU
// changes nothing, and an arc that most passes do not take has no time.
func TestAPairIsTheMedianOfItsPasses(t *testing.T) {
	pass := func(ab, bc float64) *result.Pegs {
		p := &result.Pegs{Iterations: 2, Seconds: 2 * (ab + bc), Arcs: []result.Arc{{From: "a", To: "b", Count: 2, Sum: 2 * ab}}}
		if bc > 0 {
			p.Arcs = append(p.Arcs, result.Arc{From: "b", To: "c", Count: 1, Sum: 2 * bc})
		}
		return p
	}
	r := &pegRows{}
	r.add([]*result.Pegs{pass(1, 0), pass(100, 0), pass(2, 5)}, []*result.Pegs{pass(3, 1), pass(3, 1), pass(900, 0)})
	p := r.pairs()
	if len(p.Arcs) != 2 || p.Arcs[0].Base[0] != 2 || p.Arcs[0].Case[0] != 3 || p.Arcs[1].Base[0] != 0 || p.Arcs[1].Case[0] != 1 {
		t.Errorf("%+v", p.Arcs)
	}
	if p.Base[0] != 7 || p.Case[0] != 4 {
		t.Errorf("an iteration takes %v and %v", p.Base, p.Case)
	}
}
