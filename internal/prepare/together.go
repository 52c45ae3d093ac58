package prepare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/suite/internal/executed"
	"example.com/suite/internal/reach"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// together is what is known of benchmarks of one function that were run together.
type together struct {
	cases []*spec.Case
	idle  bool          // none of them executes anything that differs
	slow  bool          // no time is left
	limit time.Duration // of the runs of one of them
	most  time.Duration // of the runs of all of them, together and one by one
	spent time.Duration
}

// Runs of the benchmarks of a function may take mostTogether, or mostEach for each of them if that is more. One of
// these runs calls the function once for each of its benchmarks, and samples of them call it more often.
const (
	mostTogether = 30 * time.Second
	mostEach     = 4 * time.Second
)

// runTogether runs all benchmarks of the function of a case, once for all of them: what they need is then prepared in
// fewer processes. If none of them executes anything that differs, the case does not either.
func (u *unchanged) runTogether(ctx context.Context, c *spec.Case) *together {
	if t := u.ran[c]; t != nil {
		return t
	}
	t := &together{limit: min(time.Duration(c.Other.Case.Settings.MaxTime), longestExecution), cases: u.siblings(ctx, c)}
	n := time.Duration(max(len(t.cases), 1))
	t.most = min(n*t.limit, max(mostTogether, n*mostEach))
	for _, one := range t.cases {
		u.ran[one] = t
	}
	if len(t.cases) < 2 {
		return t
	}
	since := time.Now()
	difference, err := u.running(ctx, t.most, t.cases...)
	t.spent = time.Since(since)
	t.idle = difference == nil && err == nil
	slow := (*executed.SlowError)(nil)
	t.slow = errors.As(err, &slow)
	return t
}

// alone runs one of the benchmarks alone, within the time that is left for all of them.
func (t *together) alone(run func(limit time.Duration) (*reach.Difference, error)) (*reach.Difference, error) {
	if t.slow || t.spent >= t.most {
		return nil, fmt.Errorf("the runs of benchmarks of its function take longer than %s", t.most)
	}
	since := time.Now()
	defer func() { t.spent += time.Since(since) }()
	return run(t.limit)
}

// siblings returns the benchmarks of the function of a case, itself among them, of which the same is to be found out
// and nothing is known, and which share a process when they are measured. There are none if the case does not.
func (u *unchanged) siblings(ctx context.Context, c *spec.Case) (all []*spec.Case) {
	if !isShared(c) {
		return nil
	}
	for _, one := range u.asked {
		if one.Other == nil || u.ran[one] != nil || !isShared(one) || u.programs(one) != u.programs(c) ||
			function(one) != function(c) || !isRunAlike(&one.Other.Case, &c.Other.Case) ||
			u.isNeeded(one) || u.replaced(one) != nil {
			continue
		}
		if u.observe(ctx, one).why == nil && u.state(one) != "" && (one == c || u.known(one) == nil) {
			all = append(all, one)
		}
	}
	return all
}

// isShared reports whether a process takes samples of a benchmark among those of others.
func isShared(c *spec.Case) bool {
	was := &c.Other.Case
	return c.GoTest != nil && was.GoTest.Serves && was.Settings.Isolate != result.IsolateSample && !hasHooks(c)
}

// isRunAlike reports whether two benchmarks of a program are of one function, and run with the same arguments but for
// their names.
func isRunAlike(a, b *spec.Case) bool {
	return function(a) == function(b) && a.GoTest.Procs == b.GoTest.Procs && slices.Equal(a.Env, b.Env) &&
		a.Settings.Benchtime == b.Settings.Benchtime && a.Settings.MaxTime == b.Settings.MaxTime
}

// hasHooks reports whether a benchmark has hooks, which no run with coverage calls.
func hasHooks(c *spec.Case) bool {
	was := &c.Other.Case
	return c.GoTest != nil && (was.Setup != nil || was.Cleanup != nil || was.Prepare != nil || was.Conclude != nil)
}
