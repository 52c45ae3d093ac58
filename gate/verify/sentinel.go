package verify

import (
	"fmt"
	"reflect"
	"slices"

	"example.com/suite/gate"
	"example.com/suite/result"
)

// sentinels checks the coins of the sentinels, and judges again whether the machine is fit. It
// keeps the suites with the outcome in c.suites, and returns the gates with it.
func (c *checker) sentinels(set *gate.Compiled, words bool) *gate.Assessed {
	suites := slices.Clone(c.doc.Suites)
	for i := range suites {
		suites[i].EditSentinels(func(n *result.Sentinel) {
			c.label = label(&suites[i], n)
			c.summaries(&n.Case)
			c.baseSummaries(&n.Case)
			c.counts(&n.Case)
			if n.Case.Pairs != nil {
				c.pairs(&n.Case, n.Shard)
			}
		})
	}
	assessed := set.Assess(suites)
	for i := range suites {
		for k, stored := range c.doc.Suites[i].AllSentinels() {
			again := suites[i].AllSentinels()[k]
			c.label = label(&suites[i], again)
			c.comparisons(stored.Case.Comparisons, again.Case.Comparisons, words)
			c.fields("", reflect.ValueOf(*stored), reflect.ValueOf(*again), append(unless(words, "unfit"), "case")...)
			if (stored.Unfit == "") != (again.Unfit == "") && !words {
				c.differ("unfit", fmt.Sprint(stored.Unfit != ""), fmt.Sprint(again.Unfit != ""))
			}
		}
	}
	c.suites = suites
	return assessed
}

// label is the name of a sentinel in findings.
func label(s *result.Suite, n *result.Sentinel) string {
	text := "sentinel of " + s.Name
	if n.Shard > 0 {
		text += fmt.Sprintf(", shard %d", n.Shard)
	}
	return text
}
