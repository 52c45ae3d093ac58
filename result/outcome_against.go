package result

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
)

// nothing is followed by the name of the other tree.
const nothing = "; nothing was compared with "

// against counts the compared cases by the verdict on their time, and the cases that
// could not be compared: "; against their bases 1 worse, 2 same"; "; against main 4
// same, 1 new, 1 removed". It is empty if nothing was to be compared.
func (d *Document) against() string {
	text := ""
	if parts := d.changes(func(c *Case) bool { return c.Pairs == nil || c.Pairs.Tree == "" }); len(parts) > 0 {
		text = "; against their bases " + strings.Join(parts, ", ")
	}
	missing := d.uncompared()
	for _, tree := range d.comparedTrees() {
		parts := strings.Join(d.comparedWith(tree), ", ")
		switch {
		case parts == "":
		case missing == nothing+tree: // then the counts are the reason
			missing += " (" + parts + ")"
		default:
			text += "; against " + tree + " " + parts
		}
	}
	return text + missing
}

// comparedTrees lists the trees and results that suites were compared with, each once.
func (d *Document) comparedTrees() (names []string) {
	for i := range d.Suites {
		if a := d.Suites[i].Against; a != nil && !slices.Contains(names, a.Asked) {
			names = append(names, a.Asked)
		}
	}
	return names
}

// comparedWith counts the cases of all suites that were compared with one tree or
// result.
func (d *Document) comparedWith(tree string) []string {
	is := func(c *Case) bool {
		s := d.Suite(c.Suite)
		return s != nil && s.Against != nil && s.Against.Asked == tree
	}
	parts := d.changes(func(c *Case) bool { return is(c) && c.Pairs != nil && c.Pairs.Tree != "" })
	states, removed := map[CounterpartState]int{}, 0
	for i := range d.Cases {
		if c := &d.Cases[i]; is(c) && c.Counterpart != nil {
			states[c.Counterpart.State]++
		}
	}
	for i := range d.Suites {
		if a := d.Suites[i].Against; a != nil && a.Asked == tree {
			removed += len(a.Removed)
		}
	}
	for _, s := range []CounterpartState{CounterpartUnpaired, CounterpartNew, CounterpartChanged} {
		parts = numbered(parts, states[s], string(s))
	}
	return numbered(numbered(parts, states[CounterpartUnable], "not comparable"), removed, "removed")
}

func (d *Document) changes(some func(c *Case) bool) (parts []string) {
	times := map[Change]int{}
	for i := range d.Cases {
		if o := d.Cases[i].MainComparison(); o != nil && some(&d.Cases[i]) {
			times[o.Change]++
		}
	}
	for _, c := range []Change{Worse, Better, Same, Unclear} {
		parts = numbered(parts, times[c], string(c))
	}
	return parts
}

func numbered(parts []string, n int, word string) []string {
	if n == 0 {
		return parts
	}
	return append(parts, fmt.Sprintf("%d %s", n, word))
}

// uncompared is a note if --against led to no comparison, in the whole run or in some
// of its suites: "; nothing was compared with main". It is empty if each suite that
// was to be compared has a compared case.
func (d *Document) uncompared() string {
	var without []string
	tree, all := "", true
	for i := range d.Suites {
		switch s := &d.Suites[i]; {
		case s.Against == nil || d.isCompared(s.Name):
			all = false
		default:
			tree, without = s.Against.Asked, append(without, s.Name)
		}
	}
	switch {
	case len(without) == 0:
		return ""
	case all:
		return nothing + tree
	}
	return fmt.Sprintf("; nothing of %s was compared with %s", strings.Join(without, ", "), tree)
}

// isCompared reports whether a case of the suite was compared with what --against named.
func (d *Document) isCompared(suite string) bool {
	return slices.ContainsFunc(d.Cases, func(c Case) bool {
		unpaired := c.Counterpart != nil && c.Counterpart.State == CounterpartUnpaired && c.Status == Measured
		return c.Suite == suite &&
			(unpaired || c.Counterpart.IsUnaffected() || c.Pairs != nil && c.Pairs.Tree != "" && len(c.Comparisons) > 0)
	})
}

// relaxed counts the gates that a run removed or relaxed: "; 2 gates of main removed or
// relaxed". It is empty if there are none.
func (d *Document) relaxed() (text string) {
	for i := range d.Suites {
		if a := d.Suites[i].Against; a != nil && len(a.Gates) > 0 {
			text += fmt.Sprintf("; %s of %s removed or relaxed", units.Plural(len(a.Gates), "gate"), a.Asked)
			if a.Gates[0].Accepted {
				text += ", which --accept-gates accepts"
			}
		}
	}
	return text
}
