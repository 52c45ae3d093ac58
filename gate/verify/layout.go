package verify

import (
	"fmt"
	"strings"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
)

// layouts draws the layouts of a case again and compares them. A document with other layouts would
// have more observations than were measured, and could decide more than it may.
func (c *checker) layouts(k *result.Case, seed draw.Seed) {
	last, draw := -1, -1
	for i, l := range k.Pairs.Layouts {
		what := fmt.Sprintf("layout %d", i+1)
		if l.Launch <= last || l.Launch >= k.Launches || l.Draw <= draw {
			c.differ(what, fmt.Sprintf("draw %d, from launch %d on", l.Draw, l.Launch+1),
				"one after the layout before it")
			return
		}
		last, draw = l.Launch, l.Draw
		own := seed.Layout(k.Suite, l.Draw).Order
		base := own
		if strings.HasSuffix(k.Name, result.SentinelSuffix) {
			base = seed.Layout(k.Suite, l.Draw^1).Order
		}
		if l.Case != 0 && l.Case != own || l.Base != 0 && l.Base != base {
			c.differ(what, fmt.Sprintf("orders %d and %d", l.Case, l.Base), fmt.Sprintf("%d and %d", own, base))
			return
		}
	}
}
