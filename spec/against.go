package spec

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Compare adds what a comparison with Against needs: a gate for every case, and a second
// case for each case with a base of its own, because a case has one base. A saved result
// needs no second case: it is compared with the case's own samples.
// Call Compare when each case has its Counterpart and, if both sides are measured, its
// Other.
func (p *Plan) Compare() (problems diag.Problems) {
	cases := make([]Case, 0, len(p.Cases))
	named := make(map[string]*Case, len(p.Cases))
	for i := range p.Cases {
		named[p.Cases[i].Name] = &p.Cases[i]
	}
	for _, c := range p.Cases {
		compared := c
		if c.Base != "" && c.Counterpart.Compared() && p.Against.Kind != result.AgainstResult {
			c.Counterpart, c.Other = nil, nil
			cases = append(cases, c)
			compared.Name = c.Name + AgainstSuffix
			compared.Base = ""
			compared.Gates = nil
			if by := named[compared.Name]; by != nil {
				problems = append(problems, p.taken(&compared, by))
			}
		}
		compared.Gates = slices.Clone(compared.Gates)
		if problem := compared.tolerate(AgainstGate, p.OnInconclusive); problem != nil {
			problems = append(problems, *problem)
		}
		cases = append(cases, compared)
	}
	p.Cases = cases
	return problems
}

// taken refuses the name of a case that Compare adds, because a case of the suite file has it.
func (p *Plan) taken(compared, by *Case) diag.Problem {
	return diag.Problem{Code: diag.Duplicate, Place: by.Place, Hint: "give it another name",
		Message: fmt.Sprintf("case %s has the name under which %s is compared with %s",
			diag.Quote(compared.Name), diag.Quote(compared.NameInFile()), p.Against.Asked)}
}

// unpairable explains why a case cannot be paired with its counterpart in another tree.
// It is "" if the case can be paired.
func (p *Plan) unpairable(c *Case) string {
	switch {
	case c.Kind == result.KindGo && p.Packages == nil:
		return "its function is part of suite itself, the same in both trees"
	case len(c.Services) > 0:
		return "it has a service, and the services of two trees would need the same port"
	case c.Settings.Sampling == once:
		return "with sampling: once there is one pair, which proves nothing"
	case c.Settings.Keep == summary:
		return "samples: {keep: summary} keeps no pairs, and verdicts need them"
	}
	return ""
}

// Pair makes the case of another tree the base of a case, or records why it cannot be. was
// is the case's counterpart in the plan of, which defines it there; there is the same case
// in the plan Other, which measures it, or nil if Other has no such case.
func (p *Plan) Pair(c *Case, was *Case, of *Plan, there *Case) {
	state := &result.Counterpart{State: result.CounterpartUnable}
	c.Counterpart = state
	if was.Name != c.Name {
		state.Name = was.Name
	}
	if why := p.unpairable(c); why != "" {
		state.Reason = why
		return
	}
	if there == nil {
		state.State, state.Reason = result.CounterpartNew, "there is no such benchmark in "+p.Against.Asked
		return
	}
	if part, now, then, differs := there.differs(p.Other, was, of); differs {
		state.State, state.Reason = result.CounterpartChanged, changedReason(part, now, then, p.Against.Asked)
		return
	}
	state.State = result.CounterpartPaired
	base := *there
	base.Gates, base.Base = nil, ""
	c.CompareWith(&Other{Plan: p.Other, Name: p.Against.Asked, Case: base})
}

// Match finds the counterparts of the plan's cases in a base. names are the cases of the
// base, and removed is what the base's own suite file lists as removed. Match returns the
// name of the counterpart of each case, in order, or "" for a new case.
// Names without a case are gone. Match adds those that the suite lists as removed to
// a.Removed, and all others to a.Vanished. A removed name that the base does not know
// either is a problem, because it must be misspelt.
func (p *Plan) Match(names []string, removed []Removed, a *result.Against) (found []string, problems diag.Problems) {
	left := make(map[string]bool, len(names))
	for _, name := range names {
		left[name] = true
	}
	for i := range p.Cases {
		found = append(found, p.Cases[i].counterpart(left))
	}
	for _, name := range found {
		delete(left, name)
	}
	return found, append(problems, p.gone(names, left, removed, a)...)
}

// counterpart finds the name of the case in a base, "" if the case is new there. The
// case's own name goes before its earlier names.
func (c *Case) counterpart(there map[string]bool) string {
	for _, name := range append([]string{c.Name}, c.Was...) {
		if there[name] {
			return name
		}
	}
	return ""
}

// gone sorts the names that have no case.
func (p *Plan) gone(
	names []string, left map[string]bool, removed []Removed, a *result.Against,
) (problems diag.Problems) {
	used := make([]bool, len(p.Removed))
	for _, name := range names {
		if !left[name] {
			continue
		}
		listed := slices.IndexFunc(p.Removed, func(r Removed) bool { return r.covers(name) })
		if listed < 0 {
			a.Vanished = append(a.Vanished, name)
			continue
		}
		a.Removed, used[listed] = append(a.Removed, name), true
	}
	for i, r := range p.Removed {
		before := slices.ContainsFunc(removed, func(o Removed) bool { return o.Name == r.Name })
		if !used[i] && !before {
			problems = append(problems, diag.Problem{
				Code:    diag.UnknownName,
				Place:   r.Place,
				Message: fmt.Sprintf("removed case %s is no case of %s", diag.Quote(r.Name), a.Asked),
				Hint:    nearRemoved(r.Name, a.Vanished),
			})
		}
	}
	return problems
}

// GoneHint is what to do about a case that a base has and the plan lacks. The earlier name of a benchmark in the suite
// file is the beginning of the names of its cases, and the functions of a test binary have no earlier names.
func (p *Plan) GoneHint(name string) string {
	for i := range p.Gone {
		if p.Gone[i].Name == name && p.Gone[i].Kind == result.KindGoTest {
			return fmt.Sprintf("list it: removed: [%s]; if it has another name now, that is a new case",
				diag.Quote(name))
		}
	}
	return "list it under removed:, or set was: in the benchmark that replaces it"
}

// A name that no case ever had is probably misspelt.
func nearRemoved(name string, vanished []string) string {
	if near, ok := diag.Nearest(name, vanished); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "take it out of removed:"
}
