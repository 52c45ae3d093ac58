package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/column"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// Sides compares the other metrics of a case and of its base. They may explain why the
// time has moved.
type Sides struct {
	Base, Case string // headings of the columns
	Rows       []Side
	Hint       string // the metrics that moved like the time; empty if there are none
}

// Side is one metric.
type Side struct {
	Metric, Base, Case, Change string
	Alike                      bool // it moved by the ratio of the time

	surely bool    // its own interval excludes no change
	size   float64 // absolute logarithm of its ratio
}

// mostSides is the number of metrics that the report of a gate shows. suite explain shows
// all.
const mostSides = 3

// movedSides returns the metrics that surely moved, by leastMove or more, the three that
// explain most: first those that moved by the ratio of the time, then those that moved
// farthest. It returns nil if none moved.
func movedSides(doc *result.Document, c *result.Case) *Sides {
	s := SidesOf(doc, c)
	if s == nil {
		return nil
	}
	s.Rows = slices.DeleteFunc(s.Rows, func(r Side) bool { return !r.surely || r.size < leastMove })
	slices.SortStableFunc(s.Rows, func(a, b Side) int {
		switch {
		case a.Alike && !b.Alike:
			return -1
		case b.Alike && !a.Alike:
			return 1
		}
		return cmp.Compare(b.size, a.size)
	})
	s.Rows = s.Rows[:min(len(s.Rows), mostSides)]
	if len(s.Rows) == 0 {
		return nil
	}
	s.explain(c.MainComparison())
	return s
}

// SidesOf compares all metrics but the time. It is nil if the case has no base, or no
// other metric.
func SidesOf(doc *result.Document, c *result.Case) *Sides {
	if c.Pairs == nil {
		return nil
	}
	s, time := &Sides{Base: "base", Case: "case"}, c.MainComparison()
	if tree := c.Pairs.Tree; tree != "" && display.Width(tree) <= column.LongBase {
		s.Base, s.Case = tree, "here"
	}
	for _, m := range c.Table() {
		base, own, ok := bothOf(doc, c, m)
		if !ok || base == 0 && own == 0 {
			continue
		}
		row := Side{
			Metric: m.Name,
			Base:   units.Format(base, m.Unit),
			Case:   units.Format(own, m.Unit),
			Change: moved(base, own, m.Unit),
		}
		row.surely = base != own && surelyMoved(doc, c, m, own > base)
		row.size = math.Abs(math.Log(own / base)) // infinite if a side is zero
		row.Alike = row.surely && explains(m) && math.Abs(own-base) >= leastCause[m.Name] && sameRatio(time, base, own)
		s.Rows = append(s.Rows, row)
	}
	if len(s.Rows) == 0 {
		return nil
	}
	s.explain(time)
	return s
}

// explain sets the hint: the rows that moved like the time.
func (s *Sides) explain(time *result.Comparison) {
	var alike []string
	for _, r := range s.Rows {
		if r.Alike {
			alike = append(alike, r.Metric)
		}
	}
	if len(alike) > 0 {
		s.Hint = fmt.Sprintf("moved by about the same ratio as the time (%s): %s",
			number.Change(time), strings.Join(alike, ", "))
	}
}

// bothOf is a metric on both sides: the medians of all their samples, or of the
// separate pass that counted it.
func bothOf(doc *result.Document, c *result.Case, m result.Metric) (base, own float64, ok bool) {
	switch {
	case slices.Contains(itself, m.Name), m.Name == c.MainMetric():
		return 0, 0, false
	case !m.Sampled:
		b, o := baseSummary(doc, c, m.Name), c.Summary(m.Name)
		if b == nil || o == nil {
			return 0, 0, false
		}
		return b.Median, o.Median, true
	}
	base, there := c.Pairs.Samples.Middle(m.Name)
	own, here := c.Samples.Middle(m.Name)
	if there && here {
		return base, own, true
	}
	b, o := c.Pairs.Summary(m.Name), c.Summary(m.Name)
	if b == nil || o == nil {
		return 0, 0, false
	}
	return b.Median, o.Median, true
}

// itself lists the metrics that explain nothing: the time in other units, and the exit code.
var itself = []string{"time", "throughput", "wall", "exit_code"}

