package verify

import (
	"fmt"
	"reflect"

	"example.com/suite/gate"
)

// orders compares how times grow with what follows from the medians.
func (c *checker) orders(words bool) {
	c.label = ""
	again := gate.Orders(c.doc.Cases)
	if len(again) != len(c.doc.Orders) {
		c.differ("growth of times", fmt.Sprintf("%d families", len(c.doc.Orders)), fmt.Sprintf("%d families", len(again)))
		return
	}
	for i, o := range c.doc.Orders {
		c.fields(fmt.Sprintf("growth of %s of %q with %s: ", o.Metric, o.Family, o.Param), reflect.ValueOf(o), reflect.ValueOf(again[i]), unless(words, "reason")...)
	}
}
