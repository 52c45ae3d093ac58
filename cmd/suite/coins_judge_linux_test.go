package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"example.com/suite/gate"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/sim"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// gatesOfSuite share the 1 % that a suite may be false.
const gatesOfSuite = 10

// tossed are suites of gates on identical code, over slots that were recorded.
type tossed struct {
	over   []slots // each gate is over one of them
	pieces int     // of evidence that a gate takes, if nothing decides before
	how    tossing
}

// suite judges one suite by what judges every suite, and says whether it is red.
//
// A run ends a case when its gates are decided, and here all pieces are there. That
// comes to the same: what was shown stays shown, however many pairs follow. Only
// where the whole interval lies on the other side in the end is it taken back, which a
// run would not have lived to see; such a gate counts as red, whichever way it was.
func (s *tossed) suite(rng *rand.Rand) (sim.Outcome, error) {
	cases, sources := make([]result.Case, gatesOfSuite), make([]gate.Source, gatesOfSuite)
	for i := range cases {
		over := &s.over[rng.IntN(len(s.over))]
		cases[i] = over.draw(rng, s.pieces, s.how)
		cases[i].Suite, cases[i].Name = "coins", fmt.Sprint(i)
		sources[i] = gate.Source{Suite: "coins", Case: cases[i].Name, Kind: over.kind, ID: "gate", Base: "base", Severity: "fail",
			OnInconclusive: "list", Expr: lang.Text{Value: "not worse(time, 0%)"}}
	}
	set, problems := gate.Compile(sources, nil)
	if err := problems.Err(); err != nil {
		return sim.Outcome{}, err
	}
	set.Judge(cases)
	if slices.ContainsFunc(cases, isRed) {
		return sim.Outcome{Side: stats.Above}, nil
	}
	return sim.Outcome{}, nil
}

func isRed(c result.Case) bool {
	return c.Gates[0].Verdict == result.Fail || strings.Contains(c.Gates[0].Reason, stats.ErrContradiction.Error())
}

// red counts suites that are red.
func (s *tossed) red(suites int) (int, error) {
	tally, err := sim.Repeat(suites, 1, s.suite)
	return tally.Above, err
}