// baseSummary is the base's summary of a metric. If the base is in another tree the
// case contains it, else the base's own case does.
func baseSummary(doc *result.Document, c *result.Case, metric string) *result.Summary {
	if c.Pairs.Tree != "" {
		return c.Pairs.Summary(metric)
	}
	for i := range doc.Cases {
		if b := &doc.Cases[i]; b.Suite == c.Suite && b.Name == c.Pairs.Base {
			return b.Summary(metric)
		}
	}
	return nil
}

func moved(base, own float64, unit string) string {
	switch {
	case base == own:
		return "same"
	case base == 0:
		return "+" + units.Format(own, unit)
	}
	return number.RatioText(own/base, 1)
}

// explains reports whether a metric is a cause that a developer can look for. CPU time
// and cycles follow the time whatever the cause is.
func explains(m result.Metric) bool {
	return m.Unit != "s" && m.Name != "ticks" && m.Name != "cycles" && m.Name != "switches"
}

// leastCause is the least difference of a metric that can be a cause: fewer bytes than a page of
// memory cost about as much as one, such as a number that a program prints with another digit.
var leastCause = map[string]float64{"read_bytes": 4096, "written_bytes": 4096}

// sameRatio reports whether own ÷ base is close to the time's ratio: their logarithms
// differ by at most a fifth of the time's logarithm. It is false if the time's interval
// includes 1 or is unknown.
func sameRatio(time *result.Comparison, base, own float64) bool {
	if time == nil || base <= 0 || own <= 0 || time.Ratio <= 0 || time.Change == result.Same || !hasMoved(time) {
		return false
	}
	whole, part := math.Log(float64(time.Ratio)), math.Log(own/base)
	return math.Abs(whole) >= leastMove && math.Abs(part) >= leastMove && math.Abs(part-whole) <= math.Abs(whole)/5
}

// hasMoved reports whether the interval of a comparison excludes no change.
func hasMoved(o *result.Comparison) bool {
	if o.Exact {
		return o.Ratio != 1
	}
	return o.Low != nil && o.High != nil && (*o.Low > 1 || *o.High < 1)
}

// surelyMoved reports whether the interval of a metric's own ratio excludes no
// change, in the direction that the medians show. Metrics that no gate compares
// have no comparison in the document: their interval is made of the same pairs
// that the time was compared by, and of metrics counted in a pass of their own it
// runs from the least to the greatest count.
func surelyMoved(doc *result.Document, c *result.Case, m result.Metric, up bool) bool {
	if o := c.Comparison(m.Name); o != nil {
		return hasMoved(o) && (o.Ratio > 1) == up
	}
	if !m.Sampled {
		base, own := baseSummary(doc, c, m.Name), c.Summary(m.Name)
		return base != nil && own != nil && (up && own.Min > base.Max || !up && own.Max < base.Min)
	}
	logs := pairs.EvidenceOf(c, m.Name).Ratios()
	low, high, err := stats.MedianInterval(logs, cmp.Or(c.Settings.Confidence, defaults.Confidence))
	return err == nil && (up && low > 0 || !up && high < 0)
}

// leastMove is the smallest change, as a logarithm, that is worth a line or can be like
// another: half a percent.
const leastMove = 0.005

// wantsSides reports whether a gate's report shows Sides: it compares, and did not pass.
func wantsSides(g *result.Gate) bool {
	if g.Form == result.FormUnpaired { // its other side was not measured here
		return false
	}
	return (g.Verdict == result.Fail || g.Verdict == result.Inconclusive) && g.NeedsBase()
}

// Table has a row for each metric.
func (s *Sides) Table() *page.Table {
	t := &page.Table{Columns: page.Heads("", s.Base, s.Case, "")}
	t.Columns[1].Align, t.Columns[1].Worth = page.Right, 50
	t.Columns[2].Align = page.Right
	for _, r := range s.Rows {
		note := r.Change
		if r.Alike {
			note += "  ←"
		}
		t.Add(r.Metric, r.Base, r.Case, note)
	}
	return t
}

// Lines returns the table as aligned lines without indentation.
func (s *Sides) Lines() []string {
	var b strings.Builder
	_ = text.Write(&b, []page.Block{s.Table()}, text.Options{}) // a builder never fails
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}
