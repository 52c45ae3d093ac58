package spec

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

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
