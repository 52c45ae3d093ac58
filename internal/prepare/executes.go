package prepare

import (
	"cmp"
	"context"
	"encoding/json"
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
	if u.Observer.State(u.plan.Other, &c.Other.Case) == "" {
		return nil, errors.New("what it has looked at may be different the next time")
	}
	t := u.runTogether(ctx, c)
	if t.idle {
		return nil, nil
	}
	difference, err := t.alone(func(limit time.Duration) (*reach.Difference, error) {
		return u.executing(ctx, limit, c)
	})
	if difference == nil || err != nil {
		return nil, err
	}
	if difference.Might {
		return evidence(result.EvidenceMayExecute, difference), nil
	}
	return evidence(result.EvidenceExecutes, difference), nil
}

// executing returns the way to what is executed of a difference by one of several cases, which are benchmarks of one
// function if there is more than one. It is nil if none executes anything of it. All runs together may take as long as
// limit.
func (u *unchanged) executing(
	ctx context.Context, limit time.Duration, cases ...*spec.Case,
) (*reach.Difference, error) {
	coverage, err := u.coverage(ctx, limit, cases)
	if err != nil {
		return nil, err
	}
	return u.reach[u.programs(cases[0])].Executing(function(cases[0]), coverage)
}

// function is the function of a benchmark, "" for a registered function.
func function(c *spec.Case) string {
	if c.GoTest == nil {
		return ""
	}
	name, _, _ := strings.Cut(c.GoTest.Benchmark, "/")
	return name
}

// coverage returns what cases of the other tree execute.
func (u *unchanged) coverage(
	ctx context.Context, limit time.Duration, cases []*spec.Case,
) (*reach.Coverage, error) {
	was := &cases[0].Other.Case
	var state string
	var names []string
	for _, c := range cases {
		state += u.Observer.State(u.plan.Other, &c.Other.Case)
		if c.GoTest != nil {
			names = append(names, c.Other.Case.GoTest.Benchmark)
		}
	}
	s := &was.Settings
	if was.GoTest == nil {
		program := u.Hosts.Program(u.plan.Other)
		if program == nil {
			return nil, errors.New("suite has not built the program")
		}
		asked, err := json.Marshal(was)
		if err != nil {
			return nil, err
		}
		return u.Executed.Function(ctx, executed.Function{Program: program, Case: string(asked),
			Limit: limit, State: state,
			Measure: func(ctx context.Context, host []string, n int64) (int64, error) {
				return u.Observer.Measure(ctx, u.plan.Other, was, host, n)
			}})
	}
	test, ok := u.Hosts.bins[was.GoTest.Program].(*build.Test)
	if !ok {
		return nil, errors.New("suite has not built the program")
	}
	return u.Executed.Benchmark(ctx, executed.Benchmark{Test: test, Names: names,
		Procs: cmp.Or(was.GoTest.Procs, runtime.GOMAXPROCS(0)), Env: was.Env,
		N: int(s.Benchtime.N), Goal: time.Duration(s.Benchtime.Time), Limit: limit, State: state})
}
