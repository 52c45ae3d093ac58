package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/result"
)

// Sides are the other metrics of a case and of its base beside each other: what
// may explain that the time has moved.
type Sides struct {
	Base, Case string // what the columns are headed
	Rows       []Side
	Hint       string // which of them moved as the time did; empty for none
}

// Side is one metric.
type Side struct {
	Metric, Base, Case, Change string
	Alike                      bool // it moved by the ratio of the time
}

// sidesOf gives nil where a case has no base, or nothing but times.
func sidesOf(doc *result.Document, c *result.Case) *Sides {
	if c.Pairs == nil {
		return nil
	}
	s, time := &Sides{Base: "base", Case: "case"}, c.Comparison("time")
	if tree := c.Pairs.Tree; tree != "" && width(Visible(tree)) <= longBase {
		s.Base, s.Case = tree, "here"
	}
	var alike []string
	for _, m := range c.Table() {
		base, own, ok := bothOf(doc, c, m)
		if !ok || base == 0 && own == 0 {
			continue
		}
		row := Side{m.Name, result.Format(base, m.Unit), result.Format(own, m.Unit), moved(base, own, m.Unit), false}
		if row.Alike = explains(m) && sameRatio(time, base, own); row.Alike {
			alike = append(alike, m.Name)
		}
		s.Rows = append(s.Rows, row)
	}
	if len(s.Rows) == 0 {
		return nil
	}
	if len(alike) > 0 {
		s.Hint = fmt.Sprintf("moved by the same ratio as the time (%s): %s", Change(time), strings.Join(alike, ", "))
	}
	return s
}

// bothOf gives what a metric is on both sides: the medians of all their samples,
// or what a pass of its own came to.
func bothOf(doc *result.Document, c *result.Case, m result.Metric) (base, own float64, ok bool) {
	switch {
	case slices.Contains(itself, m.Name):
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

// itself are the time in other words.
var itself = []string{"time", "throughput", "wall", "exit_code"}

// baseSummary is that of the base as a case of its own, or beside the case where the
// base is in another tree.
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
		return "+" + result.Format(own, unit)
	}
	return change(own/base, 1)
}

// explains says that a metric is a cause that a developer can look for. CPU time
// and cycles go with the time whatever the cause; the rest is counted.
func explains(m result.Metric) bool {
	return m.Unit != "s" && m.Name != "ticks" && m.Name != "cycles" && m.Name != "switches"
}

// sameRatio says that a metric moved as the time did: within the interval of the
// ratio, or by a change that differs from it by a fifth at most. A time of which it is
// not known which way it has moved, if at all, has no ratio to share.
func sameRatio(time *result.Comparison, base, own float64) bool {
	if time == nil || base <= 0 || own <= 0 || time.Ratio <= 0 || time.Change == result.Same {
		return false
	}
	whole, ratio := math.Log(time.Ratio), own/base
	if math.Abs(whole) < leastMove || math.Abs(math.Log(ratio)) < leastMove {
		return false
	}
	if time.Low != nil && time.High != nil {
		if *time.Low <= 1 && 1 <= *time.High {
			return false
		}
		if *time.Low <= ratio && ratio <= *time.High {
			return true
		}
	}
	return math.Abs(math.Log(ratio)-whole) <= math.Abs(whole)/5
}

// leastMove is a change that is too small to look alike: half a percent.
const leastMove = 0.005

// compares matches gates that look at the base.
var compares = lazy.Regexp(`\b(worse|better|ratio|ci)\s*\(|\bbase\s*\.`)

// wantsSides says that a gate needs them: it compares, and is no pass.
func wantsSides(g *result.Gate) bool {
	if g.Form == result.FormUnpaired { // its other side was not measured here
		return false
	}
	return (g.Verdict == result.Fail || g.Verdict == result.Inconclusive) && compares().MatchString(g.Expr)
}

// Lines lays the sides out for text, each line without indentation.
func (s *Sides) Lines() []string {
	rows := [][4]string{{"", Visible(s.Base), Visible(s.Case), ""}}
	for _, r := range s.Rows {
		note := r.Change
		if r.Alike {
			note += "  ←"
		}
		rows = append(rows, [4]string{Visible(r.Metric), Visible(r.Base), Visible(r.Case), note})
	}
	var w [3]int
	for _, r := range rows {
		for i := range w {
			w[i] = max(w[i], width(r[i]))
		}
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.TrimRight(padRight(r[0], w[0])+gap+padLeft(r[1], w[1])+gap+padLeft(r[2], w[2])+gap+r[3], " "))
	}
	return lines
}

func hasSides(g Gate) bool { return g.Sides != nil }
