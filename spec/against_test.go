package spec

import (
	"testing"

	"example.com/suite/result"
)

// pairAll makes each case of a plan its own counterpart.
func pairAll(t *testing.T, text string) *Plan {
	t.Helper()
	plan, was := planOf(t, text), planOf(t, text)
	plan.Against, plan.Other = &result.Against{Asked: "main"}, planOf(t, text)
	for i := range plan.Cases {
		plan.Pair(&plan.Cases[i], &was.Cases[i], was, &plan.Other.Cases[i])
	}
	return plan
}

func TestCompareGivesEachCaseTheGateOfItsTolerance(t *testing.T) {
	plan := pairAll(t, "tolerance: 5%\nbenchmarks: [{name: a, command: x}, {name: b, command: x, tolerance: 1%}]")
	if problems := plan.Compare(); len(problems) > 0 {
		t.Fatal(problems)
	}
	for i, want := range []string{"not worse(time, 5%)", "not worse(time, 1%)"} {
		c := plan.Cases[i]
		if len(c.Gates) != 1 || c.Gates[0].ID != AgainstGate || c.Gates[0].Expr.Value != want || c.Other == nil || c.Other.Case.Gates != nil {
			t.Errorf("%s: %+v, %+v", c.Name, c.Gates, c.Other)
		}
	}
}

// A case has one base: of one that names its own the comparison stands beside it.
func TestCompareSetsCasesBesideThoseWithABase(t *testing.T) {
	plan := pairAll(t, "benchmarks: [{name: a, command: x}, {name: b, command: x, base: a, tolerance: 1%, expect: time.median < 1s}]")
	if problems := plan.Compare(); len(problems) > 0 {
		t.Fatal(problems)
	}
	b, beside := plan.Cases[1], plan.Cases[2]
	if b.Base != "a" || b.Other != nil || b.Counterpart != nil || len(b.Gates) != 2 {
		t.Errorf("%+v", b)
	}
	if beside.Name != "b@against" || beside.Asked() != "b" || beside.Base != "" || beside.Other == nil || len(beside.Gates) != 1 || beside.Gates[0].ID != AgainstGate {
		t.Errorf("%+v", beside)
	}
	if beside.Other.Case.Base != "" || len(plan.Cases) != 3 {
		t.Errorf("%+v", beside.Other.Case)
	}
}

// One that is not compared gets no case beside it, only the gate that says why.
func TestCompareLeavesCasesThatAreNotCompared(t *testing.T) {
	plan := planOf(t, "benchmarks: [{name: a, command: x}, {name: b, command: x, base: a}]")
	plan.Against = &result.Against{Asked: "main"}
	for i := range plan.Cases {
		plan.Cases[i].Counterpart = &result.Counterpart{State: result.CounterpartNew, Reason: "it is new"}
	}
	if problems := plan.Compare(); len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range plan.Cases {
		if c.Counterpart == nil || c.Other != nil || len(c.Gates) != 1 || c.Gates[0].ID != AgainstGate {
			t.Errorf("%+v", c)
		}
	}
}

func TestPairSaysWhyACaseIsNotCompared(t *testing.T) {
	for text, want := range map[string]result.Counterpart{
		"{name: a, go: sort/ints}":                                                    {State: result.CounterpartUnable, Reason: "its function is part of suite itself, the same in both trees"},
		"{name: a, command: x, sampling: once}":                                       {State: result.CounterpartUnable, Reason: "sampling: once gives one pair, which shows nothing"},
		"{name: a, command: x, samples: {keep: summary}}":                             {State: result.CounterpartUnable, Reason: "samples: {keep: summary} keeps no pairs, and verdicts need them"},
		"{name: a, command: x, service: {command: y, timeout: 1s, ready: {file: f}}}": {State: result.CounterpartUnable, Reason: "it has a service, and those of two trees would want one port"},
		"{name: a, command: x}":                                                       {State: result.CounterpartPaired},
	} {
		plan := pairAll(t, "benchmarks: ["+text+"]")
		if got := *plan.Cases[0].Counterpart; got != want || (plan.Cases[0].Other != nil) != (want.State == result.CounterpartPaired) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	plan := planOf(t, "benchmarks: [{name: new, command: x}]")
	was := planOf(t, "benchmarks: [{name: old, command: y}]")
	plan.Against, plan.Other = &result.Against{Asked: "main"}, plan
	plan.Pair(&plan.Cases[0], &was.Cases[0], was, &plan.Other.Cases[0])
	if got, want := *plan.Cases[0].Counterpart, (result.Counterpart{Name: "old", State: result.CounterpartChanged, Reason: `its command changed from "y" in main to "x"`}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	plan.Pair(&plan.Cases[0], &was.Cases[0], was, nil)
	if got := *plan.Cases[0].Counterpart; got.State != result.CounterpartNew || got.Reason == "" {
		t.Errorf("%+v", got)
	}
}
