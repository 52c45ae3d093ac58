package table

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// isJudged reports whether a gate or a comparison has judged a case, or there is nothing
// of it to judge.
func isJudged(c *result.Case) bool {
	return len(c.Gates) > 0 || len(c.Comparisons) > 0 || c.Status != result.Measured && c.Status != result.Failed
}

// attention is how much attention a case needs: one that could not be measured needs most, then gates count, then how
// much it changed. A case that was not run, skipped or left out as unaffected comes last, because a report should show
// what was measured.
func attention(c *result.Case) float64 {
	switch c.Status {
	case result.Measured:
	case result.Failed:
		return 5
	default:
		return -1
	}
	x := 0.0
	for i := range c.Gates {
		x = max(x, attentionTo(&c.Gates[i]))
	}
	o := Moved(c)
	if o == nil {
		o = c.MainComparison()
	}
	if o != nil {
		x += map[result.Change]float64{result.Worse: 0.6, result.Better: 0.3, result.Unclear: 0.2}[o.Change]
		x += 0.09 * math.Tanh(math.Abs(math.Log(float64(o.Ratio)))) // at most 0.09, also of a ratio of 0
	}
	return x
}

// Moved is the comparison of a case that shows a change: of its main metric, or else the first one that got worse, or
// better. It is nil if none does.
func Moved(c *result.Case) *result.Comparison {
	for _, change := range []result.Change{result.Worse, result.Better} {
		if o := c.MainComparison(); o != nil && o.Change == change {
			return o
		}
		at := slices.IndexFunc(c.Comparisons, func(o result.Comparison) bool { return o.Change == change })
		if at >= 0 {
			return &c.Comparisons[at]
		}
	}
	return nil
}

// leastAttention is the attention that a case needs if a gate of it did not pass.
const leastAttention = 2

// NeedsAttention reports whether the case could not be measured, or a gate of it did not pass.
func (r *Row) NeedsAttention() bool { return r.attention >= leastAttention }

// MostUrgentFirst compares two rows: the one that needs more attention comes first.
func MostUrgentFirst(a, b *Row) int { return cmp.Compare(b.attention, a.attention) }

func attentionTo(g *result.Gate) float64 {
	switch {
	case g.Verdict == result.Pass:
		return 0
	case g.Verdict == result.NotJudged:
		return 1
	case g.Severity == "warn", g.IsAccepted():
		return leastAttention
	case g.Verdict == result.Inconclusive && g.OnInconclusive != "fail":
		return 3
	}
	return 4
}
