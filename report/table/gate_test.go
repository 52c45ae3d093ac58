package table

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// A gate that passes, or compares nothing, blames no arc; one that fails does.
func TestGatesNameArcs(t *testing.T) {
	doc := reporttest.Flowing()
	c := &doc.Cases[0]
	reporttest.Judge(c, "time.median < 1us", result.Fail, result.FormInterval, "")
	for _, g := range NewTable(doc).Groups[0].Rows[0].Gates {
		if compares := strings.Contains(g.Expr, "worse"); compares != (g.Arcs.Lines() != nil) {
			t.Errorf("%s: %q", g.Expr, g.Arcs.Lines())
		}
	}
	if c.Gates[0].Verdict = result.Pass; NewTable(doc).Groups[0].Rows[0].Gates[0].Arcs.Lines() != nil {
		t.Error("a gate that passed")
	}
}
