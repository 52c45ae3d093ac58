package profile

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Variable is the default of --profile.
const Variable = "SUITE_PROFILE"

// Words of --profile that are no kinds.
const (
	Failed = "failed"
	None   = "none"
)

// passKinds are all kinds, in the order of the passes.
var passKinds = []result.ProfileKind{result.ProfileCPU, result.ProfileAlloc, result.ProfileMutex, result.ProfileBlock}

// KindList lists all kinds in the order of the passes, with commas between them.
func KindList() string {
	var names []string
	for _, kind := range passKinds {
		names = append(names, string(kind))
	}
	return strings.Join(names, ",")
}

// Choice is what is profiled after the samples.
type Choice struct {
	Kinds []result.ProfileKind // in the order of the passes; empty: none
	Every bool                 // every measured case, and not only those that failed
}

// ParseChoice reads the value of --profile, or of Variable if the flag was not given.
func ParseChoice(flag string, lookup func(string) (string, bool)) (Choice, error) {
	source, text := "--profile", flag
	if text == "" {
		source = Variable
		text, _ = lookup(Variable)
	}
	switch text {
	case "", Failed:
		return Choice{Kinds: passKinds}, nil
	case None:
		return Choice{}, nil
	}
	c := Choice{Every: true}
	for word := range strings.SplitSeq(text, ",") {
		kind := result.ProfileKind(strings.TrimSpace(word))
		if !slices.Contains(passKinds, kind) {
			return c, diag.Hinted(fmt.Sprintf("%s: unknown profile %q", source, word),
				"known: failed, none, "+strings.ReplaceAll(KindList(), ",", ", "))
		}
		if !slices.Contains(c.Kinds, kind) {
			c.Kinds = append(c.Kinds, kind)
		}
	}
	slices.SortFunc(c.Kinds, func(a, b result.ProfileKind) int {
		return cmp.Compare(slices.Index(passKinds, a), slices.Index(passKinds, b))
	})
	return c, nil
}

// Chosen are the targets of a judged document: every case that was measured, or those with a
// failed comparison, those with the largest changes first. Failed cases whose cause is counted have the reason for not
// being targets.
func (c Choice) Chosen(plans []*spec.Plan, doc *result.Document) (all []Target) {
	if len(c.Kinds) == 0 {
		return nil
	}
	for _, plan := range plans {
		for i := range plan.Cases {
			one := &plan.Cases[i]
			for j := range doc.Cases {
				got := &doc.Cases[j]
				switch {
				case got.Suite != plan.Suite || got.Name != one.Name || got.Status != result.Measured,
					!c.Every && !failedComparison(got):
				case !c.Every && causeIsCounted(got):
					got.Profiling = &result.Profiling{Reason: result.ProfileCounted,
						Text: "instructions have moved with the time, and name the functions that execute more",
						Hint: "suite run --profile " + KindList() + " --only " + got.Name}
				default:
					all = append(all, Target{Plan: plan, Case: one, Result: got, Bytes: failedOnBytes(got)})
				}
			}
		}
	}
	if !c.Every {
		slices.SortStableFunc(all, func(a, b Target) int { return cmp.Compare(changeOf(b.Result), changeOf(a.Result)) })
	}
	return all
}

// Most is how many of so many targets are profiled.
func (c Choice) Most(targets int) int {
	if c.Every {
		return targets
	}
	return min(targets, MostCases)
}

// Together is how long the targets are profiled at most, all of them together: people wait for
// it who know the verdict already. If nobody asked for profiles, it is no longer than
// measuring these cases took, and than the longest of their max_time.
func (c Choice) Together(targets []Target) (limit time.Duration) {
	targets = targets[:c.Most(len(targets))]
	if c.Every {
		return time.Duration(len(targets)) * Limit
	}
	most := 0.0
	for _, one := range targets {
		limit += time.Duration(one.Result.Seconds * 1e9)
		most = max(most, one.Result.Settings.MaxTime)
	}
	return min(limit, time.Duration(most*1e9))
}

