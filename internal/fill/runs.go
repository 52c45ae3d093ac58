package fill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/suite/internal/bisect"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/history"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/tree"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
)

// Runs is the Meter that measures: each comparison is a run of the cases in two revisions, in the
// same way as suite run --against.
type Runs struct {
	Plans   []*spec.Plan // of the user's suite files
	Trees   *prepare.Trees
	With    *prepare.Comparison // how revisions are built
	Options runner.Options      // of each run; Seed and Steer are set for each
	Now     func() time.Time
	// Programs are the paths of what replaces the programs of commands, by the hashes of commits; nil: each commit has
	// its own.
	Programs map[string]string
	// During is called around each run, such as to show its progress; nil: nobody watches.
	During func(o *runner.Options) (end func())

	recent []string // revisions whose trees are kept, the newest last
}

// keptTrees is how many trees are kept: the neighbours of the next commit are likely among them.
const keptTrees = 8

func (r *Runs) keep(revisions ...string) {
	for _, revision := range revisions {
		r.recent = append(slices.DeleteFunc(r.recent, func(one string) bool { return one == revision }), revision)
	}
	r.recent = r.recent[max(0, len(r.recent)-keptTrees):]
	r.Trees.Keep(r.With.Hosts, r.recent...)
}

// Cases lists the cases of the plans, in their order.
func (r *Runs) Cases(tolerance float64) (all []Case) {
	for _, plan := range r.Plans {
		for i := range plan.Cases {
			one := &plan.Cases[i]
			metric := "time"
			if one.JudgedByInstructions() {
				metric = result.Instructions
			}
			all = append(all, Case{plan.Suite, one.Name, metric, cmp.Or(tolerance, one.Settings.Tolerance)})
		}
	}
	return all
}

// Compare implements Meter.
func (r *Runs) Compare(ctx context.Context, candidate, base tree.Commit, q Question) ([]*history.Run, []Unable, error) {
	r.keep(candidate.Hash, base.Hash)
	with := *r.With
	with.AllCases, with.Measured = q.Ends, q.Ends
	if r.Programs != nil { // what trees show is no evidence for other programs
		if !q.Measure {
			return nil, nil, nil
		}
		with.AllCases, with.Observer = true, nil
		with.Program = func(revision string) string { return r.Programs[revision] }
	}
	run, other := r.run(candidate), r.run(base)
	var unable []Unable
	var plans []*spec.Plan
	first := 0 // index of the plan's first case
	for _, plan := range r.Plans {
		part, at := some(plan, q.Cases, first)
		first += len(plan.Cases)
		if len(part.Cases) == 0 {
			continue
		}
		made, left, err := r.Trees.BetweenAll(ctx, part, candidate.Hash, base.Hash, &with)
		var all *prepare.Unable
		if err != nil && !errors.As(err, &all) {
			return nil, nil, err
		}
		for i, one := range part.Cases {
			if why := cmp.Or(left[one.Name], all); why != nil {
				unable = append(unable, Unable{at[i], why.Revision, why.Reason})
			}
		}
		if all != nil {
			continue
		}
		made.Cases = slices.DeleteFunc(made.Cases, func(one spec.Case) bool {
			if one.Counterpart.IsUnaffected() {
				run.Cases = append(run.Cases,
					history.Case{Suite: plan.Suite, Name: one.Name, Against: base.Hash, Same: one.Counterpart.Reason})
			}
			return one.Counterpart.IsUnaffected()
		})
		if len(made.Cases) > 0 {
			plans = append(plans, made)
		}
	}
	if q.Measure && len(plans) > 0 {
		failed, err := r.measure(ctx, plans, q, run, other)
		if err != nil {
			return nil, nil, err
		}
		for i, one := range r.Cases(0) {
			if why := failed[[2]string{one.Suite, one.Name}]; why != "" {
				unable = append(unable, Unable{i, candidate.Hash, why})
			}
		}
	}
	var runs []*history.Run
	for _, one := range []*history.Run{run, other} {
		if len(one.Cases) > 0 {
			sum := sha256.Sum256(fmt.Append(nil, one.Started.UnixNano(), one.Commit, candidate.Hash, base.Hash))
			one.Digest = "sha256:" + hex.EncodeToString(sum[:])
			runs = append(runs, one)
		}
	}
	return runs, unable, nil
}

// run is a run of a commit without cases.
func (r *Runs) run(commit tree.Commit) *history.Run {
	t := &r.Options.Tool
	run := &history.Run{Schema: history.Schema, Started: r.Now().UTC(), Commit: commit.Hash, Committed: commit.When,
		Author: commit.Author, Subject: commit.Subject,
		Origin: t.Name, Version: t.Version, Go: t.Go, Machine: r.Options.Machine, Filled: true}
	run.Machine.Load = ""
	return run
}

