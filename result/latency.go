package result

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
	Rate    float64 `json:"rate"`              // iterations that were due in a second
	Poisson bool    `json:"poisson,omitempty"` // their times were drawn from the seed of the run
	// iterations in a second that was spent running them or waiting for them
	Achieved float64 `json:"achieved"`
	// mean time of an iteration, with the reading of the clock, over the mean time between two arrivals
	Utilization float64 `json:"utilization"`
	Unserved    int64   `json:"unserved,omitempty"` // iterations that were due and had not begun when measuring ended
	Waits       int64   `json:"waits"`              // iterations that were waited for
	Lag         float64 `json:"lag"`                // seconds by which these began late, in the mean
	MostLag     float64 `json:"most_lag"`           // seconds by which the latest of them did
}

// Saturated reports whether iterations were due faster than they could be run. The queue then
// grows as long as one measures, and so do latencies.
func (a *Arrivals) Saturated() bool { return a != nil && a.Utilization >= 1 }

// MostLatencyGroups is how many stretches a document has: when there are more, neighbours
// are joined.
const MostLatencyGroups = 24

// LatencyGroup counts the iterations of a stretch of batches by their time. Iterations that
// follow each other are alike, and how much the stretches differ shows how much.
type LatencyGroup struct {
	Batches int      `json:"batches"`
	Bins    []ArcBin `json:"bins"` // low, high, count; ascending, at most 0.8 % wide
}
