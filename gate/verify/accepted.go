package verify

import (
	"cmp"
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// accepted copies the acceptance of a failure to the recomputed gate, because acceptances do
// not follow from samples. Only failures can be accepted, so an acceptance of any other gate is
// a finding.
func (c *checker) accepted(stored, again *result.Gate) {
	switch {
	case stored.Accepted == nil:
	case again.Verdict == result.Fail:
		again.Accepted = stored.Accepted
	default:
		c.differ(fmt.Sprintf("gate %q: accepted", stored.ID), "until "+stored.Accepted.Until,
			"nothing to accept, for the verdict is "+string(again.Verdict))
	}
}

// acceptances compares the accepted gates with the list of acceptances, and notes that
// the list itself is not checked.
func (c *checker) acceptances() {
	said := map[string]string{} // state and last day of a gate's entry
	for i := range c.doc.Acceptances {
		a := &c.doc.Acceptances[i]
		said[fmt.Sprintf("%q", []string{a.Suite, a.Case, a.Gate})] = string(a.State) + " until " + a.Until
	}
	for i := range c.doc.Cases {
		k := &c.doc.Cases[i]
		c.label = c.doc.Label(k)
		for j := range k.Gates {
			if g := &k.Gates[j]; g.Accepted != nil {
				c.differ(fmt.Sprintf("gate %q: accepted", g.ID), state(g)+" until "+g.Accepted.Until,
					cmp.Or(said[fmt.Sprintf("%q", []string{k.Suite, k.Name, g.ID})], "no acceptance"))
			}
		}
	}
	if n := len(c.doc.Acceptances); n > 0 {
		c.report.Taken = append(c.report.Taken,
			fmt.Sprintf("what became of %s, for people accept and not samples", units.Plural(n, "acceptance")))
	}
}

func state(g *result.Gate) string {
	if g.Accepted.Expired {
		return string(result.AcceptanceExpired)
	}
	return string(result.AcceptanceUsed)
}
