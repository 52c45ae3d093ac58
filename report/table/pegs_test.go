package table

import (
	"testing"

	"example.com/suite/report/reporttest"
)

// A case of many arcs shows the longest of them, in their order, and counts the others.
func TestFlowFolds(t *testing.T) {
	doc := reporttest.Flowing()
	f := NewFlow("odd", &doc.Cases[3], FlowOptions{})
	whole := f.Rows
	f.Fold(12)
	if len(f.Rows) != 12 || f.Folded != "27 arcs more, 6.7% of the pass" {
		t.Fatalf("%d rows, %q", len(f.Rows), f.Folded)
	}
	at := 0
	for _, kept := range f.Rows {
		for at < len(whole) && (whole[at].From != kept.From || whole[at].To != kept.To) {
			at++
		}
	}
	if at >= len(whole) {
		t.Error("the order has changed")
	}
}
