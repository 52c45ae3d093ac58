package verify

import (
	"fmt"

	"example.com/suite/gate"
)

// orders compares how times grow with what follows from the medians. A document of a
// version that did not tell has none.
func (c *checker) orders() {
	if c.doc.Orders == nil {
		return
	}
	c.label = ""
	again := gate.Orders(c.doc.Cases)
	if len(again) != len(c.doc.Orders) {
		c.differ("growth of times", fmt.Sprintf("%d families", len(c.doc.Orders)), fmt.Sprintf("%d families", len(again)))
		return
	}
	for i, o := range c.doc.Orders {
		c.differ(fmt.Sprintf("growth of %s of %q with %s", o.Metric, o.Family, o.Param), o.Text(), again[i].Text())
	}
}
