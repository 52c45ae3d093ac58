package gate

import (
	"testing"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// An expression is compiled once, also if Compile is called again because the case has got
// another base.
func TestCompilerCompilesAnExpressionOnce(t *testing.T) {
	c := timed(spread(12, 12, 1.1, 1))
	s := source(&c, "not worse(time, 3%)")
	s.Base = "b"
	compiler := new(Compiler)
	first, problems := compiler.Compile([]Source{s}, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	s.Base, s.Tree = "main", true
	second, problems := compiler.Compile([]Source{s}, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	key := sides.KeyOf(&c)
	if first.gates[key][0].rule != second.gates[key][0].rule {
		t.Error("it was compiled twice")
	}
	if base := second.gates[key][0].Base; base != "main" {
		t.Errorf("the base is %q", base)
	}
}

// A filter drops gates and leaves every other call the share that it had.
func TestOnlyKeepsTheShareOfACall(t *testing.T) {
	c := timed(spread(9, 9, 1.1, 1)) // nine pairs decide one call, and not one of two
	one := source(&c, "not worse(time, 3%)")
	one.Base = "b"
	other := one
	other.Case = "other"
	set := compile(t, []Source{one, other}, nil)
	kept := set.Only(func(suite, name string) bool { return suite == "s" && name == c.Name })
	cases := []result.Case{c, baseOf(c)}
	cases[1].Name = "other"
	kept.Assess(nil).Judge(cases)
	if len(cases[0].Gates) != 1 || len(cases[1].Gates) != 0 {
		t.Fatalf("%d gates of the case that was kept and %d of the other", len(cases[0].Gates), len(cases[1].Gates))
	}
	if e := kept.Errors("s"); e.Calls != 2 {
		t.Errorf("errors are divided among %d calls", e.Calls)
	}
	if g := cases[0].Gates[0]; g.Verdict != result.Inconclusive {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
}

func TestJoinedSuitesKeepTheirGatesAndErrors(t *testing.T) {
	c := timed(spread(12, 12, 1.1, 1))
	one, other := source(&c, "not worse(time, 3%)"), source(&c, "time.median < 1s")
	one.Base, one.Errors = "b", 0.05
	other.Suite = "other"
	first, _ := Compile([]Source{one}, nil)
	second, _ := Compile([]Source{other}, nil)
	joined := Join(first, second)
	if e := joined.Errors("s"); e != (result.Errors{Family: 0.05, Calls: 1, Alpha: 0.05}) {
		t.Errorf("%+v", e)
	}
	for _, suite := range []string{"s", "other"} {
		if n := len(joined.gates[sides.Key{Suite: suite, Name: c.Name}]); n != 1 {
			t.Errorf("%d gates in suite %q", n, suite)
		}
	}
}
