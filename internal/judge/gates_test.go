package judge

import (
	"strings"
	"testing"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// planned is a plan of three cases: fast and slow are compared with the case base.
func planned() *spec.Plan {
	gated := func(name, expr string) spec.Case {
		return spec.Case{Name: name, Kind: result.KindGo, Base: "base",
			Gates: []spec.Gate{{ID: "gate", Expr: lang.Text{Value: expr}, Severity: "fail", OnInconclusive: "list"}}}
	}
	plan := &spec.Plan{Suite: "s", Cases: []spec.Case{
		{Name: "base", Kind: result.KindGo},
		gated("fast", "not worse(time, 3%)"),
		gated("slow", "not worse(time, 3%) and not better(time, 3%)"),
	}}
	plan.Errors.Family = 0.03
	return plan
}

// A filter leaves cases out, and cases without their gates in: neither is judged, and every
// other call keeps its share of the errors.
func TestJudgeOfSomeCases(t *testing.T) {
	plan := planned()
	var gates Gates
	if problems := gates.Compile(plan, true); len(problems) > 0 {
		t.Fatal(problems)
	}
	if plan.Calls != 3 {
		t.Errorf("%d comparative calls", plan.Calls)
	}
	some := *plan
	some.Cases = append([]spec.Case{}, plan.Cases[:2]...)
	doc := &result.Document{Suites: []result.Suite{{Name: "s"}}}
	for _, name := range []string{"base", "fast", "slow"} {
		doc.Cases = append(doc.Cases, result.Case{Suite: "s", Name: name, Kind: result.KindGo, Status: result.NotRun})
	}
	j := gates.Judge([]*spec.Plan{&some})
	j.Finish(doc, Run{Commits: []*result.Commit{nil}, Accept: func(*result.Document) {}})
	for i, want := range []int{0, 1, 0} {
		if n := len(doc.Cases[i].Gates); n != want {
			t.Errorf("case %s has %d gates, want %d", doc.Cases[i].Name, n, want)
		}
	}
	if e := doc.Suites[0].Errors; e == nil || *e != (result.Errors{Family: 0.03, Calls: 3, Alpha: 0.01}) {
		t.Errorf("errors %+v", e)
	}
}

// While a file has other problems, a case that a gate names may be missing because of them.
func TestGatesOfAFaultyFile(t *testing.T) {
	plan := planned()
	plan.Cases[1].Gates[0].Expr.Value = `time.median < case("lost").time.median`
	plan.Cases[2].Gates[0].Expr.Value = "tiem.median < 1s"
	var gates Gates
	problems := gates.Compile(plan, false)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "tiem") {
		t.Errorf("of a file with other problems: %v", problems)
	}
	if problems := gates.Compile(plan, true); len(problems) != 2 {
		t.Errorf("of a file without: %v", problems)
	}
}

func TestJudgeOfGatesThatWereNotCompiled(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("there is a judge")
		}
	}()
	new(Gates).Judge([]*spec.Plan{planned()})
}

// In a suite of many calls a gate that passes has an error of 0.5 %, unless others are concluded from that: then it has
// the error of an alarm.
func TestOnlyAnAlarmHasItsShare(t *testing.T) {
	for bothWays, want := range map[bool]float64{false: result.WithinAlpha, true: 0} {
		plan := planned()
		plan.Errors.Family, plan.BothWays = 0.003, bothWays
		var gates Gates
		if problems := gates.Compile(plan, true); len(problems) > 0 {
			t.Fatal(problems)
		}
		doc := &result.Document{Suites: []result.Suite{{Name: "s"}}}
		gates.Judge([]*spec.Plan{plan}).Finish(doc, Run{Commits: []*result.Commit{nil}, Accept: func(*result.Document) {}})
		if e := doc.Suites[0].Errors; e == nil || e.Within != want {
			t.Errorf("both ways: %t: %+v", bothWays, e)
		}
	}
}
