package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
)

// A step's summary stays below the 1 MiB that GitHub accepts, with what the step has
// written to it before. The report counts the cases that there was no room for.
func TestStepSummaryStaysBelowItsLimit(t *testing.T) {
	doc := &result.Document{Schema: result.Schema, Tool: result.Tool{Name: "suite"}, Started: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Suites: []result.Suite{{Name: "s"}}}
	for i := range 10000 {
		doc.Cases = append(doc.Cases, result.Case{Suite: "s", Name: fmt.Sprintf("%d %s", i, strings.Repeat("long", 30)), Kind: result.KindGo, Status: result.NotRun})
	}
	for _, written := range []int64{0, 1, 500_000, 1<<20 - 5000, 1<<20 - 1000, 1 << 20, 2 << 20} {
		var summary, stderr bytes.Buffer
		e := env{stderr: &stderr}
		if err := e.ciSummary(&summary, written, doc); err != nil {
			t.Fatal(err)
		}
		whole := written + int64(summary.Len())
		switch {
		case written > 1<<20-4096:
			if summary.Len() > 0 || !strings.Contains(stderr.String(), "no room for the report") {
				t.Errorf("after %d bytes: %d are written, standard error is %q", written, summary.Len(), stderr.String())
			}
		case whole >= 1<<20 || !strings.Contains(summary.String(), "_No room for "):
			t.Errorf("after %d bytes: %d in all", written, whole)
		case written < 600_000 && whole < 1_000_000:
			t.Errorf("after %d bytes: only %d in all", written, whole)
		}
	}
}
