package html

import (
	"fmt"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// statsOf has a row for each metric.
func statsOf(c *result.Case) *drawing.Sheet {
	if c.Status != result.Measured || len(c.Metrics) == 0 {
		return nil
	}
	s := &drawing.Sheet{Head: []string{"metric", "n", "median", "from", "to", "mean", "σ", "min", "p90", "p99", "max"}}
	for i := range c.Metrics {
		s.Rows = append(s.Rows, statsRow(&c.Metrics[i]))
	}
	return s.WithoutEmpty()
}

func statsRow(m *result.Summary) []string {
	f := func(x float64) string { return units.Format(x, m.Unit) }
	low, high := "", ""
	if m.Low != nil {
		low = f(*m.Low)
	}
	if m.High != nil {
		high = f(*m.High)
	}
	return []string{m.Metric, strconv.Itoa(m.N), table.BoundSign(m) + f(m.Median), low, high, f(m.Mean), f(m.StdDev), f(m.Min), f(m.P90), f(m.P99), f(m.Max)}
}

func comparedOf(c *result.Case) *htmlCompared {
	if c.Pairs == nil || len(c.Comparisons) == 0 {
		return nil
	}
	out := &htmlCompared{Base: c.Pairs.BaseName()}
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		base, own := table.SideTexts(o)
		out.Rows = append(out.Rows, htmlComparison{
			o.Metric, base, own, table.Change(o), table.Range(o),
			string(o.Change), className(table.ChangeClass(o.Change)), fmt.Sprintf("%d of %d", o.Used, o.Pairs),
		})
		out.Ranges = out.Ranges || table.Range(o) != ""
	}
	return out
}

func plainCount(n int) string { return strconv.Itoa(n) }
