package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/result"
)

// TestProofOfPlantedRegressions has three slow changes found by their time:
// SUITE_PROOF=regression. The script regression finds the one that allocates on every
// machine; that the others are slower hangs on the machine.
func TestProofOfPlantedRegressions(t *testing.T) {
	runs := wanted(t, "regression", 3)
	p := newProof(t)
	if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(repository, "suites", "regression"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(p.path("regression.yaml"), p.path("suite.yaml")); err != nil {
		t.Fatal(err)
	}
	for range runs {
		doc, took := p.ran("--set", "tolerance=3%")
		t.Logf("all of them in %v", took.Round(took/100))
		for i := range doc.Cases {
			if c := &doc.Cases[i]; c.Pairs != nil {
				slower(t, c)
			}
		}
	}
}

// slower wants a case to be shown to be worse, by its gate on time.
func slower(t *testing.T, c *result.Case) {
	t.Helper()
	for _, g := range c.Gates {
		if strings.Contains(g.Expr, "time") {
			o := c.Comparison("time")
			t.Logf("%s: %s, %.2f times the base, %d pairs in %.2f s", c.Name, g.Verdict, o.Ratio, o.Pairs, c.Seconds)
			if g.Verdict != result.Fail {
				t.Errorf("%s: %s: %s", c.Name, g.Verdict, g.Reason)
			}
			return
		}
	}
	t.Errorf("%s has no gate on time", c.Name)
}
