package table

import (
	"example.com/suite/result"
)

// Growth is how the time of one family of cases grows with a size.
type Growth struct {
	Family string
	Param  string
	Text   string // O(n) (off by 1.2%, n^0.99, 7 sizes)
	Clear  bool
}

// growthsOf are those of a suite. A time is that of one unit of work, and this is said: what
// takes the same for each byte is linear in all of them.
func growthsOf(doc *result.Document, suite string) (all []Growth) {
	for i := range doc.Orders {
		o := &doc.Orders[i]
		if o.Suite != suite {
			continue
		}
		_, clear := o.Clear()
		all = append(all, Growth{o.Family, o.Param, o.Text() + ofUnit(o), clear})
	}
	return all
}

// ofUnit says of what the time is, where that is not an operation.
func ofUnit(o *result.Order) string {
	if o.Unit == "" || o.Unit == "op" {
		return ""
	}
	return ", of the time of one " + o.Unit
}

// Line says of what cases, over what, and how: sort, n: O(n log n).
func (o *Growth) Line() string {
	if o.Family == "" {
		return o.Param + ": " + o.Text
	}
	return o.Family + ", " + o.Param + ": " + o.Text
}

// mostGrowths is how many stand where not all are asked for.
const mostGrowths = 12
