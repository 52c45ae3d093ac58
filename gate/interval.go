package gate

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Confidence of the intervals that decide gates: higher than the 95 % that reports
// show, because a gate fails a run.
const confidence = 0.99

// span is where a value lies, ends included.
type span struct{ low, high float64 }

// against decides `x operator limit` for every x of the span at once: wholly
// on the right side pass, wholly on the wrong side fail, else inconclusive.
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

// belowResolution gives where a headline lies when all that is known is that
// the time of one unit is less than a bound. Rates are above its inverse.
func belowResolution(c *result.Case, metric string) (span, bool) {
	if s := c.Summary(metric); s != nil && s.Bound != nil && metric != "throughput" {
		return span{0, math.Nextafter(*s.Bound, 0)}, true
	}
	if t := c.Summary("time"); metric == "throughput" && t != nil && t.Bound != nil {
		return span{math.Nextafter(1 / *t.Bound, math.Inf(1)), math.Inf(1)}, true
	}
	return span{}, false
}

// evidence is what an interval of a headline rests on.
type evidence struct {
	span
	blocks int
	err    error // too few of them
}

// evidenceOf computes the 99 % interval of a sampled metric. Its upper end is +Inf
// where it hangs on runs that were killed.
func evidenceOf(c *result.Case, metric string) evidence {
	from, to, blocks := c.Samples.Ends(metric)
	low, high, err := stats.Censored{Low: from, High: to}.BlockInterval(blocks, confidence)
	return evidence{span{low, high}, len(stats.GroupMedians(from, blocks)), err}
}
