package verify

import (
	"fmt"
	"reflect"
	"slices"

	"example.com/suite/gate"
)

// sentinels checks the coins of the sentinels, and judges again whether the machine is fit. It
// keeps the suites with the outcome in c.suites, and returns the gates with it.
func (c *checker) sentinels(set *gate.Compiled, words bool) *gate.Assessed {
	suites := slices.Clone(c.doc.Suites)
	for i := range suites {
		if n := suites[i].Sentinel; n != nil {
			copied := *n
			suites[i].Sentinel = &copied
			c.label = fmt.Sprintf("sentinel of %s", suites[i].Name)
			c.summaries(&copied.Case)
			c.counts(&copied.Case)
			if copied.Case.Pairs != nil {
				c.pairs(&copied.Case)
			}
		}
	}
	assessed := set.Assess(suites)
	for i := range suites {
		stored, again := c.doc.Suites[i].Sentinel, suites[i].Sentinel
		if stored == nil {
			continue
		}
		c.label = fmt.Sprintf("sentinel of %s", suites[i].Name)
		c.comparisons(stored.Case.Comparisons, again.Case.Comparisons, words)
		c.fields("", reflect.ValueOf(*stored), reflect.ValueOf(*again), append(unless(words, "unfit"), "case")...)
		if (stored.Unfit == "") != (again.Unfit == "") && !words {
			c.differ("unfit", fmt.Sprint(stored.Unfit != ""), fmt.Sprint(again.Unfit != ""))
		}
	}
	c.suites = suites
	return assessed
}
