package explain

import (
	"math"

	"example.com/suite/gate"
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

// evidenceOf reads pairs as verdicts do.
func evidenceOf(c *result.Case, metric string) evidence {
	e := gate.EvidenceOf(c, metric)
	return evidence{logs: e.Logs, groups: e.Groups, lost: e.Lost, word: wordOf(c)}
}

// pieces are the log ratios that count once each: of pairs, or the medians of set-ups.
func (e *evidence) pieces() (logs []float64) {
	for _, g := range e.groups {
		logs = append(logs, g.Ratio)
	}
	return logs
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
