package gate

import (
	"testing"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Sides that are the same are neither worse nor better; a limit of its own has to be measured.
func TestGatesThatHoldIfBothSidesAreAlike(t *testing.T) {
	for expr, want := range map[string]bool{
		"not worse(time, 3%)":                                     true,
		"not worse(allocs, 0%) and not worse(time, 3%)":           true,
		"not better(time, 3%)":                                    true,
		"better(time, 3%)":                                        false,
		"not worse(time, 3%) and time.median < 1ms":               false,
		"not worse(time, 3%) or time.median < 1ms":                true,
		"time.median < 1ms":                                       false,
		"ratio(time) < 1.05":                                      false,
		"worse(time, 3%) ? time.median < 1ms : allocs.median < 3": false,
	} {
		set := compile(t, []Source{{Suite: "s", Case: "c", Kind: result.KindGo, ID: "g", Expr: lang.Text{Value: expr}, Severity: "fail", Base: "main", Tree: true}}, nil)
		if got := set.HoldIfAlike("s", "c"); got != want {
			t.Errorf("%s: %t", expr, got)
		}
	}
	if set, _ := Compile(nil, nil); !set.HoldIfAlike("s", "c") {
		t.Error("no gates do not hold")
	}
}

// A case that cannot differ passes its comparisons, with the reason, whether it was measured
// or not; they are no calls, so that the others share the chance of a false alarm.
func TestUnaffectedCasesPass(t *testing.T) {
	text := lang.Text{Value: "not worse(time, 3%)"}
	set, problems := Compile([]Source{
		{Suite: "s", Case: "c", Kind: result.KindGo, ID: "g", Expr: text, Severity: "fail", Base: "main", Tree: true, Unaffected: "its program is the same"},
		{Suite: "s", Case: "d", Kind: result.KindGo, ID: "g", Expr: text, Severity: "fail", Base: "main", Tree: true},
	}, nil)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if e := set.Errors("s"); e.Calls != 1 {
		t.Errorf("%+v", e)
	}
	cases := []result.Case{{Suite: "s", Name: "c", Kind: result.KindGo, Status: result.Unaffected}}
	set.Assess(nil).Judge(cases)
	if g := cases[0].Gates; len(g) != 1 || g[0].Verdict != result.Pass || g[0].Reason != "unaffected: its program is the same" {
		t.Errorf("%+v", g)
	}
}
