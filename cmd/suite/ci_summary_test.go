package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
)

// What a job has written to its summary, and the report behind it, stay below the
// 1 MiB that GitHub takes together; what there was no room for is counted.
func TestStepSummaryStaysBelowItsLimit(t *testing.T) {
	doc := &result.Document{Schema: result.Schema, Tool: result.Tool{Name: "suite"}, Started: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Suites: []result.Suite{{Name: "s"}}}
	for i := range 10000 {
		doc.Cases = append(doc.Cases, result.Case{Suite: "s", Name: fmt.Sprintf("%d %s", i, strings.Repeat("long", 30)), Kind: result.KindGo, Status: result.NotRun})
	}
	for _, written := range []int64{0, 1, 500_000, 1<<20 - 5000, 1<<20 - 1000, 1 << 20, 2 << 20} {
		var summary, said bytes.Buffer
		e := env{stderr: &said}
		if err := e.ciSummary(&summary, written, doc); err != nil {
			t.Fatal(err)
		}
		whole := written + int64(summary.Len())
		switch {
		case written > 1<<20-4096:
			if summary.Len() > 0 || !strings.Contains(said.String(), "no room for the report") {
				t.Errorf("behind %d bytes: %d are written, and it says %q", written, summary.Len(), said.String())
			}
		case whole >= 1<<20 || !strings.Contains(summary.String(), "_No room for "):
			t.Errorf("behind %d bytes: %d in all", written, whole)
		case written < 600_000 && whole < 1_000_000:
			t.Errorf("behind %d bytes: only %d in all", written, whole)
		}
	}
}
