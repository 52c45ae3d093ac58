package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/gate"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/sim"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// gatesOfSuite is the number of questions in a suite, which share its 1 % chance of a false alarm. Two gates
// ask each of them, as those of tolerance: and of expect may, and have one share together.
const gatesOfSuite = 10

// tossed makes suites of gates on identical code out of recorded slots.
type tossed struct {
	over         []slots // a gate is about one of them, chosen at random
	observations int     // blocks that a gate gets at most
	how          tossing
}

// suite draws one suite, judges it with the code that judges every run, and reports
// whether a gate is red.
//
// A run ends a case when its gates are decided, but here every gate gets all its blocks.
// The number of red gates is the same, because a verdict holds however many pairs follow.
// A verdict is only withdrawn if the whole interval ends on the other side. A run would
// have ended before that, so such a gate counts as red.
func (s *tossed) suite(rng *rand.Rand) (sim.Outcome, error) {
	cases, sources := make([]result.Case, gatesOfSuite), make([]gate.Source, 0, 2*gatesOfSuite)
	for i := range cases {
		over := &s.over[rng.IntN(len(s.over))]
		cases[i] = over.draw(rng, s.observations, s.how)
		cases[i].Suite = "coins"
		cases[i].Name = fmt.Sprint(i)
		for _, id := range []string{"tolerance", "again"} {
			sources = append(sources, gate.Source{Suite: "coins", Case: cases[i].Name, Kind: over.kind, ID: id, Base: "base", Severity: "fail",
				OnInconclusive: "list", Expr: lang.Text{Value: "not worse(time, 0%)"}})
		}
	}
	set, problems := gate.Compile(sources, nil)
	if err := problems.Err(); err != nil {
		return sim.Outcome{}, err
	}
	if n := set.Errors("coins").Calls; n != gatesOfSuite {
		return sim.Outcome{}, fmt.Errorf("%d calls share the errors of %d questions", n, gatesOfSuite)
	}
	set.Assess(nil).Judge(cases)
	if slices.ContainsFunc(cases, isRed) {
		return sim.Outcome{Side: stats.Above}, nil
	}
	return sim.Outcome{}, nil
}

func isRed(c result.Case) bool {
	return slices.ContainsFunc(c.Gates, func(g result.Gate) bool {
		return g.Verdict == result.Fail || strings.Contains(g.Reason, stats.ErrContradiction.Error())
	})
}

// red counts the red ones among so many suites.
func (s *tossed) red(suites int) (int, error) {
	tally, err := sim.Repeat(suites, 1, s.suite)
	return tally.Above, err
}

// The judge keeps the promised rate of red suites over simulated slots. The machine has
// typical noise, a setup makes code 2 % faster or slower in all its pairs, and the second
// slot is 1 % slower. If each pair counts as an observation, or the base is always first,
// the same slots are called changes.
func TestCoinsOverSlotsThatAreMadeUp(t *testing.T) {
	t.Parallel()
	over := []slots{madeUp(0.02)}
	for _, c := range []struct {
		how                 tossing
		suites, least, most int
	}{
		{byCoin, 200, 0, 8}, // 1 is expected; the chance of nine or more is 10⁻⁶
		{byPair, 20, 10, 20},
		{baseFirst, 20, 10, 20},
	} {
		red, err := (&tossed{over, 30, c.how}).red(c.suites)
		if err != nil || red < c.least || red > c.most {
			t.Errorf("tossing %d: %d of %d suites are red, want %d to %d: %v", c.how, red, c.suites, c.least, c.most, err)
		}
	}
}

// madeUp simulates functions in 400 setups. The speed of each setup is drawn with this
// standard deviation, a share of the time.
func madeUp(deviation float64) slots {
	rng := rand.New(rand.NewPCG(1, 2))
	machine := sim.SlotPenalty.Machine(rng)
	s := slots{kind: result.KindGo}
	for range 400 {
		speed := [2]float64{deviation * rng.NormFloat64(), deviation * rng.NormFloat64()}
		b := block{}
		for i := range 10 {
			first := rng.IntN(2)
			one, two := machine.Pair(speed[first], speed[1-first])
			b.first = append(b.first, first)
			for who := range b.times {
				b.times[who] = append(b.times[who], 0)
				b.disturbed[who] = append(b.disturbed[who], false)
			}
			b.times[first][i] = math.Exp(one.Log)
			b.times[1-first][i] = math.Exp(two.Log)
		}
		s.blocks = append(s.blocks, b)
	}
	return s
}
