package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
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

// Match finds the counterparts of the cases of a plan in a base of which names
// has the cases and removed what it lists as removed itself. It gives, for each
// case in order, the name of its counterpart, empty where it has none. What is
// left of names is gone: what the suite lists as removed goes to a.Removed, all
// else to a.Vanished. A removed name that the base does not know either is a
// problem: it is misspelt.
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

// counterpart is the name of a case in a base, empty where it is new there. Its own
// name goes before earlier ones.
func (c *Case) counterpart(there map[string]bool) string {
	for _, name := range append([]string{c.Name}, c.Was...) {
		if there[name] {
			return name
		}
	}
	return ""
}

// gone sorts what no case is the counterpart of.
func (p *Plan) gone(names []string, left map[string]bool, removed []Removed, a *result.Against) (problems diag.Problems) {
	used := make([]bool, len(p.Removed))
	for _, name := range names {
		if !left[name] {
			continue
		}
		listed := slices.IndexFunc(p.Removed, func(r Removed) bool { return r.Covers(name) })
		if listed < 0 {
			a.Vanished = append(a.Vanished, name)
			continue
		}
		a.Removed, used[listed] = append(a.Removed, name), true
	}
	for i, r := range p.Removed {
		before := slices.ContainsFunc(removed, func(o Removed) bool { return o.Name == r.Name })
		if !used[i] && !before {
			problems = append(problems, diag.Problem{Place: r.Place, Message: fmt.Sprintf("removed case %s is no case of %s", diag.Quote(r.Name), a.Asked),
				Hint: nearRemoved(r.Name, a.Vanished)})
		}
	}
	return problems
}

// nearRemoved is the hint for a removed case that never was one.
func nearRemoved(name string, vanished []string) string {
	if near, ok := diag.Nearest(name, vanished); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "take it out of removed:"
}

// Removed is a case that a suite had once, or all those below it.
type Removed struct {
	Name  string     `json:"name"`
	Place diag.Place `json:"-"`
}

// Covers says whether a case is meant: by its name, or because it lies below it.
func (r *Removed) Covers(name string) bool {
	return name == r.Name || strings.HasPrefix(name, r.Name+"/")
}

// removed reads the names of cases that are gone.
func (r *reader) removed(s *Suite, n yaml.Node) {
	for _, item := range r.List(n, `"removed"`, "a list of names") {
		name, ok := r.Str(item, "the name of a case")
		switch {
		case !ok:
		case strings.TrimSpace(name) == "":
			r.Fail(item, "", "a removed case without a name")
		case slices.ContainsFunc(s.removed, func(other Removed) bool { return other.Name == name }):
			r.Fail(item, "", "removed case %s comes twice", diag.Quote(name))
		default:
			s.removed = append(s.removed, Removed{name, item.Place()})
		}
	}
}

// was reads the earlier names of a case: one, or a list.
func (r *benchReader) was(n yaml.Node) {
	r.b.wasNames = nil
	items := []yaml.Node{n}
	if n.Kind != yaml.Scalar {
		items = r.List(n, `"was"`, "a name or a list of names")
	}
	for _, item := range items {
		if item.Kind == yaml.Scalar && strings.TrimSpace(item.Value) == "" && !item.IsNull() {
			r.Fail(item, "", `"was" is empty`)
		} else if t := r.template(item, "an earlier name"); t != nil {
			r.b.wasNames = append(r.b.wasNames, t)
		}
	}
}

// was notes the earlier names of a case, which are made as its name is.
func (p *planner) was(b *benchmark, c *Case, row []lang.Value) {
	for _, t := range b.wasNames {
		if text, err := t.Expand(p.scope); p.check(err) {
			c.Was, c.was = append(c.Was, p.named(t, c, row)), append(c.was, text)
		}
	}
}

// earlier refuses earlier names that leave it open what a case was.
func (p *planner) earlier(plan *Plan) {
	claimed := map[string]string{}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		for j, name := range c.Was {
			_, there := p.names[name]
			by, twice := claimed[name]
			switch at := c.was[j]; {
			case name == c.Name:
				p.Add(at.Problem(0, fmt.Sprintf("case %s was never called otherwise: that is its name", diag.Quote(name)), "was: OLD NAME"))
			case there:
				p.Add(at.Problem(0, fmt.Sprintf("%s is still the name of a case, so %s cannot have been it", diag.Quote(name), diag.Quote(c.Name)), ""))
			case twice:
				p.Add(at.Problem(0, fmt.Sprintf("case %s and case %s cannot both have been %s", diag.Quote(by), diag.Quote(c.Name), diag.Quote(name)), "one that is new needs no was:"))
			}
			claimed[name] = c.Name
		}
	}
	p.stillThere(plan, claimed)
}

// stillThere refuses names of removed cases that are names of cases all the same.
func (p *planner) stillThere(plan *Plan, claimed map[string]string) {
	for _, gone := range plan.Removed {
		_, there := p.names[gone.Name]
		by, renamed := claimed[gone.Name]
		switch {
		case there:
			p.fail(gone.Place, "take it out of removed:, or take the case out", "case %s is still there", diag.Quote(gone.Name))
		case renamed:
			p.fail(gone.Place, "take it out of removed:", "case %s is not gone: %s was it", diag.Quote(gone.Name), diag.Quote(by))
		}
	}
}

// Other is a case of another plan that a case is paired with: the same case in
// another tree, or, of a sentinel, in this one.
type Other struct {
	Plan *Plan  `json:"-"`    // its host and its folders are those that measure Case
	Name string `json:"name"` // that reports give it: the tree as it was asked for
	Case Case   `json:"case"`
}
