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
