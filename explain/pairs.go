package explain

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// evidence is what the pairs of a metric say, in the order in which they were taken.
type evidence struct {
	logs   []float64 // of each pair ln(candidate ÷ base)
	groups []stats.Group
	word   string // for a piece of evidence
	lost   int    // pairs in which a side has no number
}

// evidenceOf groups pairs as verdicts do.
func evidenceOf(c *result.Case, metric string) evidence {
	e := evidence{word: wordOf(c)}
	own, base := c.Samples.Column(metric), c.Pairs.Samples.Column(metric)
	all := hurtOf(c)
	var hurt []stats.Disturbed
	var blocks []int
	for i := range min(len(own), len(base)) {
		if math.IsNaN(own[i]) || math.IsNaN(base[i]) {
			e.lost++
			continue
		}
		e.logs, hurt, blocks = append(e.logs, logOf(base[i], own[i])), append(hurt, all[i]), append(blocks, c.Samples.Block[i])
	}
	e.groups = stats.Groups(e.logs, hurt, blocks)
	return e
}

// pieces are the log ratios that count once each: of pairs, or the medians of set-ups.
func (e *evidence) pieces() (logs []float64) {
	for _, g := range e.groups {
		logs = append(logs, g.Ratio)
	}
	return logs
}

// far stands for the logarithm of infinitely more, as verdicts have it: something
// against nothing is beyond every tolerance.
const far = 700

func logOf(base, own float64) float64 {
	log, err := stats.LogRatio(base, own)
	switch {
	case err == nil:
		return log
	case base == own:
		return 0
	case own > base:
		return far
	}
	return -far
}

// hurtOf says for each pair which side was disturbed. Pairs of commands are all
// used (design.md §8.6), so none counts as such.
func hurtOf(c *result.Case) []stats.Disturbed {
	hurt := make([]stats.Disturbed, c.Samples.Len())
	if c.Kind != result.KindGo {
		return hurt
	}
	for _, d := range c.Samples.Disturbed {
		hurt[d.Index].Candidate = true
	}
	for _, d := range c.Pairs.Samples.Disturbed {
		hurt[d.Index].Base = true
	}
	return hurt
}

const setUp = "set-up"

// wordOf names a piece of evidence of a case: Go functions have a set-up of both
// sides for each block of pairs.
func wordOf(c *result.Case) string {
	if c.Kind == result.KindGo {
		return setUp
	}
	return "pair"
}

func (e *evidence) setUps() bool { return e.word == setUp }

// limits are the log ratios beyond which a change is above the tolerance.
func limits(o *result.Comparison) (low, high float64) {
	high = math.Log1p(o.Tolerance)
	return -high, high
}
