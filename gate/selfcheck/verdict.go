package selfcheck

import (
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/stats"
)

// suspicion is the probability that one of the four tests (comparisons and suites, of two kinds each)
// calls a machine unfit by chance alone. It is 0.1 % for all four together.
const suspicion = 0.001 / 4

// judge fills in the verdict: unfit if identical code was called worse or better more
// often than chance allows. The test is exact. Given the times of both setups in each
// slot, only coins are random (which side is set up first, and which goes first in each
// pair). Every comparison has coins of its own, and is called different with a chance of
// at most 2·α, so the number of such calls is at most binomial.
func (r *Report) judge() {
	var unfit []string
	for _, a := range r.Alarms {
		if a.Tolerance != 0 {
			continue
		}
		different := a.Worse.Hits + a.Better.Hits
		if exceeds(different, a.Comparisons, 2*a.Alpha) {
			unfit = append(unfit,
				fmt.Sprintf("%d of %d A/A comparisons of %s were called different, where at most %s may be",
					different, a.Comparisons, a.Kind, units.Rough(2*a.Alpha)))
		}
	}
	for _, s := range r.Suites {
		if exceeds(s.Red.Hits, s.Suites, s.Family) {
			unfit = append(unfit,
				fmt.Sprintf("%d of %d suites of identical %s were red, where at most %s may be",
					s.Red.Hits, s.Suites, s.Kind, units.Rough(s.Family)))
		}
	}
	switch {
	case len(r.Alarms) == 0:
		r.Verdict, r.Text = Unknown, "nothing is known: no comparison was completed"
	case len(unfit) > 0:
		r.Verdict, r.Text = Unfit, "unfit: "+strings.Join(unfit, ", and ")
	default:
		r.Verdict, r.Text = Fit, "this machine can judge differences "+r.reach()
	}
}

// exceeds reports whether the probability of so many hits is below suspicion, if the probability of
// each is at most p.
func exceeds(hits, trials int, p float64) bool {
	return stats.LowerBound(hits, trials, 1-suspicion) > p
}

// reach returns the smallest change that is found, by kind, in words.
func (r *Report) reach() string {
	var parts []string
	for _, kind := range []string{Functions, Commands} {
		worst, known := 0.0, false
		for _, f := range r.Floors {
			if f.Kind != kind {
				continue
			}
			known = true
			if f.Smallest == nil {
				worst = math.Inf(1)
			} else {
				worst = max(worst, *f.Smallest)
			}
		}
		switch {
		case known && math.IsInf(worst, 1):
			parts = append(parts, "of "+kind+" in longer runs alone")
		case known:
			parts = append(parts, fmt.Sprintf("from %s on (%s)", units.Rough(worst), kind))
		}
	}
	return strings.Join(parts, ", ")
}
