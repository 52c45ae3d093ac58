package ci

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/suite/report"
	"example.com/suite/report/table"
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
		var summary bytes.Buffer
		refused := int64(-1)
		render := func(w io.Writer, most int) error {
			return report.Render(w, "markdown", doc, table.Options{Width: 100, Most: most})
		}
		if err := writeSummary(&summary, written, render, func(size int64) { refused = size }); err != nil {
			t.Fatal(err)
		}
		whole := written + int64(summary.Len())
		switch {
		case written > 1<<20-4096:
			if summary.Len() > 0 || refused != written {
				t.Errorf("after %d bytes: %d are written, and %d have no room", written, summary.Len(), refused)
			}
		case refused >= 0 || whole >= 1<<20 || !strings.Contains(summary.String(), "_No room for "):
			t.Errorf("after %d bytes: %d in all", written, whole)
		case written < 600_000 && whole < 1_000_000:
			t.Errorf("after %d bytes: only %d in all", written, whole)
		}
	}
}
