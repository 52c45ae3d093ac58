package table

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// What was measured before an interrupt is what a reader wants of it: cases that were
// not run are counted.
func TestFoldShowsWhatAnInterruptedRunHasMeasured(t *testing.T) {
	doc := reporttest.Many(90, 12)
	for i := range doc.Cases {
		if i%2 == 0 || i > 70 {
			doc.Cases[i] = result.Case{Suite: doc.Cases[i].Suite, Name: doc.Cases[i].Name, Status: result.NotRun}
		}
	}
	doc.Interrupted = "SIGINT"
	table := NewTable(doc)
	table.Fold(false)
	for _, row := range table.Groups[0].Rows {
		if row.NotRun {
			t.Errorf("%s was not run, and takes the place of one that was measured", row.Name)
		}
	}
	if !strings.Contains(table.Groups[0].Folded, "55 not run") {
		t.Errorf("folded: %s", table.Groups[0].Folded)
	}
}

// Nothing that a case depends on has changed: a case that was measured comes before it, also one that passed.
func TestFoldLeavesOutUnaffectedCasesFirst(t *testing.T) {
	doc := reporttest.Many(100, 12)
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if c.Gates[0].Verdict = result.Pass; i < 90 {
			c.Status, c.Comparisons = result.Unaffected, nil
			c.Gates[0].Verdict, c.Gates[0].Cause = result.NotJudged, result.CauseUnaffected
			if i%2 == 0 {
				c.Gates = nil
			}
		}
	}
	table := NewTable(doc)
	table.Fold(false)
	measured := 0
	for _, row := range table.Groups[0].Rows {
		if row.Case.Status == result.Measured {
			measured++
		}
	}
	if rows := len(table.Groups[0].Rows); measured != 10 || rows != foldedRows {
		t.Errorf("%d of 10 measured cases among %d rows", measured, rows)
	}
}

// What is counted and what is shown are together what there is.
func TestFoldLosesNothing(t *testing.T) {
	for _, n := range []int{1, 40, 41, 200} {
		d := reporttest.Many(n, 12)
		for i := range d.Cases {
			d.Cases[i].Gates[0].Verdict = []result.Verdict{result.Fail, result.Inconclusive, result.Pass}[i%3]
		}
		table := NewTable(d)
		gates := len(table.Gates)
		table.Fold(false)
		rows := len(table.Groups[0].Rows)
		if more := table.Groups[0].Folded; more != "" {
			var k int
			fmt.Sscan(more, &k)
			rows += k
		}
		shown := len(table.Gates)
		if table.MoreGates != "" {
			var k int
			fmt.Sscan(table.MoreGates, &k)
			shown += k
		}
		if rows != n || shown != gates {
			t.Errorf("%d cases: %d rows and %d of %d gates", n, rows, shown, gates)
		}
	}
}

// Nobody knows whether a case that nothing has judged needs attention.
func TestFoldKeepsWhatNothingHasJudged(t *testing.T) {
	d := reporttest.Many(176, 12)
	for i := range d.Cases {
		if d.Cases[i].Comparisons = nil; i >= 50 {
			d.Cases[i].Gates = nil
		}
	}
	table := NewTable(d)
	table.Fold(false)
	if rows := table.Groups[0].Rows; len(rows) != 126+foldedRows || table.Groups[0].Folded != "38 more, all pass" {
		t.Errorf("%d rows, and %s", len(rows), table.Groups[0].Folded)
	}
}
