package about

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// evidence holds the ratios of a metric's pairs, in the order in which they were taken.
type evidence struct {
	logs        []float64 // ln(candidate ÷ base) of each pair
	groups      []stats.Group
	observation result.Observation
	lost        int // pairs in which a side has no number
}

func evidenceOf(c *result.Case, metric string) evidence {
	e := pairs.EvidenceOf(c, metric)
	return evidence{logs: e.Logs, groups: e.Groups, lost: e.Lost, observation: c.Observation()}
}

// observations returns the log ratios that count once each: of pairs, or the medians of blocks
// or launches.
func (e *evidence) observations() (logs []float64) {
	for _, g := range e.groups {
		logs = append(logs, g.Ratio)
	}
	return logs
}

// blocks reports whether a block of pairs is one observation.
func (e *evidence) blocks() bool { return e.observation != result.PerPair }

// limits are the log ratios beyond which a change is greater than the tolerance.
func limits(o *result.Comparison) (low, high float64) {
	high = math.Log1p(o.Tolerance)
	return -high, high
}
