package table

import "example.com/suite/result"

// Growth describes how the time of a family of cases grows with a parameter.
type Growth struct {
	Family string
	Param  string
	Text   string // O(n) (off by 1.2%, n^0.99, 7 sizes)
	Clear  bool
}

// growthsOf are the growths of a suite. Orders are fitted to the time of one unit of
// work, so the text names the unit: a constant time per byte is linear in bytes.
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

func ofUnit(o *result.Order) string {
	if o.Unit == "" || o.Unit == "op" {
		return ""
	}
	return ", of the time of one " + o.Unit
}

// Line is the growth with its family and parameter: sort, n: O(n log n).
func (o *Growth) Line() string {
	if o.Family == "" {
		return o.Param + ": " + o.Text
	}
	return o.Family + ", " + o.Param + ": " + o.Text
}

// mostGrowths limits the growths of a suite unless the reader asks for all.
const mostGrowths = 12
