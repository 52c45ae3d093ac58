package explain

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// ratio is one pair: ln(candidate ÷ base), and which side the machine disturbed.
type ratio struct {
	log  float64
	hurt stats.Disturbed
}

// ratiosOf gives the pairs of a metric in the order in which they were taken; lost
// counts those in which a side has no number.
func ratiosOf(c *result.Case, metric string) (rs []ratio, lost int) {
	own, base := c.Samples.Column(metric), c.Pairs.Samples.Column(metric)
	hurt := hurtOf(c)
	for i := range min(len(own), len(base)) {
		if math.IsNaN(own[i]) || math.IsNaN(base[i]) {
			lost++
			continue
		}
		rs = append(rs, ratio{logOf(base[i], own[i]), hurt[i]})
	}
	return rs, lost
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

// used keeps those that count, by the rule that verdicts go by.
func used(rs []ratio) (logs []float64) {
	var count stats.Disturbances
	for _, r := range rs {
		if count.Settle(r.hurt) {
			logs = append(logs, r.log)
		}
	}
	return logs
}

// limits are the log ratios beyond which a change is above the tolerance.
func limits(o *result.Comparison) (low, high float64) {
	high = math.Log1p(o.Tolerance)
	return -high, high
}