// some is a plan with the cases that are asked for, by indexes in the list of all cases;
// the plan's first case has the index first.
func some(plan *spec.Plan, asked []int, first int) (part *spec.Plan, at []int) {
	one := *plan
	one.Cases = nil
	for i := range plan.Cases {
		if slices.Contains(asked, first+i) {
			one.Cases = append(one.Cases, plan.Cases[i])
			at = append(at, first+i)
		}
	}
	return &one, at
}

// measure adds to the run of the candidate what is measured of plans and, if the question is about the
// ends, the values of the base to its run. It returns why cases have failed.
func (r *Runs) measure(
	ctx context.Context, plans []*spec.Plan, q Question, run, base *history.Run,
) (failed map[[2]string]string, err error) {
	gates := &judge.Gates{}
	for _, plan := range plans {
		plan.AskBothWays()
		if q.Alpha > 0 {
			plan.Errors.Family = q.Alpha
		}
		plan.Budget = spec.Duration(q.Limit)
		if problems := gates.Compile(plan, true); len(problems) > 0 {
			return nil, problems
		}
	}
	ready, _ := prepare.Finish(ctx, plans, prepare.Finishing{NoSentinels: true})
	verdicts := gates.Judge(ready.Plans())
	options := r.Options
	options.Seed = draw.NewSeed()
	options.Steer = verdicts.Watch()
	end := func() {}
	if r.During != nil {
		end = r.During(&options)
	}
	doc := runner.Run(ctx, ready.Plans(), options)
	end()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	commits := make([]*result.Commit, len(plans)) // nil: the work tree was not measured
	verdicts.Finish(doc, judge.Run{Commits: commits, Accept: func(*result.Document) {}})
	found := history.Of(doc)
	for i := range found.Cases {
		c := &found.Cases[i]
		c.Gates = nil
		for j := range c.Metrics {
			if ratio := c.Metrics[j].Ratio; ratio != nil {
				ratio.Confirmed = q.Alpha > 0
			}
		}
	}
	failed = map[[2]string]string{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if c.Failure != nil && c.Status == result.Failed {
			failed[[2]string{c.Suite, c.Name}] = display.FirstLine(c.Failure.Message)
		}
		if at := c.Counterpart; at != nil && at.Rule != "" && r.Programs == nil {
			same(found, c)
		}
		if q.Ends {
			base.Cases = append(base.Cases, valuesOfBase(c)...)
		}
	}
	run.Cases = append(run.Cases, slices.DeleteFunc(found.Cases, func(c history.Case) bool {
		return len(c.Metrics) == 0
	})...)
	return failed, nil
}

// same notes of a case that was measured although it cannot differ that its ratio is 1.
func same(run *history.Run, measured *result.Case) {
	for i := range run.Cases {
		c := &run.Cases[i]
		if c.Suite != measured.Suite || c.Name != measured.Name || c.Against == "" {
			continue
		}
		c.Same = string(measured.Counterpart.Rule)
		for j := range c.Metrics {
			c.Metrics[j].Ratio = nil
		}
	}
}

// valuesOfBase is the base of a case as a case of its own, if it was compared.
func valuesOfBase(c *result.Case) []history.Case {
	kept := history.Case{Suite: c.Suite, Name: c.Name, Params: c.Params}
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		if kind, known := c.Metric(o.Metric); known && !o.IsBound() {
			kept.Metrics = append(kept.Metrics, history.Metric{Name: o.Metric, Unit: o.Unit,
				Per: table.PerWhat(c, o.Metric), Better: kind.Direction, Value: o.Base})
		}
	}
	if len(kept.Metrics) == 0 {
		return nil
	}
	return []history.Case{kept}
}

// Comparable returns the plans with the cases that can be compared with another revision, without plans that have none,
// and for each other case why it cannot be. programs is set if published programs replace the plans'.
func Comparable(plans []*spec.Plan, programs bool) (left []*spec.Plan, reasons []error) {
	for _, plan := range plans {
		one := *plan
		one.Cases = slices.DeleteFunc(slices.Clone(plan.Cases), func(c spec.Case) bool {
			why := bisect.Unsearchable(plan, &c)
			if programs && (len(c.Argv) == 0 || c.Harness != nil) {
				why = diag.Hinted(fmt.Sprintf("case %q starts no program that --program could replace", c.Name),
					"a case with command: does")
			}
			if why != nil {
				reasons = append(reasons, why)
			}
			return why != nil
		})
		if len(one.Cases) > 0 {
			left = append(left, &one)
		}
	}
	return left, reasons
}
