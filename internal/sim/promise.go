package sim

import "example.com/suite/stats"

// A Promise is that something happens in at most a share of trials. Tests show that promises are
// kept: a quarter of the trials is enough for one that is kept by a wide margin.
type Promise struct {
	Share      float64
	Confidence float64 // a promise that is broken passes with a chance of 1 − Confidence at most
	Trials     int     // at most
}

// looks is how often Kept looks: after a quarter of the trials, after a half, and after all.
const looks = 3

// Kept runs trials until they show that the promise is kept, and reports whether they do, and how
// many it has run. run makes the trials from one number up to another, and returns the hits of all
// trials so far.
func (p Promise) Kept(run func(from, to int) (hits int)) (kept bool, trials int) {
	conf := 1 - (1-p.Confidence)/looks // any of the looks may be wrong
	for look := looks - 1; look >= 0; look-- {
		from := trials
		trials = p.Trials >> look
		if stats.UpperBound(run(from, trials), trials, conf) <= p.Share {
			return true, trials
		}
	}
	return false, trials
}
