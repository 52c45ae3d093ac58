// Package forecast knows how long a plan will be measured, from the plan alone: usually, at
// most, and at least before a verdict is possible. It measures nothing.
package forecast

import (
	"time"

	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// Expected estimates how long the cases of a plan are measured: if no gate is open at
// the end, and if each case takes its max_time. Building what is measured is not included.
func Expected(plan *spec.Plan) (usual, most time.Duration) {
	for i := range plan.Cases {
		most += time.Duration(plan.Cases[i].Settings.MaxTime)
	}
	if asksSentinel(plan) {
		most += time.Duration(plan.Sentinel.Settings.MaxTime)
	}
	if plan.Budget > 0 {
		most = min(most, time.Duration(plan.Budget))
	}
	return min(Usual(plan), most), most
}

// asksSentinel reports whether a suite file asks for the sentinel. One that nobody asks for
// takes a share of the time of others only.
func asksSentinel(plan *spec.Plan) bool {
	return plan.Sentinel != nil && plan.Errors.Sentinel != nil && *plan.Errors.Sentinel
}

// hasBase reports whether a case is compared with another side.
func hasBase(c *spec.Case) bool { return c.Base != "" || c.Other != nil }

// Usual estimates how long a plan takes if no gate asks for more samples.
func Usual(plan *spec.Plan) (sum time.Duration) {
	for i := range plan.Cases {
		sum += UsualTime(&plan.Cases[i], Alpha(plan))
	}
	if asksSentinel(plan) {
		sum += UsualTime(plan.Sentinel, result.SentinelAlpha)
	}
	if plan.Budget > 0 {
		sum = min(sum, time.Duration(plan.Budget))
	}
	return sum
}

// UsualTime estimates how long both sides of a case take if its verdict, at an error of alpha,
// needs no more observations than the least; 0 for a case that is not measured.
func UsualTime(c *spec.Case, alpha float64) time.Duration {
	switch {
	case c.Counterpart.IsUnaffected(), len(c.Missing) > 0:
		return 0
	case c.JudgedByInstructions():
		return min(countedTime(c), time.Duration(c.Settings.MaxTime))
	case !hasBase(c):
		return CaseTime(&c.Settings)
	}
	return min(max(2*CaseTime(&c.Settings), LeastTime(c, alpha)), time.Duration(c.Settings.MaxTime))
}

// CaseTime estimates how long one side of a case takes with these settings.
func CaseTime(s *spec.Settings) time.Duration {
	return min(time.Duration(s.Warmup+s.TargetTime), time.Duration(s.MaxTime))
}

// The least time of one observation, on a fast machine that does nothing else: a fresh
// pair of hosts and their pairs, a setup of both sides and its pairs, or a pair of
// processes.
const (
	leastLaunchTime = 40 * time.Millisecond
	leastSetUpTime  = 4 * time.Millisecond
	leastPairTime   = 2 * time.Millisecond
)

// leastArrivals is how many iterations an observation of a case with arrivals waits for at
// least: one for each batch of three pairs.
const leastArrivals = 6

// LeastTime is what the comparison of a case takes at least, both sides together, before a
// verdict is possible: its warm-up, and the least number of observations that decide at an
// error of alpha. It is 0 for a case without a base.
func LeastTime(c *spec.Case, alpha float64) time.Duration {
	if !hasBase(c) {
		return 0
	}
	if c.JudgedByInstructions() {
		return countedTime(c)
	}
	observation := leastPairTime
	switch {
	case c.Kind == result.KindGo && c.Other != nil:
		observation = leastLaunchTime
	case c.Kind == result.KindGo:
		observation = leastSetUpTime
	case c.Kind == result.KindGoTest:
		observation = leastLaunchTime + 2*time.Duration(c.Settings.Benchtime.Time)
	}
	if rate := c.Settings.Arrivals; rate > 0 && c.Kind == result.KindGo {
		observation += time.Duration(leastArrivals / rate * float64(time.Second))
	}
	return 2*time.Duration(c.Settings.Warmup) + time.Duration(stats.FirstVerdict(Within(alpha)))*observation
}

// leastCountedRun is what a short run takes in which valgrind counts, most of it to start.
const leastCountedRun = 100 * time.Millisecond

// countedTime is what counting the sides of a case takes if the first look decides.
func countedTime(c *spec.Case) time.Duration {
	sides := 1
	if hasBase(c) {
		sides = 2
	}
	return time.Duration(sides*stats.NextLevelLook(0, result.WithinAlpha)) * leastCountedRun
}

// LeastBudget is the smallest budget in which some comparing gate of a plan could reach
// a verdict, in tenths of a second; 0 if the plan has none.
func LeastBudget(plan *spec.Plan) (least time.Duration) {
	if plan.Calls == 0 {
		return 0
	}
	for i := range plan.Cases {
		if t := LeastTime(&plan.Cases[i], Alpha(plan)); t > 0 && (least == 0 || t < least) {
			least = t
		}
	}
	const step = 100 * time.Millisecond
	return (least + step - 1) / step * step
}

// Within is the error of a call that the change is not beyond the tolerance, if alpha is that of an alarm.
func Within(alpha float64) float64 { return max(alpha, result.WithinAlpha) }

// Alpha is the error of each comparative call of a plan: the plan's error, divided among
// all of its calls.
func Alpha(plan *spec.Plan) float64 {
	family := plan.Errors.Family
	if !(family > 0 && family < 1) {
		family = defaults.Family
	}
	return family / float64(max(1, plan.Calls))
}