// TakeAll profiles targets and adds to each case of the document what that shows, or why it was
// not profiled. It changes nothing else in the document but the wall time of the run.
func (c Choice) TakeAll(ctx context.Context, targets []Target, doc *result.Document, o Options) (all []File) {
	left := budgets(targets, doc)
	together := c.Together(targets)
	for i, one := range targets {
		if i >= c.Most(len(targets)) {
			one.Result.Profiling = &result.Profiling{Reason: result.ProfileTooMany,
				Text: fmt.Sprintf("%d other cases of this run were profiled, with larger changes", MostCases),
				Hint: "suite run --profile " + KindList() + " --only " + one.Result.Name}
			continue
		}
		if ctx.Err() != nil {
			one.Result.Profiling = &result.Profiling{Reason: result.ProfileInterrupted,
				Text: "a signal ended the profiling of other cases"}
			continue
		}
		one.Limit = Limit
		if !c.Every {
			one.Limit = min(Limit, together)
		}
		room, bounded := left[one.Plan]
		if bounded {
			one.Limit = min(one.Limit, room)
		}
		if one.Limit <= 0 {
			one.Result.Profiling = &result.Profiling{Reason: result.ProfileNoTime,
				Text: "the time for profiles, or the budget of the suite, is used up"}
			continue
		}
		o.Kinds = c.Kinds
		taken, files := Take(ctx, one, o)
		one.Result.Profiling = taken
		doc.Seconds += taken.Seconds
		together -= time.Duration(taken.Seconds * 1e9)
		if bounded {
			left[one.Plan] = room - time.Duration(taken.Seconds*1e9)
		}
		all = append(all, files...)
	}
	return all
}

// budgets has what the samples have left of the budgets of suites.
func budgets(targets []Target, doc *result.Document) map[*spec.Plan]time.Duration {
	left := map[*spec.Plan]time.Duration{}
	for _, one := range targets {
		if one.Plan.Budget > 0 {
			left[one.Plan] = time.Duration(one.Plan.Budget) - time.Duration(doc.Seconds*1e9)
		}
	}
	return left
}

// changeOf is the ratio of a case's time to its base's, 0 if they were not compared.
func changeOf(c *result.Case) float64 {
	if o := c.Comparison("time"); o != nil {
		return float64(o.Ratio)
	}
	return 0
}

// simulatedClock is the clock of tests, in whose time no profiler reads.
const simulatedClock = "fake"

// failedComparison reports whether a gate failed that compares a case with a base that can
// be run again.
func failedComparison(c *result.Case) bool {
	return c.Status == result.Measured && c.Pairs != nil && !c.JudgedByInstructions() && c.Clock != simulatedClock &&
		slices.ContainsFunc(c.Gates, func(g result.Gate) bool { return g.Verdict == result.Fail && g.Compares })
}

// countedShare is the part of a change of the instructions that functions account for if they are its cause.
const countedShare = 0.8

// causeIsCounted reports whether all failed comparisons of a case are about time, the instructions have moved with it,
// and valgrind has counted which functions execute more. Profiles could only divide the same change less exactly.
func causeIsCounted(c *result.Case) bool {
	time := c.Comparison("time")
	if time == nil || time.Witness == nil || time.Witness.Cause != result.WitnessCode || c.Counted == nil {
		return false
	}
	for i := range c.Gates {
		if g := &c.Gates[i]; g.Verdict == result.Fail && g.Compares &&
			slices.ContainsFunc(g.Reads, func(r result.Reading) bool { return r.Metric != "time" }) {
			return false
		}
	}
	moved := 0.0
	for _, f := range c.Counted.Moved {
		moved += f.Candidate - f.Base
	}
	return moved/(time.Witness.Candidate-time.Witness.Base) >= countedShare
}

// failedOnBytes reports whether all failed comparisons of a case are about allocations.
func failedOnBytes(c *result.Case) bool {
	failed := false
	for i := range c.Gates {
		g := &c.Gates[i]
		if g.Verdict != result.Fail || !g.Compares {
			continue
		}
		failed = true
		if !slices.ContainsFunc(g.Reads, func(r result.Reading) bool {
			return r.Metric == "allocs" || r.Metric == "heap"
		}) ||
			slices.ContainsFunc(g.Reads, func(r result.Reading) bool {
				return r.Metric != "allocs" && r.Metric != "heap"
			}) {
			return false
		}
	}
	return failed
}
