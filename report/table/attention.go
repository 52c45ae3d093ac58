package table

import (
	"math"

	"example.com/suite/result"
)

// isJudged reports whether a gate or a comparison has judged a case, or there is nothing
// of it to judge.
func isJudged(c *result.Case) bool {
	return len(c.Gates) > 0 || len(c.Comparisons) > 0 || c.Status == result.NotRun || c.Status == result.LeftOut
}

// attention orders rows for fold: cases that failed to run first, then by their
// gates, then by how much they changed. A case that was not run, or skipped, comes last,
// because a report should show what was measured.
func attention(c *result.Case) float64 {
	switch c.Status {
	case result.Measured:
	case result.NotRun, result.LeftOut:
		return -1
	default:
		return 5
	}
	x := 0.0
	for i := range c.Gates {
		x = max(x, attentionTo(&c.Gates[i]))
	}
	if o := c.MainComparison(); o != nil && o.Ratio > 0 {
		x += map[result.Change]float64{result.Worse: 0.6, result.Better: 0.3, result.Unclear: 0.2}[o.Change]
		x += 0.09 * math.Tanh(math.Abs(math.Log(float64(o.Ratio))))
	}
	return x
}

func attentionTo(g *result.Gate) float64 {
	switch {
	case g.Verdict == result.Pass:
		return 0
	case g.Verdict == result.NotJudged:
		return 1
	case g.Severity == "warn", g.IsAccepted():
		return 2
	case g.Verdict == result.Inconclusive && g.OnInconclusive != "fail":
		return 3
	}
	return 4
}
