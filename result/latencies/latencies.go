// Package latencies computes percentiles of single iterations, with their intervals, from the
// histograms of a result. It measures and renders nothing.
package latencies

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
	"example.com/suite/stats"
)

// Whole returns the bins of all groups together, ascending.
func Whole(l *result.Latency) []result.ArcBin {
	at := map[float64]int{}
	var whole []result.ArcBin
	for _, g := range l.Groups {
		for _, b := range g.Bins {
			i, known := at[b[0]]
			if !known {
				at[b[0]] = len(whole)
				whole = append(whole, b)
				continue
			}
			whole[i][2] += b[2]
		}
	}
	slices.SortFunc(whole, func(a, b result.ArcBin) int { return cmp.Compare(a[0], b[0]) })
	return whole
}

// Percentile returns the time in seconds that the share q of all iterations does not exceed,
// to the width of a bin; for q = 1 the slowest.
func Percentile(l *result.Latency, q float64) float64 {
	if q >= 1 {
		return l.Max
	}
	return arcs.Percentile(Whole(l), q, l.Min, l.Max)
}

// ErrSaturated is the error if iterations were due faster than they could be run: percentiles
// grow as long as one measures.
var ErrSaturated = errors.New("iterations are due faster than they end")

// Interval returns bounds that cover the percentile of all iterations that the case could
// make with probability at least conf, in seconds. The ends are ends of bins. The error is
// stats.ErrTooFew if there are too few iterations, or too few groups: a 95 % interval of p99
// needs 368 iterations that are independent of each other. The slowest iteration has no
// interval, for nothing bounds the next one. Iterations that were due and had not begun count
// as slower than all others.
func Interval(l *result.Latency, q, conf float64) (low, high float64, err error) {
	switch {
	case l.Arrivals.Saturated():
		return 0, 0, ErrSaturated
	case q >= 1:
		return 0, 0, stats.ErrTooFew
	}
	whole := Whole(l)
	at := arcs.Percentile(whole, q, l.Min, l.Max)
	var count, below []float64
	for _, g := range l.Groups {
		n, hits := countUpTo(g.Bins, at)
		count, below = append(count, n), append(below, hits)
	}
	from, to, err := stats.QuantileShares(q, count, below, conf)
	if err != nil {
		return 0, 0, err
	}
	due := float64(l.Count)
	if l.Arrivals != nil {
		due += float64(l.Arrivals.Unserved)
	}
	if math.Ceil(to*due) > float64(l.Count) {
		return 0, 0, stats.ErrTooFew
	}
	return max(binOf(whole, math.Floor(from*float64(l.Count)))[0], l.Min), min(binOf(whole, math.Ceil(to*due))[1],
		l.Max), nil
}

// countUpTo counts the iterations of a group, and how many of them took at most x. Iterations of
// the bin that contains x are taken to be evenly spread.
func countUpTo(bins []result.ArcBin, x float64) (all, below float64) {
	for _, b := range bins {
		all += b[2]
		switch {
		case b[1] <= x:
			below += b[2]
		case b[0] < x:
			below += b[2] * (x - b[0]) / (b[1] - b[0])
		}
	}
	return all, below
}

// binOf is the bin of the iteration that is the rank-th fastest, from 1.
func binOf(whole []result.ArcBin, rank float64) result.ArcBin {
	for _, b := range whole {
		if rank <= b[2] {
			return b
		}
		rank -= b[2]
	}
	return whole[len(whole)-1]
}

// Add adds the iterations of a batch to a case. The batch gets a group of its own while
// there are few; then neighbours are joined, so that all groups have about as many batches.
// It changes to.
func Add(to, batch *result.Latency) {
	total(to, batch)
	last := len(to.Groups) - 1
	if last >= 0 && to.Groups[last].Batches < to.Stride {
		to.Groups[last] = joined(to.Groups[last], batch.Groups[0])
		return
	}
	if len(to.Groups) == result.MostLatencyGroups {
		for i := range result.MostLatencyGroups / 2 {
			to.Groups[i] = joined(to.Groups[2*i], to.Groups[2*i+1])
		}
		to.Groups = to.Groups[:result.MostLatencyGroups/2]
		to.Stride *= 2
	}
	to.Stride = max(to.Stride, 1)
	to.Groups = append(to.Groups, batch.Groups[0])
}

// Join adds the iterations of a batch to the one group of to, which it changes.
func Join(to, batch *result.Latency) {
	total(to, batch)
	if len(to.Groups) == 0 {
		to.Groups = []result.LatencyGroup{{}}
	}
	to.Groups[0] = joined(to.Groups[0], batch.Groups[0])
}

func total(to, batch *result.Latency) {
	if to.Count == 0 {
		to.Min, to.Max = batch.Min, batch.Max
	}
	addArrivals(to, batch)
	sum := to.Mean*float64(to.Count) + batch.Mean*float64(batch.Count)
	to.Count += batch.Count
	to.Mean = sum / float64(to.Count)
	to.Min, to.Max = min(to.Min, batch.Min), max(to.Max, batch.Max)
}

// addArrivals adds the schedule of a batch to the schedule of a case.
func addArrivals(to, batch *result.Latency) {
	b := batch.Arrivals
	switch {
	case b == nil:
		return
	case to.Arrivals == nil:
		first := *b
		to.Arrivals = &first
		return
	}
	a, before, more := to.Arrivals, float64(to.Count), float64(batch.Count)
	a.Achieved = (before + more) / (before/a.Achieved + more/b.Achieved)
	a.Utilization = (before*a.Utilization + more*b.Utilization) / (before + more)
	if waits := a.Waits + b.Waits; waits > 0 {
		a.Lag = (a.Lag*float64(a.Waits) + b.Lag*float64(b.Waits)) / float64(waits)
		a.Waits = waits
	}
	a.MostLag = max(a.MostLag, b.MostLag)
	a.Unserved += b.Unserved
}

// joined is the sum of two groups. It changes neither.
func joined(a, b result.LatencyGroup) result.LatencyGroup {
	sum := result.LatencyGroup{
		Batches: a.Batches + b.Batches,
		Bins:    make([]result.ArcBin, 0, max(len(a.Bins), len(b.Bins))),
	}
	x, y := a.Bins, b.Bins
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0][0] == y[0][0]:
			both := x[0]
			both[2] += y[0][2]
			sum.Bins = append(sum.Bins, both)
			x, y = x[1:], y[1:]
		case x[0][0] < y[0][0]:
			sum.Bins, x = append(sum.Bins, x[0]), x[1:]
		default:
			sum.Bins, y = append(sum.Bins, y[0]), y[1:]
		}
	}
	sum.Bins = append(append(sum.Bins, x...), y...)
	return sum
}
