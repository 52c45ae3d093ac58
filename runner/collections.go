package runner

import (
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// What garbage collections cost is worth a word from this share of the time on.
const leastCollections = 0.01

// collections measures what garbage collections cost a side of pairs. Its batches are
// short, so that both sides are close in time, and only some contain a collection: the
// median does not include them, and a change of their cost would not show. It is nil if
// too few samples contain one, or too many to know what the others take.
func (t *side) collections() *result.Collections {
	times, counts := t.result.Samples.Columns["time"], t.result.Samples.Columns["gcs"]
	var with, without []float64
	for i := range min(len(times), len(counts)) {
		switch {
		case math.IsNaN(times[i]) || math.IsNaN(counts[i]):
		case counts[i] > 0:
			with = append(with, times[i])
		default:
			without = append(without, times[i])
		}
	}
	if len(with) < fewSamples || len(without) < fewSamples {
		return nil
	}
	share := float64(len(with)) / float64(len(with)+len(without))
	return &result.Collections{Share: share, Time: max(share*(stats.Median(with)-stats.Median(without)), 0)}
}

// noteCollections describes what collections cost both sides of a case.
func (t *track) noteCollections() {
	if t.base == nil || t.isCommand() {
		return
	}
	c, p := t.result, t.result.Pairs
	c.Collections, p.Collections = t.collections(), t.base.collections()
	time := c.Summary("time")
	if time == nil || c.Collections == nil || p.Collections == nil {
		return
	}
	own, base := c.Collections, p.Collections
	if max(own.Time, base.Time) < leastCollections*time.Median {
		return
	}
	share := func(x float64) result.Quantity {
		return result.Printed(units.Format(x, result.Percent), x, "ratio")
	}
	t.doubt(result.WarnCollections, result.Say("garbage collections fell into %s of the batches and add %s to the time on average; in %s into %s, and add %s",
		share(own.Share), result.Amount(own.Time, "s"), p.BaseName(), share(base.Share), result.Amount(base.Time, "s")),
		"the median of the time leaves them out; allocs and heap say what they come from")
}
