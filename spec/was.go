package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

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
