package runner

import (
	"time"

	"example.com/suite/spec"
	"example.com/suite/stats"
)

// Expected estimates how long the cases of a plan are measured: if no gate is open at
// the end, and if each case takes its max_time. Building and starting what is measured
// is not included.
func Expected(plan *spec.Plan) (usual, most time.Duration) {
	sides := func(c *spec.Case) time.Duration {
		if c.Base != "" || c.Other != nil {
			return 2
		}
		return 1
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		most += sides(c) * time.Duration(c.Settings.MaxTime)
	}
	if plan.Sentinel != nil {
		most += 2 * time.Duration(plan.Sentinel.Settings.MaxTime)
	}
	if plan.Budget > 0 {
		most = min(most, time.Duration(plan.Budget))
	}
	return min(expected(plan), most), most
}

// usualShare is the share of observations on the true side of a limit for which the number
// of pairs is stated, as by suite check --plan: a change of about the noise of one
// observation has this share.
const usualShare = 0.8

// neededPairs estimates how many pairs the verdicts of a case will take in all, in the
// median, if its later blocks are like the earlier ones; 0 if no gate is open.
func (t *track) neededPairs() int {
	if t.open == 0 {
		return 0
	}
	of := 1 // commands: each pair is an observation
	if !t.isCommand() {
		of = blockSize
		if t.Blocks > 0 {
			of = (t.result.Samples.Len() + t.Blocks - 1) / t.Blocks
		}
	}
	pieces, _ := stats.PairsToVerdict(1000, t.alpha(), usualShare, 0.5) // 5 µs at an error of 10⁻⁵
	return of * pieces
}
