package result

import "slices"

// Latency is how long single iterations of a case took, from all of its batches.
type Latency struct {
	Count  int64          `json:"count"` // iterations
	Mean   float64        `json:"mean"`  // seconds
	Min    float64        `json:"min"`
	Max    float64        `json:"max"`
	Cost   Cost           `json:"cost"`   // seconds of reading the clock after an iteration, subtracted from each
	Stride int            `json:"stride"` // batches of a group; the last group may have fewer
	Groups []LatencyGroup `json:"groups"` // stretches of iterations in a row, in order, at most MostLatencyGroups

	Arrivals *Arrivals `json:"arrivals,omitempty"` // if iterations began when they were due
}

// Arrivals describes an open loop, in which iterations begin when they are due and latencies
// count from then.
type Arrivals struct {
	Rate        float64 `json:"rate"`               // iterations that were due in a second
	Poisson     bool    `json:"poisson,omitempty"`  // their times were drawn from the seed of the run
	Achieved    float64 `json:"achieved"`           // iterations in a second that was spent running them or waiting for them
	Utilization float64 `json:"utilization"`        // mean time of an iteration, with the reading of the clock, over the mean time between two arrivals
	Unserved    int64   `json:"unserved,omitempty"` // iterations that were due and had not begun when measuring ended
	Waits       int64   `json:"waits"`              // iterations that were waited for
	Lag         float64 `json:"lag"`                // seconds by which these began late, in the mean
	MostLag     float64 `json:"most_lag"`           // seconds by which the latest of them did
}

// Saturated reports whether iterations were due faster than they could be run. The queue then
// grows as long as one measures, and so do latencies.
func (a *Arrivals) Saturated() bool { return a != nil && a.Utilization >= 1 }

func (v *validator) arrivals(where string, l *Latency) {
	a := l.Arrivals
	if a == nil {
		return
	}
	v.check(a.Rate > 0 && a.Achieved > 0 && a.Utilization > 0 && !slices.ContainsFunc([]float64{a.Rate, a.Achieved, a.Utilization}, notNumber), "%s: a rate of arrivals is out of range", where)
	v.check(a.Unserved >= 0 && a.Waits >= 0 && a.Waits <= l.Count, "%s: of %d iterations %d were waited for, and %d had not begun", where, l.Count, a.Waits, a.Unserved)
	v.check(a.Lag >= 0 && a.Lag <= a.MostLag*(1+1e-9) && !notNumber(a.MostLag), "%s: the lag is out of range", where)
}

// MostLatencyGroups is how many stretches a document has: when there are more, neighbours
// are joined.
const MostLatencyGroups = 24

// LatencyGroup counts the iterations of a stretch of batches by their time. Iterations that
// follow each other are alike, and how much the stretches differ shows how much.
type LatencyGroup struct {
	Batches int      `json:"batches"`
	Bins    []ArcBin `json:"bins"` // low, high, count; ascending, at most 0.8 % wide
}

func (v *validator) latency(where string, l *Latency) {
	if l == nil {
		return
	}
	v.check(l.Count >= 1, "%s: it counts no iteration", where)
	v.check(len(l.Groups) <= MostLatencyGroups, "%s: it has %d groups, and at most %d are read", where, len(l.Groups), MostLatencyGroups)
	v.check(!(l.Min < 0) && l.Min <= l.Mean*(1+1e-9) && l.Mean <= l.Max*(1+1e-9) && !notNumber(l.Max), "%s: mean, minimum and maximum do not fit together", where)
	v.check(!(l.Cost.Value < 0) && !(l.Cost.Error < 0) && !notNumber(l.Cost.Value) && !notNumber(l.Cost.Error), "%s: the cost is out of range", where)
	v.arrivals(where, l)
	sum := 0.0
	for i, g := range l.Groups {
		last := -1.0
		for _, b := range g.Bins {
			v.check(b[0] >= last && b[0] < b[1] && b[2] >= 1 && !slices.ContainsFunc(b[:], notNumber), "%s: group %d has a bin from %g to %g with %g iterations", where, i+1, b[0], b[1], b[2])
			last = b[1]
			sum += b[2]
		}
	}
	v.check(sum == float64(l.Count), "%s: its bins count %g iterations of %d", where, sum, l.Count)
}
