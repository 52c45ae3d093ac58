package bisect

import (
	"context"
	"errors"

	"example.com/suite/internal/display"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// Runs is the Meter that measures: each comparison is a run of the case in two revisions, in
// the same way as suite run --against.
type Runs struct {
	Plan    *spec.Plan // of the user's suite file, with one case
	Trees   *prepare.Trees
	With    *prepare.Comparison // how revisions are built
	Options runner.Options      // of each run; Seed and Steer are set for each
	// During is called around each run, such as to show its progress; nil: nobody watches.
	During func(o *runner.Options) (end func())
}

// Same is why nothing that the case depends on differs between two commits, or empty.
func (r *Runs) Same(ctx context.Context, a, b tree.Commit) (string, error) {
	plan, err := r.Trees.Between(ctx, r.Plan, a.Hash, b.Hash, r.With)
	if err != nil {
		return "", err
	}
	return sameReason(plan), nil
}

func sameReason(plan *spec.Plan) string {
	if at := plan.Cases[0].Counterpart; at.IsUnaffected() {
		return at.Reason
	}
	return ""
}

// mostSamples keeps the number of samples from ending a comparison.
const mostSamples = 1 << 24

// Compare measures launches of both commits until they answer the question.
func (r *Runs) Compare(ctx context.Context, candidate, base tree.Commit, q Question) (Answer, error) {
	plan, err := r.Trees.Between(ctx, r.Plan, candidate.Hash, base.Hash, r.With)
	if err != nil {
		return Answer{}, err
	}
	if why := sameReason(plan); why != "" {
		return Answer{Ratio: 1, Same: why}, nil
	}
	plan.Errors.Family = q.Alpha / 2
	plan.Calls = 1
	settings := &plan.Cases[0].Settings
	settings.MaxTime = spec.Duration(q.Limit)
	settings.SamplesMax = mostSamples
	options := r.Options
	options.Seed = draw.NewSeed()
	options.Steer = steerer{q}
	if r.During != nil {
		defer r.During(&options)()
	}
	limited, cancel := context.WithTimeout(ctx, q.Limit)
	defer cancel()
	doc := runner.Run(limited, []*spec.Plan{plan}, options)
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	c := &doc.Cases[0]
	if c.Failure != nil && c.Status == result.Failed {
		return Answer{}, &prepare.Unable{Revision: candidate.Hash, Reason: display.FirstLine(c.Failure.Message)}
	}
	if c.Counted == nil && (c.Pairs == nil || c.Samples.Len() == 0) {
		if limited.Err() != nil {
			return q.Judge(nil), nil
		}
		return Answer{}, errors.New("nothing was measured, and no reason is known")
	}
	return q.judge(c), nil
}

// judge returns what was measured of a case: runs in which valgrind has counted its instructions, or the times of
// launches.
func (q Question) judge(c *result.Case) Answer {
	if c.JudgedByInstructions() {
		base, own, _ := c.CountedRuns()
		if c.Counted != nil && c.Counted.Unplaced {
			base, own = nil, nil
		}
		return q.JudgeRuns(base, own)
	}
	return q.Judge(observations(c))
}

// observations are the log ratios of a case's launches, as verdicts count them.
func observations(c *result.Case) (logRatios []float64) {
	taken, ok := pairs.Of(c, "time")
	if !ok {
		return nil
	}
	for _, g := range taken.Groups() {
		logRatios = append(logRatios, g.Ratio)
	}
	return logRatios
}

// steerer ends a run as soon as its question is answered.
type steerer struct{ q Question }

// Open implements runner.Steerer.
func (s steerer) Open(c *result.Case) (open, decided int) {
	if s.q.Side(s.q.judge(c)) == stats.Undecided {
		return 1, 0
	}
	return 0, 1
}
