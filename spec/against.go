package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// AgainstSuffix ends the name of a case that stands beside one with a base: its
// comparison with what --against names.
const AgainstSuffix = "@against"

// AgainstGate names the gate that every case has where --against is given.
const AgainstGate = ToleranceGate + AgainstSuffix

// Asked is the name of a case in the suite file: of one that Compare has set beside
// another it is that of the other.
func (c *Case) Asked() string {
	if c.Counterpart == nil {
		return c.Name
	}
	return strings.TrimSuffix(c.Name, AgainstSuffix)
}

// Compare adds what the comparison with Against takes, once each case has its
// counterpart and, where both are measured, its Other: the gate, and for cases
// with a base of their own a case beside them, since a case has one base. A saved
// result takes no case beside: what is compared with it are the case's own samples.
func (p *Plan) Compare() (problems diag.Problems) {
	cases := make([]Case, 0, len(p.Cases))
	for _, c := range p.Cases {
		beside := c
		if c.Base != "" && c.Counterpart.Compared() && p.Against.Kind != result.AgainstResult {
			c.Counterpart, c.Other = nil, nil
			cases = append(cases, c)
			beside.Name, beside.Base, beside.Gates = c.Name+AgainstSuffix, "", nil
			problems = append(problems, p.taken(&beside)...)
		}
		beside.Gates = slices.Clone(beside.Gates)
		if problem := beside.tolerate(AgainstGate, p.OnInconclusive); problem != nil {
			problems = append(problems, *problem)
		}
		cases = append(cases, beside)
	}
	p.Cases = cases
	return problems
}

// taken refuses a name that is that of a case of the suite file.
func (p *Plan) taken(beside *Case) (problems diag.Problems) {
	if i := slices.IndexFunc(p.Cases, func(c Case) bool { return c.Name == beside.Name }); i >= 0 {
		problems = append(problems, diag.Problem{Place: p.Cases[i].Place, Hint: "give it another name",
			Message: fmt.Sprintf("case %s has the name under which %s is compared with %s", diag.Quote(beside.Name), diag.Quote(beside.Asked()), p.Against.Asked)})
	}
	return problems
}

// Unpairable says why a case cannot be measured beside its counterpart in another
// tree, empty where it can.
func (p *Plan) Unpairable(c *Case) string {
	switch {
	case c.Kind == result.KindGo && p.Packages == nil:
		return "its function is part of suite itself, the same in both trees"
	case len(c.Services) > 0:
		return "it has a service, and those of two trees would want one port"
	case c.Settings.Sampling == once:
		return "sampling: once gives one pair, which shows nothing"
	case c.Settings.Keep == summary:
		return "samples: {keep: summary} keeps no pairs, and verdicts need them"
	}
	return ""
}

// Pair makes the case of another plan the base of a case, or says why it cannot
// be. was is its counterpart as of defines it, and there the same case as it is
// measured, in the plan Other; nil where that has none.
func (p *Plan) Pair(c *Case, was *Case, of *Plan, there *Case) {
	state := &result.Counterpart{State: result.CounterpartUnable}
	if c.Counterpart = state; was.Name != c.Name {
		state.Name = was.Name
	}
	if why := p.Unpairable(c); why != "" {
		state.Reason = why
		return
	}
	if there == nil {
		state.State, state.Reason = result.CounterpartNew, "there is no such benchmark in "+p.Against.Asked
		return
	}
	if part, now, then, differs := there.Differs(p.Other, was, of); differs {
		state.State, state.Reason = result.CounterpartChanged, changedReason(part, now, then, p.Against.Asked)
		return
	}
	state.State = result.CounterpartPaired
	base := *there
	base.Gates, base.Base = nil, ""
	c.Other = &Other{Plan: p.Other, Name: p.Against.Asked, Case: base}
}
