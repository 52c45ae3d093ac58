// Package compare puts saved results beside each other. What it compares was
// measured at different times, so whatever else has changed between them is in the
// difference: it gives ratios with intervals, says what differs about the machine
// and the cases, and judges nothing. It is handed documents.
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

// Results compares one metric of every case of the first document with that of
// the others. Cases are found by suite and name, in the order of the first
// document, and behind them in each suite in that in which the others have them.
func Results(saved []table.Saved, metric string) *table.Unpaired {
	u := &table.Unpaired{Saved: saved, Metric: metric, Confidence: defaults.Confidence, Floor: defaults.Floor, Notes: differences(saved)}
	for _, id := range identities(saved) {
		row := table.UnpairedRow{Suite: id.suite, Name: id.name}
		for _, s := range saved {
			row.Cases = append(row.Cases, find(s.Doc, id))
		}
		if !slices.ContainsFunc(row.Cases, func(c *result.Case) bool { return concerns(c, metric) }) {
			continue
		}
		for i := range saved[1:] {
			row.Ratios = append(row.Ratios, ratioOf(row.Cases[0], row.Cases[i+1], metric))
		}
		row.Notes = doubts(saved, row.Cases, metric)
		u.Rows = append(u.Rows, row)
	}
	return u
}

// concerns says that a case has the metric, or would if it had been measured.
func concerns(c *result.Case, metric string) bool {
	if c == nil {
		return false
	}
	m, known := c.Metric(metric)
	return c.Summary(metric) != nil || known && c.Status != result.Measured && slices.Contains(m.Kinds, c.Kind)
}

type identity struct{ suite, name string }

// identities are those of all cases, each once.
func identities(saved []table.Saved) (all []identity) {
	seen := map[identity]bool{}
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

// bySuite brings what later files alone have behind the other cases of its suite.
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

func find(doc *result.Document, id identity) *result.Case {
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Suite == id.suite && c.Name == id.name {
			return c
		}
	}
	return nil
}

// ratioOf divides the medians of two cases; nil where that has no meaning.
func ratioOf(a, b *result.Case, metric string) *table.UnpairedRatio {
	if a == nil || b == nil || incomparable(a, b) != "" {
		return nil
	}
	x, y := a.Summary(metric), b.Summary(metric)
	if x != nil && y != nil && x.Exact && y.Exact {
		return plain(x.Median, y.Median)
	}
	if x == nil || y == nil || x.Bound != nil || y.Bound != nil || x.Bounded("median") != 0 || y.Bounded("median") != 0 || x.Median <= 0 {
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

// plain is the ratio of numbers that never vary: 1 for nothing against nothing, and
// infinite for more than nothing against it.
func plain(x, y float64) *table.UnpairedRatio {
	r := &table.UnpairedRatio{Ratio: y / x, Exact: true, Moved: x != y}
	if x == y {
		r.Ratio = 1
	}
	return r
}

var errNoInterval = errors.New("a ratio without an interval")

// interval of a ratio of two medians: the ends of both intervals against each
// other, each wide enough that both hold at once with the confidence.
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
	return stats.Censored{Low: from, High: to}.BlockInterval(blocks, 1-(1-defaults.Confidence)/2)
}
