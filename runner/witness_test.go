package runner

import (
	"context"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// retired is how many instructions the bodies of this file have retired.
var retired uint64

// countedEvents replays a counter of instructions: what bodies say that they have retired.
type countedEvents struct{ names []string }

func (e *countedEvents) Metrics() []string { return e.names }

func (e *countedEvents) Read(into []timer.Count) bool {
	for i := range into {
		into[i] = timer.Count{Value: retired, Enabled: uint64(fake.Time), Running: uint64(fake.Time)}
	}
	return true
}

func (e *countedEvents) Close() error { return nil }

func openCounted(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
	return &countedEvents{names}, nil
}

func init() {
	for name, body := range map[string][2]int64{ // ns and instructions of an iteration
		"counted/base": {1000, 4000}, "counted/code": {1200, 4800}, "counted/layout": {1200, 4000},
	} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			return func(n int) {
				fake.Advance(body[0] * int64(n))
				retired += uint64(body[1] * int64(n))
			}
		})
	}
}

// pairOf measures a function against counted/base.
func pairOf(t *testing.T, machine, name string, change ...func(*spec.Case)) result.Case {
	t.Helper()
	base := function("counted/base")
	other := function(name, append([]func(*spec.Case){basedOn("counted/base")}, change...)...)
	got := runCases(t, context.Background(), machine, base, other)[1]
	if got.Status != result.Measured {
		t.Fatalf("failure %+v", got.Failure)
	}
	return got
}

func TestPairsHaveTheInstructionsOfBothSidesUnasked(t *testing.T) {
	got := pairOf(t, "counted", "counted/code")
	own, base := got.Samples.Column("instructions"), got.Pairs.Samples.Column("instructions")
	if len(own) == 0 || len(own) != len(base) {
		t.Fatalf("%d and %d instructions in %d pairs; %q", len(own), len(base), got.Samples.Len(), got.Pairs.NoInstructions)
	}
	for i := range own {
		if own[i] != 4800 || base[i] != 4000 {
			t.Errorf("pair %d: %g and %g", i, own[i], base[i])
		}
	}
	if got.Pairs.NoInstructions != "" || len(got.Settings.Counters) > 0 || warned(got, "no-counters") {
		t.Errorf("%q, counters %v, warnings %+v", got.Pairs.NoInstructions, got.Settings.Counters, got.Warnings)
	}
}

func TestCasesWithoutABaseAreNotCounted(t *testing.T) {
	got := runCases(t, context.Background(), "counted", function("counted/base"))[0]
	if got.Samples.Column("instructions") != nil {
		t.Error("instructions were counted, and nobody asked for them")
	}
}

func TestAnEmptyListOfCountersLeavesInstructionsOut(t *testing.T) {
	got := pairOf(t, "counted", "counted/code", func(c *spec.Case) { c.NoWitness = true })
	if got.Samples.Column("instructions") != nil || got.Pairs.NoInstructions != "" {
		t.Errorf("%v, %q", got.Samples.Column("instructions"), got.Pairs.NoInstructions)
	}
}

// Where there is no counter the pairs have the reason, and no warning: nobody asked.
func TestWithoutACounterThePairsHaveTheReason(t *testing.T) {
	got := pairOf(t, "fake", "counted/code")
	if got.Samples.Column("instructions") != nil || got.Pairs.NoInstructions != "no such event" || warned(got, "no-counters") {
		t.Errorf("%q, warnings %+v", got.Pairs.NoInstructions, got.Warnings)
	}
}

// The witness must not keep a loop on its thread that runs better elsewhere.
func TestALoopOffItsThreadHasNoWitness(t *testing.T) {
	got := pairOf(t, "counted", "counted/code", func(c *spec.Case) { c.Settings.Thread = "free" })
	if got.Samples.Column("instructions") != nil || !strings.Contains(got.Pairs.NoInstructions, "belong to one thread") || warned(got, "no-counters") {
		t.Errorf("%q, warnings %+v", got.Pairs.NoInstructions, got.Warnings)
	}
}
