// Package compare compares saved results. They were measured at different times, so
// everything else that changed in between is part of the difference. The package takes
// documents and returns ratios with intervals, with notes on how the machines and the
// cases differ. It judges nothing.
package compare

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"example.com/suite/internal/defaults"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Results compares one metric of each case of the first document with the same case of
// the others, found by suite and name. Rows are in the order of the first document; at
// the end of each suite are the cases that only later documents have, in their order.
func Results(saved []table.Saved, metric string) *table.Unpaired {
	u := &table.Unpaired{
		Saved:      saved,
		Metric:     metric,
		Confidence: defaults.Confidence,
		Floor:      defaults.Floor,
		Notes:      differences(saved),
	}
	indexes := make([]map[identity]*result.Case, len(saved))
	for i, s := range saved {
		indexes[i] = indexOf(s.Doc)
	}
	ids := identities(saved)
	u.Rows = make([]table.UnpairedRow, 0, len(ids))
	for _, id := range ids {
		row := table.UnpairedRow{Suite: id.suite, Name: id.name}
		for _, cases := range indexes {
			row.Cases = append(row.Cases, cases[id])
		}
		if !slices.ContainsFunc(row.Cases, func(c *result.Case) bool { return concerns(c, metric) }) {
			continue
		}
		for i := range saved[1:] {
			row.Ratios = append(row.Ratios, ratioOf(row.Cases[0], row.Cases[i+1], metric))
		}
		row.Notes = doubts(saved, row.Cases, metric)
		for _, c := range row.Cases {
			c.Forget()
		}
		u.Rows = append(u.Rows, row)
	}
	return u
}

// concerns reports whether a case has the metric, or would if it had been measured.
func concerns(c *result.Case, metric string) bool {
	if c == nil {
		return false
	}
	m, known := c.Metric(metric)
	return c.Summary(metric) != nil || known && c.Status != result.Measured && slices.Contains(m.Kinds, c.Kind)
}

type identity struct{ suite, name string }

// identities lists every case once, in the order of Results.
func identities(saved []table.Saved) (all []identity) {
	most := 0
	for _, s := range saved {
		most += len(s.Doc.Cases)
	}
	seen := make(map[identity]bool, most)
	all = make([]identity, 0, most)
	for _, s := range saved {
		for i := range s.Doc.Cases {
			id := identity{s.Doc.Cases[i].Suite, s.Doc.Cases[i].Name}
			if !seen[id] {
				seen[id], all = true, append(all, id)
			}
		}
	}
	return bySuite(all)
}

func bySuite(all []identity) []identity {
	first := map[string]int{}
	for i, id := range all {
		if _, known := first[id.suite]; !known {
			first[id.suite] = i
		}
	}
	slices.SortStableFunc(all, func(a, b identity) int { return cmp.Compare(first[a.suite], first[b.suite]) })
	return all
}

func indexOf(doc *result.Document) map[identity]*result.Case {
	cases := make(map[identity]*result.Case, len(doc.Cases))
	for i := range doc.Cases {
		c := &doc.Cases[i]
		cases[identity{c.Suite, c.Name}] = c
	}
	return cases
}

// ratioOf is b's median ÷ a's. It is nil if a case is missing, cannot be compared, or
// has only a bound of its median.
func ratioOf(a, b *result.Case, metric string) *table.UnpairedRatio {
	if a == nil || b == nil || incomparable(a, b) != "" {
		return nil
	}
	x, y := a.Summary(metric), b.Summary(metric)
	if x != nil && y != nil && x.Exact && y.Exact {
		return plain(x.Median, y.Median)
	}
	known := func(s *result.Summary) bool { return s != nil && s.Bound == nil && s.Bounded("median") == 0 }
	if !known(x) || !known(y) || x.Median <= 0 {
		return nil
	}
	r := &table.UnpairedRatio{Ratio: y.Median / x.Median}
	low, high, err := interval(a, b, metric)
	if err == nil {
		r.Low, r.High = &low, &high
		r.Moved = low > 1+defaults.Floor || high < 1/(1+defaults.Floor)
	}
	return r
}

// plain is y ÷ x of numbers that never vary: 1 if both are 0, and infinite if only x
// is.
func plain(x, y float64) *table.UnpairedRatio {
	r := &table.UnpairedRatio{Ratio: y / x, Exact: true, Moved: x != y}
	if x == y {
		r.Ratio = 1
	}
	return r
}

var errNoInterval = errors.New("a ratio without an interval")

// interval bounds the ratio of two medians: the low end of b's interval ÷ the high
// end of a's, and the reverse. Each interval gets half of the permitted error, so
// both cover their medians at once with the default confidence.
func interval(a, b *result.Case, metric string) (low, high float64, err error) {
	lowA, highA, errA := ends(a, metric)
	lowB, highB, errB := ends(b, metric)
	low, high = lowB/highA, highB/lowA
	if errA != nil || errB != nil || lowA <= 0 || math.IsInf(high, 0) || math.IsNaN(low) || math.IsNaN(high) {
		return 0, 0, errNoInterval
	}
	return low, high, nil
}

func ends(c *result.Case, metric string) (low, high float64, err error) {
	from, to, blocks := c.Samples.Ends(metric)
	low, high, err = stats.Censored{Low: from, High: to}.BlockInterval(blocks, 1-(1-defaults.Confidence)/2)
	low, high = c.Widen(metric, low, high)
	return low, high, err
}
