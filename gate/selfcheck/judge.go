package selfcheck

import (
	"fmt"
	"slices"

	"example.com/suite/gate"
	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// setting is one way to judge the same pairs.
type setting struct {
	tolerance string
	calls     int  // that share the error
	baseFirst bool // as if the base had gone first in every pair
}

var (
	alone    = setting{"0%", 1, false}
	tolerant = setting{"3%", 1, false}
	shared   = setting{"0%", gates, false}
	fixed    = setting{"0%", 1, true}
)

// judge returns the comparison of each case's time, made by the code that judges every
// suite.
func (s setting) judge(plan *spec.Plan, cases []result.Case) ([]result.Comparison, error) {
	set, problems := gate.Compile(sources(plan, s.tolerance), nil)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	cases = slices.Clone(cases)
	if s.baseFirst {
		for i := range cases {
			cases[i] = inSlots(&cases[i])
		}
	}
	set.Share(plan.Suite, defaults.Family, s.calls).Assess(nil).Judge(cases)
	all := make([]result.Comparison, len(cases))
	for i := range cases {
		c := cases[i].Comparison("time")
		if c == nil {
			return nil, fmt.Errorf("case %q has pairs and no comparison", cases[i].Name)
		}
		all[i] = *c
	}
	return all, nil
}

// inSlots returns the case with the first batch of each pair as the base's and the
// second as its own. For A/A pairs that is what a fixed order would have measured: both
// sides are the same code, so only the labels change. The difference of the two setups
// goes to either side by the pair's coin, so only the difference of the slots remains.
func inSlots(c *result.Case) result.Case {
	out, pairs := *c, *c.Pairs
	own, base := c.Samples.Column("time"), c.Pairs.Samples.Column("time")
	first, second := slices.Clone(base), slices.Clone(own)
	for i, who := range pairs.First {
		if who == 1 {
			first[i], second[i] = own[i], base[i]
		}
	}
	out.Samples.Columns = map[string]result.Column{"time": second}
	pairs.Samples.Columns = map[string]result.Column{"time": first}
	out.Samples.Disturbed, pairs.Samples.Disturbed = swapped(pairs.First, c.Samples.Disturbed,
		c.Pairs.Samples.Disturbed)
	out.Pairs = &pairs
	return out
}

// swapped returns the marks of disturbed samples by slot: it swaps the sides in the
// pairs in which the case went first.
func swapped(first []int, own, base []result.Disturbed) (second, firsts []result.Disturbed) {
	for _, side := range []struct {
		marks []result.Disturbed
		first int // who went first if the marked sample came second
	}{{own, 0}, {base, 1}} {
		for _, m := range side.marks {
			if first[m.Index] == side.first {
				second = append(second, m)
			} else {
				firsts = append(firsts, m)
			}
		}
	}
	byIndex := func(a, b result.Disturbed) int { return a.Index - b.Index }
	slices.SortFunc(second, byIndex)
	slices.SortFunc(firsts, byIndex)
	return second, firsts
}
