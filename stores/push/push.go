// Package push sends runs to stores that people already have: databases and monitoring
// systems. Every store takes the rows of package flat. The stores of this package are reached
// by HTTP; postgres and parquet have packages of their own.
package push

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/internal/units"
)

// Store is a place that keeps runs.
type Store interface {
	fmt.Stringer // its place, without secrets
	// Lacking returns the runs that the store does not have. A store that cannot be asked
	// returns all of them, and sending it a run again changes nothing there.
	Lacking(ctx context.Context, runs []*history.Run) ([]*history.Run, error)
	// Push adds the rows of one run: all of them, or none if it fails. added is false if the
	// store finds that it has the run, because another program has just sent it. A store that
	// cannot find out returns true.
	Push(ctx context.Context, rows []flat.Row) (added bool, err error)
}

// finishing is how long a run that is being sent may take after an interrupt. suite kills this
// program 10 s after one.
const finishing = 5 * time.Second

// lingering returns a context that ends so long after ctx has ended: a run whose sending is
// broken off may have arrived or not.
func lingering(ctx context.Context, after time.Duration) (late context.Context, end func()) {
	late, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(after, func() { cancel(errInterrupted) }) })
	return late, func() { stop(); cancel(nil) }
}

var errInterrupted = errors.New("interrupted")

// Runs sends the runs that a store lacks, in their order, and ends at the first failure: what
// refuses one run refuses the next. After an interrupt it finishes the run under way. Runs
// without cases have nothing to send. done states what the store has added; an error names
// what has arrived and what has not.
func Runs(ctx context.Context, s Store, runs []*history.Run) (done string, err error) {
	return send(ctx, s, runs, finishing)
}

// send is Runs with so much time for the run under way at an interrupt.
func send(ctx context.Context, s Store, runs []*history.Run, finishing time.Duration) (done string, err error) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *history.Run) bool { return len(r.Cases) == 0 })
	if i := slices.IndexFunc(runs, func(r *history.Run) bool { return r.Digest == "" }); i >= 0 {
		return "", diag.Hinted(nameOf(runs[i])+" has no digest, by which a store knows it again",
			"suite history import adds one")
	}
	if g, ok := s.(*pushgateway); ok {
		if err := g.oneOfEach(runs); err != nil {
			return "", err
		}
	}
	lacking, err := s.Lacking(ctx, runs)
	if err != nil {
		return "", err
	}
	late, end := lingering(ctx, finishing)
	defer end()
	count := 0
	for i, run := range lacking {
		if ctx.Err() != nil {
			return "", unsent(errInterrupted, lacking, i)
		}
		added, err := s.Push(late, flat.Rows(run))
		if err != nil {
			return "", unsent(err, lacking, i)
		}
		if added {
			count++
		}
	}
	done = fmt.Sprintf("pushed %s to %s", units.Plural(count, "run"), s)
	if there := len(runs) - count; there > 0 {
		done += fmt.Sprintf("; %d already there", there)
	}
	return done, nil
}

// Without returns the runs whose digests are not known.
func Without(runs []*history.Run, known map[string]bool) []*history.Run {
	return slices.DeleteFunc(slices.Clone(runs), func(r *history.Run) bool { return known[r.Digest] })
}

// unsent names the runs that arrived before a failure, and those that it has left out.
func unsent(err error, runs []*history.Run, from int) error {
	if len(runs) == 1 && !errors.Is(err, errInterrupted) {
		return err
	}
	var names []string
	for _, run := range runs {
		names = append(names, nameOf(run))
	}
	arrived := "none"
	if from > 0 {
		arrived = units.List(names[:from], 5)
	}
	return diag.Hinted(fmt.Sprintf("%v; %d of %d runs were pushed (%s), and not %s", err, from, len(runs), arrived,
		units.List(names[from:], 5)), diag.HintOf(err))
}

// nameOf names a run by its start and its commit.
func nameOf(run *history.Run) string {
	name := "the run of " + run.Started.UTC().Format("2006-01-02 15:04:05")
	if run.Commit != "" {
		name += " at " + display.Commit(run.Commit)
	}
	return name
}
