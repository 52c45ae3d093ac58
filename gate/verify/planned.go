package verify

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// planned compares the planned cases and gates with those in the document. If somebody
// removes a case or a gate, or makes a gate milder, all other verdicts stay right and
// only the outcome is wrong. A document without a plan is a finding too.
func (c *checker) planned() {
	c.label = ""
	for i := range c.doc.Suites {
		s := &c.doc.Suites[i]
		what, is := fmt.Sprintf("suite %q: ", s.Name), result.PlannedOf(c.doc.Cases, s.Name)
		if s.Planned == nil && c.doc.IsPartial() && !c.doc.IsShard() {
			c.report.Taken = append(c.report.Taken, "which gates the missing shards would have judged")
			continue
		}
		if s.Planned == nil {
			c.differ(what+"the plan", "nothing",
				fmt.Sprintf("%s and %s, or more", units.Plural(is.Cases, "case"), units.Plural(is.Gates, "gate")))
			continue
		}
		c.differ(what+"cases", units.Plural(s.Planned.Cases, "case")+" planned",
			units.Plural(is.Cases, "case")+" planned")
		c.differ(what+"gates", units.Plural(s.Planned.Gates, "gate")+" planned",
			units.Plural(is.Gates, "gate")+" planned")
		if s.Planned.Cases == is.Cases && s.Planned.Gates == is.Gates {
			c.differ(what+"the conditions of its gates", s.Planned.Digest, is.Digest)
		}
	}
}

// vanished compares the cases that exist only in the other tree with the list of them.
func (c *checker) vanished() {
	there := map[string]bool{}
	for i := range c.doc.Cases {
		if k := &c.doc.Cases[i]; k.IsVanished() {
			there[fmt.Sprintf("%q %q", k.Suite, k.Name)] = true
		}
	}
	c.label = ""
	for i := range c.doc.Suites {
		s := &c.doc.Suites[i]
		if s.Against == nil {
			continue
		}
		for _, name := range s.Against.Vanished {
			if !there[fmt.Sprintf("%q %q", s.Name, name)] {
				c.differ(fmt.Sprintf("suite %q: case %q", s.Name, name), "vanished", "not there")
			}
		}
	}
}

// counterparts checks that the states of counterparts fit the pairs. If a case is marked as new
// although it has pairs with the other tree, its gates would be skipped.
func (c *checker) counterparts() {
	for i := range c.doc.Cases {
		k := &c.doc.Cases[i]
		s := c.doc.Suite(k.Suite)
		c.label = c.doc.Label(k)
		tree := k.Pairs != nil && k.Pairs.Tree != ""
		paired := k.Counterpart != nil && k.Counterpart.State == result.CounterpartPaired
		switch {
		case s == nil || s.Against == nil || k.IsVanished():
		case k.Counterpart == nil && tree:
			c.differ("counterpart", "none", "pairs with "+k.Pairs.Tree)
		case k.Counterpart == nil && k.Pairs == nil:
			c.differ("counterpart", "none", "one, for its suite was compared with "+s.Against.Asked)
		case k.Counterpart != nil && tree && !paired:
			c.differ("counterpart", string(k.Counterpart.State), "pairs with "+k.Pairs.Tree)
		case paired && k.Status == result.Measured && k.Pairs == nil:
			c.differ("counterpart", "paired", "no pairs")
		}
	}
}
