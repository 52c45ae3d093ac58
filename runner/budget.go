package runner

import (
	"time"

	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// allotted is the time that the sides of a window may take together, 0 for any. A budget
// is shared out evenly, so that it shortens all cases and drops none. If a verdict needs more
// than an even share, the cases of the first windows get twice what a verdict takes at least,
// and later ones what is left: some verdicts are worth more than none.
func allotted(plan *spec.Plan, gone time.Duration, tracks []*track, left int) time.Duration {
	if plan.Budget == 0 {
		return 0
	}
	rest := max(time.Duration(plan.Budget)-gone, 1)
	even := rest * time.Duration(sides(tracks)) / time.Duration(max(left, 1))
	var needed time.Duration
	for _, t := range tracks {
		needed += 2 * forecast.LeastTime(t.spec, t.alpha())
	}
	return min(max(even, needed, time.Duration(sides(tracks))), rest)
}

// shareOut divides the remaining time of the window among the sides of the cases that go
// on, so that what decided cases did not use serves the others.
func (w *window) shareOut() {
	if w.allotted == 0 {
		return
	}
	var spent, open time.Duration
	going := 0
	for _, t := range w.tracks {
		spent += t.spent()
		if !t.done {
			open += t.spent()
			going += len(t.sides())
		}
	}
	if going > 0 {
		w.allowance = max((max(w.allotted-spent, 0)+open)/time.Duration(going), 1)
	}
}
