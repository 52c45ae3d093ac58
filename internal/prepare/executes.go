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
	"example.com/suite/result"
	"example.com/suite/spec"
)

// asksForExecution reports whether a case that can reach a difference is run to find out whether it executes it.
func (u *unchanged) asksForExecution(reaches *result.Evidence) bool {
	return reaches.Cause == result.EvidenceReaches && u.evidence == spec.ByExecution && u.Execute != nil && u.Observe != nil
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

// longestExecution bounds the runs that show what a case executes, as max_time does.
const longestExecution = 10 * time.Second

func (u *unchanged) executed(ctx context.Context, c *spec.Case) (way *result.Evidence, err error) {
	was := &c.Other.Case
	switch {
	case c.GoTest == nil:
		return nil, errors.New("only runs of existing benchmarks are covered")
	case was.Setup != nil || was.Cleanup != nil || was.Prepare != nil || was.Conclude != nil:
		return nil, errors.New("it has hooks")
	}
	test, ok := u.Hosts.bins[was.GoTest.Program].(*build.Test)
	if !ok {
		return nil, errors.New("suite has not built the program")
	}
	state := ""
	if u.State != nil {
		state = u.State(u.plan.Other, was)
	}
	if state == "" {
		return nil, errors.New("what it has looked at may be different the next time")
	}
	s := &was.Settings
	coverage, err := u.Execute(ctx, executed.Benchmark{Test: test, Name: was.GoTest.Benchmark, Procs: cmp.Or(was.GoTest.Procs, runtime.GOMAXPROCS(0)), Env: was.Env,
		N: int(s.Benchtime.N), Goal: time.Duration(s.Benchtime.Time), Limit: min(time.Duration(s.MaxTime), longestExecution), State: state})
	if err != nil {
		return nil, err
	}
	function, _, _ := strings.Cut(c.GoTest.Benchmark, "/")
	difference, err := u.reach[u.programs(c)].Executing(function, coverage)
	if difference == nil || err != nil {
		return nil, err
	}
	return evidence(result.EvidenceExecutes, difference), nil
}
