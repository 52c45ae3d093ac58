package sides

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Confidence is the confidence of intervals that decide gates. It is higher than the 95 % of
// reports, because a gate can make a run fail.
const Confidence = 0.99

// Span is a range of possible values, ends included.
type Span struct{ Low, High float64 }

// Against decides `x operator limit` for all x of the span: pass if it is true for
// all, fail if it is true for none, else inconclusive.
func (s Span) Against(operator string, limit float64) result.Verdict {
	always, never := s.sides(operator, limit)
	switch {
	case always:
		return result.Pass
	case never:
		return result.Fail
	}
	return result.Inconclusive
}

func (s Span) sides(operator string, limit float64) (always, never bool) {
	switch operator {
	case "<":
		return s.High < limit, s.Low >= limit
	case "<=":
		return s.High <= limit, s.Low > limit
	case ">":
		return s.Low > limit, s.High <= limit
	case ">=":
		return s.Low >= limit, s.High < limit
	}
	outside := limit < s.Low || s.High < limit
	only := s.Low == limit && s.High == limit
	if operator == "!=" {
		return outside, only
	}
	return only, outside
}

// BelowResolution returns the range of a headline of which only a bound is known, because the
// time of one unit is below resolution. A time is less than the bound, a rate more than its
// inverse. The second result is false if the value itself is known.
func BelowResolution(c *result.Case, metric string) (Span, bool) {
	if s := c.Summary(metric); s != nil && s.Bound != nil && metric != "throughput" {
		return Span{0, math.Nextafter(*s.Bound, 0)}, true
	}
	if t := c.Summary("time"); metric == "throughput" && t != nil && t.Bound != nil {
		return Span{math.Nextafter(1 / *t.Bound, math.Inf(1)), math.Inf(1)}, true
	}
	return Span{}, false
}

// Evidence is a headline's interval and the number of blocks that it is computed
// from.
type Evidence struct {
	Span
	Blocks int
	Err    error // too few blocks
}

// evidenceOf returns the 99 % interval of a sampled metric's median, with the error that samples
// do not reduce. Its upper end is +Inf if it depends on runs that were killed.
func evidenceOf(c *result.Case, metric string) Evidence {
	if m, _ := result.FindMetric(metric); m.Quantile > 0 {
		return latencyEvidence(c, m)
	}
	from, to, blocks := c.Samples.Ends(metric)
	low, high, err := stats.Censored{Low: from, High: to}.BlockInterval(blocks, Confidence)
	low, high = c.Widen(metric, low, high)
	return Evidence{Span{low, high}, len(stats.GroupMedians(from, blocks)), err}
}

// NotFinite reports whether x is no number or infinite.
func NotFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// BothHold is the confidence of an interval that is formed from two 99 % intervals: with a
// probability of at least 98 %, each of them covers its median.
const BothHold = 2*Confidence - 1

// LeastBlocks is the number of blocks that a 99 % interval needs: 1 − 2·2⁻⁸ is 99.2
// %.
const LeastBlocks = 8
