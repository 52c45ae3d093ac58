package bisect

import (
	"math"
	"time"

	"example.com/suite/stats"
)

// Question is what one comparison has to find out: whether the candidate is slower than
// the base by more than Low, or by less than High. Both are natural logarithms of ratios, and
// Low is not above High. If it is slower by something between them, either answer is right.
type Question struct {
	Low, High float64
	Alpha     float64       // chance that the interval of the answer misses the true ratio, however often one looks
	Limit     time.Duration // of the comparison; 0: any
}

// Answer is what a comparison shows: the median ratio of times, or of instructions, candidate ÷ base, and the bounds of
// the true one.
type Answer struct {
	Ratio float64  `json:"ratio"`
	Low   *float64 `json:"low,omitempty"` // nil while there are too few observations
	High  *float64 `json:"high,omitempty"`
	Alpha float64  `json:"alpha"` // chance that the bounds are wrong
	// independent observations: launches of both programs, pairs of a command's runs, or runs that count
	Launches int     `json:"launches"`
	Seconds  float64 `json:"seconds"`          // of the comparison, builds included
	Same     string  `json:"same,omitempty"`   // why the two cannot differ; then nothing was measured
	Failed   string  `json:"failed,omitempty"` // why nothing can be known of the candidate
}

// Judge returns what so many observations show: each is the log ratio of a launch, in the
// order in which they were taken.
//
// The bounds are valid at every number of observations at once (stats.Sequence), so one may
// look after each of them and stop for any reason.
func (q Question) Judge(logRatios []float64) Answer {
	a := Answer{Ratio: 1, Alpha: q.Alpha, Launches: len(logRatios)}
	s, err := stats.NewSequence(1, q.Alpha/2)
	if err != nil || len(logRatios) == 0 {
		return a
	}
	for _, x := range logRatios {
		_ = s.Add(x) // a ratio that is no number is no observation
	}
	a.Ratio = s.Ratio()
	low, high, err := s.Intersection()
	if err != nil || a.Ratio < low || a.Ratio > high { // the ratio itself has moved
		low, high, err = s.Interval()
	}
	if err == nil && low > 0 && !math.IsInf(high, 1) {
		a.Low, a.High = &low, &high
	}
	return a
}

// JudgeRuns returns what so many runs of both sides show in which instructions were counted, in the order in which they
// were made. One may look after each of them: the bounds are of the last look that stats.NextLevelLook names.
func (q Question) JudgeRuns(base, own []float64) Answer {
	a := Answer{Ratio: 1, Alpha: q.Alpha, Launches: min(len(base), len(own))}
	shown, err := stats.LevelBounds(base, own, q.Alpha/2)
	if err == nil {
		a.Ratio, a.Low, a.High = shown.Value, &shown.Low, &shown.High
	}
	return a
}

// Side is the answer to a question: stats.Above if the candidate was shown to be slower by
// more than Low, stats.Below if it was shown to be slower by less than High. If both were
// shown, the nearer limit counts. While the estimate and the bounds do not agree, it is
// stats.Undecided.
func (q Question) Side(a Answer) stats.Side {
	if a.Same != "" {
		return stats.Below
	}
	if a.Low == nil || a.High == nil {
		return stats.Undecided
	}
	upper := math.Log(a.Ratio) >= (q.Low+q.High)/2
	switch {
	case upper && math.Log(*a.Low) > q.Low:
		return stats.Above
	case !upper && math.Log(*a.High) < q.High:
		return stats.Below
	}
	return stats.Undecided
}

// log is the change of time that an answer shows, as a natural logarithm.
func (a Answer) log() float64 {
	if a.Same != "" || a.Ratio <= 0 {
		return 0
	}
	return math.Log(a.Ratio)
}

// isBelow reports whether the whole interval is below a log ratio.
func (a Answer) isBelow(limit float64) bool {
	return a.Same == "" && a.High != nil && math.Log(*a.High) < limit
}

// over is the ratio of two answers about the same base: a against b. Its bounds are the
// widest that the bounds of both allow.
func (a Answer) over(b *Answer) Answer {
	c := Answer{Ratio: math.Exp(a.log() - b.log())}
	if a.Low != nil && a.High != nil && b.Low != nil && b.High != nil {
		low, high := *a.Low / *b.High, *a.High / *b.Low
		c.Low, c.High = &low, &high
	}
	return c
}
