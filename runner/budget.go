package runner

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// The least time of one observation, on a fast machine that does nothing else: a fresh
// pair of hosts and their pairs, a setup of both sides and its pairs, or a pair of
// processes.
const (
	leastLaunchTime = 40 * time.Millisecond
	leastSetUpTime  = 4 * time.Millisecond
	leastPairTime   = 2 * time.Millisecond
)

// leastTime is what the comparison of a case takes at least, both sides together, before a
// verdict is possible: its warm-up, and the least number of pieces of evidence that
// decides at an error of alpha. It is 0 for a case without a base.
func leastTime(c *spec.Case, alpha float64) time.Duration {
	if c.Base == "" && c.Other == nil {
		return 0
	}
	piece := leastPairTime
	switch {
	case c.Kind == result.KindGo && c.Other != nil:
		piece = leastLaunchTime
	case c.Kind == result.KindGo:
		piece = leastSetUpTime
	case c.Kind == result.KindGoTest:
		piece = leastLaunchTime + 2*time.Duration(c.Settings.Benchtime.Time)
	}
	return 2*time.Duration(c.Settings.Warmup) + time.Duration(stats.FirstVerdict(alpha))*piece
}

// LeastBudget is the smallest budget in which some comparing gate of a plan could reach
// a verdict, in tenths of a second; 0 if the plan has none.
func LeastBudget(plan *spec.Plan) (least time.Duration) {
	if plan.Calls == 0 {
		return 0
	}
	for i := range plan.Cases {
		if t := leastTime(&plan.Cases[i], alphaOf(plan)); t > 0 && (least == 0 || t < least) {
			least = t
		}
	}
	const step = 100 * time.Millisecond
	return (least + step - 1) / step * step
}

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
		needed += 2 * leastTime(t.spec, t.alpha())
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
