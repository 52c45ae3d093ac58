package prepare

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/executed"
	"example.com/suite/internal/reach"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// asksForExecution reports whether a case that can reach a difference is run to find out whether it executes it.
func (u *unchanged) asksForExecution(reaches *result.Evidence) bool {
	return reaches.Cause == result.EvidenceReaches && u.evidence == spec.ByExecution &&
		u.Executed != nil && u.Observer != nil
}

// executes returns why a case is measured that can reach a difference: the way to what it executes of it, or the way
// that it can reach and why nothing more is known. It is nil if it executes nothing of it.
func (u *unchanged) executes(ctx context.Context, c *spec.Case, reaches *result.Evidence) *result.Evidence {
	way, err := u.executed(ctx, c)
	if err != nil {
		unknown := *reaches
		unknown.Unknown = err.Error()
		return &unknown
	}
	return way
}

// unobserved returns the evidence for a case that can reach a difference, and of which what it reads is not known, or
// differs.
func unobserved(reaches, why *result.Evidence) *result.Evidence {
	if why.Cause == result.EvidenceReads {
		return reaches
	}
	unknown := *reaches
	unknown.Unknown = why.String()
	return &unknown
}

// longestExecution bounds the runs that show what a case executes, as max_time does.
const longestExecution = 10 * time.Second

func (u *unchanged) executed(ctx context.Context, c *spec.Case) (way *result.Evidence, err error) {
	if hasHooks(c) {
		return nil, errors.New("it has hooks")
	}
	if u.state(c) == "" {
		return nil, errors.New("what it has looked at may be different the next time")
	}
	if k := u.known(c); k != nil {
		difference, err := u.executing(k, c)
		if difference == nil && err == nil || !k.Shared {
			return wayTo(difference), err
		}
	}
	t := u.runTogether(ctx, c)
	if t.idle {
		return nil, nil
	}
	difference, err := t.alone(func(limit time.Duration) (*reach.Difference, error) {
		return u.running(ctx, limit, c)
	})
	return wayTo(difference), err
}

// wayTo returns the evidence for a case that executes a difference, nil if there is none.
func wayTo(d *reach.Difference) *result.Evidence {
	switch {
	case d == nil:
		return nil
	case d.Might:
		return evidence(result.EvidenceMayExecute, d)
	}
	return evidence(result.EvidenceExecutes, d)
}

// running runs several cases, which are benchmarks of one function if there is more than one, and returns the way to
// what is executed of a difference by one of them. It is nil if none executes anything of it. All runs together may
// take as long as limit.
func (u *unchanged) running(
	ctx context.Context, limit time.Duration, cases ...*spec.Case,
) (*reach.Difference, error) {
	state, bases := "", make([]*spec.Case, len(cases))
	for i, c := range cases {
		state += u.state(c)
		bases[i] = &c.Other.Case
	}
	runs, err := u.runsOf(u.plan.Other, limit, state, bases...)
	if err != nil {
		return nil, err
	}
	k, err := u.Executed.Of(ctx, runs)
	if err != nil {
		return nil, err
	}
	difference, err := u.executing(k, cases[0])
	if difference == nil && err == nil {
		for _, c := range cases {
			u.idle[c] = &executed.Known{Coverage: k.Coverage, At: k.At, Shared: len(cases) > 1}
		}
	}
	return difference, err
}

// executing returns the way to what a case executes of a difference, nil if it executes nothing of it.
func (u *unchanged) executing(k *executed.Known, c *spec.Case) (*reach.Difference, error) {
	return u.reach[u.programs(c)].Executing(function(c), k.Coverage)
}

// function is the function of a benchmark, "" for a registered function.
func function(c *spec.Case) string {
	if c.GoTest == nil {
		return ""
	}
	name, _, _ := strings.Cut(c.GoTest.Benchmark, "/")
	return name
}

// state names a case of the other tree and all that it was observed to look at, "" if that is not known.
func (u *unchanged) state(c *spec.Case) string {
	return u.Observer.State(u.plan.Other, &c.Other.Case, u.other.Root)
}

// known returns what a case of the other tree executes, nil if that is not known.
func (u *unchanged) known(c *spec.Case) *executed.Known {
	state := u.state(c)
	if u.Executed == nil || state == "" {
		return nil
	}
	runs, err := u.runsOf(u.plan.Other, 0, state, &c.Other.Case)
	if err != nil {
		return nil
	}
	return u.Executed.Known(runs)
}

// adopt notes that a case does in this tree what it does in the other one. So what is known of it need not be found out
// again when this tree is the base.
func (u *unchanged) adopt(c *spec.Case, rule result.UnaffectedRule) {
	if u.Observer == nil || rule == "" || rule == result.SameInputs { // nobody has proved what the suite file says
		return
	}
	k := cmp.Or(u.idle[c], u.known(c))
	state := u.Observer.Adopt(u.plan.Other, &c.Other.Case, u.other.Root, u.plan, c, u.root(u.other))
	if k == nil || state == "" {
		return
	}
	if rule != result.SameProgram { // else nothing has moved
		moved := u.reach[u.programs(c)].Moved(function(c), k.Coverage)
		if moved == nil {
			return
		}
		k = &executed.Known{Coverage: moved, Shared: k.Shared, At: k.At}
	}
	if runs, err := u.runsOf(u.plan, 0, state, c); err == nil {
		u.Executed.Adopt(runs, k)
	}
}

// runsOf returns how cases of a plan are run to find out what they execute.
func (u *unchanged) runsOf(
	plan *spec.Plan, limit time.Duration, state string, cases ...*spec.Case,
) (executed.Case, error) {
	c := cases[0]
	if c.GoTest == nil {
		program := u.Hosts.Program(plan)
		if program == nil {
			return nil, errors.New("suite has not built the program")
		}
		return &executed.Function{Program: program, Limit: limit, State: state,
			Measure: func(ctx context.Context, host []string, n int64, life time.Duration) (int64, error) {
				return u.Observer.Measure(ctx, plan, c, host, n, life)
			}}, nil
	}
	test, ok := u.Hosts.bins[c.GoTest.Program].(*build.Test)
	if !ok {
		return nil, errors.New("suite has not built the program")
	}
	b := &executed.Benchmark{Test: test, Procs: cmp.Or(c.GoTest.Procs, runtime.GOMAXPROCS(0)), Env: c.Env,
		N: int(c.Settings.Benchtime.N), Goal: time.Duration(c.Settings.Benchtime.Time), Limit: limit, State: state}
	for _, one := range cases {
		b.Names = append(b.Names, one.GoTest.Benchmark)
	}
	return b, nil
}
