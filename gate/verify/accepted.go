package verify

import (
	"cmp"
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// accepted takes over whether a failure is accepted, which no sample says: people
// do. Only what fails can be, so that an acceptance of anything else is a finding.
func (c *checker) accepted(stored, again *result.Gate) {
	switch {
	case stored.Accepted == nil:
	case again.Verdict == result.Fail:
		again.Accepted = stored.Accepted
	default:
		c.differ(fmt.Sprintf("gate %q: accepted", stored.ID), "until "+stored.Accepted.Until, "nothing to accept, for the verdict is "+string(again.Verdict))
	}
}

// acceptances makes sure that gates and entries speak of the same failures, and
// says that they are taken on the word of the document.
func (c *checker) acceptances() {
	said := map[string]string{} // what an entry says of a gate
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
		c.report.Taken = append(c.report.Taken, fmt.Sprintf("what became of %s, for people accept and not samples", units.Plural(n, "acceptance")))
	}
}

func state(g *result.Gate) string {
	if g.Accepted.Expired {
		return string(result.AcceptanceExpired)
	}
	return string(result.AcceptanceUsed)
}
