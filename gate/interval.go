package gate

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// confidence is the confidence of intervals that decide gates. It is higher than the 95 % of
// reports, because a gate can make a run fail.
const confidence = 0.99

// span is a range of possible values, ends included.
type span struct{ low, high float64 }

// against decides `x operator limit` for all x of the span: pass if it is true for
// all, fail if it is true for none, else inconclusive.
func (s span) against(operator string, limit float64) result.Verdict {
	always, never := s.sides(operator, limit)
	switch {
	case always:
		return result.Pass
	case never:
		return result.Fail
	}
	return result.Inconclusive
}

func (s span) sides(operator string, limit float64) (always, never bool) {
	switch operator {
	case "<":
		return s.high < limit, s.low >= limit
	case "<=":
		return s.high <= limit, s.low > limit
	case ">":
		return s.low > limit, s.high <= limit
	case ">=":
		return s.low >= limit, s.high < limit
	}
	outside := limit < s.low || s.high < limit
	only := s.low == limit && s.high == limit
	if operator == "!=" {
		return outside, only
	}
	return only, outside
}

// belowResolution returns the range of a headline of which only a bound is known, because the
// time of one unit is below resolution. A time is less than the bound, a rate more than its
// inverse. The second result is false if the value itself is known.
func belowResolution(c *result.Case, metric string) (span, bool) {
	if s := c.Summary(metric); s != nil && s.Bound != nil && metric != "throughput" {
		return span{0, math.Nextafter(*s.Bound, 0)}, true
	}
	if t := c.Summary("time"); metric == "throughput" && t != nil && t.Bound != nil {
		return span{math.Nextafter(1 / *t.Bound, math.Inf(1)), math.Inf(1)}, true
	}
	return span{}, false
}

// evidence is a headline's interval and the number of blocks that it is computed
// from.
type evidence struct {
	span
	blocks int
	err    error // too few blocks
}

// evidenceOf returns the 99 % interval of a sampled metric's median, with the error that samples
// do not reduce. Its upper end is +Inf if it depends on runs that were killed.
func evidenceOf(c *result.Case, metric string) evidence {
	if m, _ := result.FindMetric(metric); m.Quantile > 0 {
		return latencyEvidence(c, m)
	}
	from, to, blocks := c.Samples.Ends(metric)
	low, high, err := stats.Censored{Low: from, High: to}.BlockInterval(blocks, confidence)
	low, high = c.Widen(metric, low, high)
	return evidence{span{low, high}, len(stats.GroupMedians(from, blocks)), err}
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// bothHold is the confidence of an interval that is formed from two 99 % intervals: with a
// probability of at least 98 %, each of them covers its median.
const bothHold = 2*confidence - 1

// leastBlocks is the number of blocks that a 99 % interval needs: 1 − 2·2⁻⁸ is 99.2
// %.
const leastBlocks = 8
