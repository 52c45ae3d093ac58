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

// AgainstSuffix ends the name of the second case that Compare adds if a case has a base of
// its own: the comparison with --against.
const AgainstSuffix = "@against"

// AgainstGate names the gate that --against adds to every case.
const AgainstGate = toleranceGate + AgainstSuffix

// Asked is the name that the case has in the suite file: without AgainstSuffix for a
// case that Compare added.
func (c *Case) Asked() string {
	if c.Counterpart == nil {
		return c.Name
	}
	return strings.TrimSuffix(c.Name, AgainstSuffix)
}

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
		beside := c
		if c.Base != "" && c.Counterpart.Compared() && p.Against.Kind != result.AgainstResult {
			c.Counterpart, c.Other = nil, nil
			cases = append(cases, c)
			beside.Name = c.Name + AgainstSuffix
			beside.Base = ""
			beside.Gates = nil
			if by := named[beside.Name]; by != nil {
				problems = append(problems, p.taken(&beside, by))
			}
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

// taken refuses the name of a case that Compare adds, because a case of the suite file has it.
func (p *Plan) taken(beside, by *Case) diag.Problem {
	return diag.Problem{Code: diag.Duplicate, Place: by.Place, Hint: "give it another name",
		Message: fmt.Sprintf("case %s has the name under which %s is compared with %s", diag.Quote(beside.Name), diag.Quote(beside.Asked()), p.Against.Asked)}
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

// CompareWith gives a case a side in another tree.
func (c *Case) CompareWith(other *Other) {
	c.Other = other
	c.shareTime()
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
func (p *Plan) gone(names []string, left map[string]bool, removed []Removed, a *result.Against) (problems diag.Problems) {
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
			problems = append(problems, diag.Problem{Code: diag.UnknownName, Place: r.Place, Message: fmt.Sprintf("removed case %s is no case of %s", diag.Quote(r.Name), a.Asked),
				Hint: nearRemoved(r.Name, a.Vanished)})
		}
	}
	return problems
}

// A name that no case ever had is probably misspelt.
func nearRemoved(name string, vanished []string) string {
	if near, ok := diag.Nearest(name, vanished); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "take it out of removed:"
}

// Removed is the name of a case that a suite no longer has, or the beginning of such names.
type Removed struct {
	Name  string     `json:"name"`
	Place diag.Place `json:"-"`
}

// covers reports whether name is the removed name or is below it, after a slash.
func (r *Removed) covers(name string) bool {
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
			r.FailAs(diag.Duplicate, item, "", "removed case %s comes twice", diag.Quote(name))
		default:
			s.removed = append(s.removed, Removed{name, item.Place()})
		}
	}
}

// was reads the earlier names of a case: one name, or a list.
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

// was fills in the earlier names of a case, which are completed as its name is.
func (p *planner) was(b *benchmark, c *Case, row []lang.Value) {
	for _, t := range b.wasNames {
		if text, err := t.Expand(p.scope); p.check(err) {
			c.Was, c.was = append(c.Was, p.named(t, c, row)), append(c.was, text)
		}
	}
}

// earlier refuses earlier names that leave open which case was which.
func (p *planner) earlier(plan *Plan) {
	claimed := map[string]string{}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		for j, name := range c.Was {
			_, there := p.names[name]
			by, twice := claimed[name]
			switch at := c.was[j]; {
			case name == c.Name:
				p.Add(at.Problem(0, fmt.Sprintf("%s is the name that the case has now, not an earlier one", diag.Quote(name)), "was: OLD NAME").Coded(diag.Invalid))
			case there:
				p.Add(at.Problem(0, fmt.Sprintf("%s is the name of another case, so it is not an earlier name of %s", diag.Quote(name), diag.Quote(c.Name)), "").Coded(diag.Invalid))
			case twice:
				p.Add(at.Problem(0, fmt.Sprintf("cases %s and %s cannot both have the earlier name %s", diag.Quote(by), diag.Quote(c.Name), diag.Quote(name)), "a new case needs no was:").Coded(diag.Invalid))
			}
			claimed[name] = c.Name
		}
	}
	p.stillThere(plan, claimed)
}

// stillThere refuses removed names that cases still have, now or as earlier names.
func (p *planner) stillThere(plan *Plan, claimed map[string]string) {
	for _, gone := range plan.Removed {
		_, there := p.names[gone.Name]
		by, renamed := claimed[gone.Name]
		switch {
		case there:
			p.fail(gone.Place, "take it out of removed:, or take the case out", "case %s is still there", diag.Quote(gone.Name))
		case renamed:
			p.failAs(diag.UnknownName, gone.Place, "take it out of removed:", "case %s is not gone: it is %s now", diag.Quote(gone.Name), diag.Quote(by))
		}
	}
}

// Other is a case of another plan that a case is paired with: the same case in another
// tree, or, for a sentinel, in the same tree.
type Other struct {
	Plan *Plan  `json:"-"`    // its host and its folders measure Case
	Name string `json:"name"` // used in reports: the tree as the user named it
	Case Case   `json:"case"`

	// Files are what both sides were found to read, each in its own tree: this tree's file and
	// the other tree's. They are placed anew in memory for each block of pairs.
	Files [][2]string `json:"-"`
}
