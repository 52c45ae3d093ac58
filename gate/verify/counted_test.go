package verify

import (
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// countedDocument has a case whose instructions were counted on both sides, and its gate.
func countedDocument(t *testing.T) *result.Document {
	t.Helper()
	d := document(t)
	c := result.Case{Suite: "s", Name: "counted", Kind: result.KindCommand, Unit: "op", Work: 1, Status: result.Measured, Iterations: 1,
		Settings: result.Settings{Confidence: 0.95, Callgrind: true, Judge: result.JudgeInstructions}, Samples: result.NoSamples(),
		Counted: &result.Counted{Runs: []float64{1050, 1051, 1050, 1049, 1050, 1052}, Iterations: 1},
		Pairs: &result.Pairs{Base: "plain", Iterations: 1, First: []int{}, Samples: result.NoSamples(),
			Counted: &result.Counted{Runs: []float64{1000, 1001, 1000, 1002, 1000, 1000}, Iterations: 1}},
		Gates: []result.Gate{{ID: "g", Expr: "not worse(instructions, 1%)", Severity: "fail", OnInconclusive: "list", Place: diag.Place{File: "s.yaml", Line: 9, Col: 1}}}}
	base := c
	base.Name, base.Pairs, base.Gates, base.Counted = "plain", nil, nil, c.Pairs.Counted
	base.Metrics = []result.Summary{summary.Counted(&base, base.Counted.Runs)}
	c.Metrics = []result.Summary{summary.Counted(&c, c.Counted.Runs)}
	d.Cases = append(d.Cases, c, base)
	d.Suites[0].Errors = &result.Errors{Family: 0.01, Calls: 1, Alpha: 0.01}
	judged(t, d)
	return d
}

func TestCountedRunsVerify(t *testing.T) {
	d := countedDocument(t)
	if g := d.Cases[3].Gates[0]; g.Verdict != result.Fail {
		t.Fatalf("%s: %s", g.Verdict, g.Reason)
	}
	for _, f := range check(t, reread(t, d)).Findings {
		t.Errorf("%+v", f)
	}
	for name, c := range map[string]struct {
		change func(c *result.Case)
		want   string
	}{
		"a run":             {func(c *result.Case) { c.Counted.Runs[0] = 1000 }, `metric "instructions": mean`},
		"a run of the base": {func(c *result.Case) { c.Pairs.Counted.Runs[0] = 1050 }, `comparison`},
		"all runs":          {func(c *result.Case) { c.Counted = c.Pairs.Counted }, `metric "instructions": mean`},
		"a median":          {func(c *result.Case) { c.Metrics[0].Median = 1000 }, `metric "instructions": median`},
		"a verdict":         {func(c *result.Case) { c.Gates[0].Verdict = result.Pass }, `gate "g": verdict`},
		"what has decided":  {func(c *result.Case) { c.Gates[0].DecidedBy = "instructions" }, `gate "g": decided by`},
		"a number of runs":  {func(c *result.Case) { c.Comparisons[0].Runs = 7 }, `comparison`},
	} {
		d := reread(t, countedDocument(t))
		c.change(&d.Cases[3])
		found := ""
		for _, f := range check(t, sealed(t, d)).Findings {
			found += f.What + "; "
		}
		if !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", name, found, c.want)
		}
	}
}
