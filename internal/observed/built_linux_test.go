package observed

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
)

// A file outside of both trees that has changed while a build ran is the build's. One that has changed at another time
// since the outputs in a tree were built makes those outputs old.
func TestWhatHasChangedOutside(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	file := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(file, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	at, dated := changed(file)
	if !dated {
		t.Fatal("when a file was changed is not known")
	}
	span := func(from, to time.Duration) []tree.Span { return []tree.Span{{From: at.Add(from), To: at.Add(to)}} }
	const hour = time.Hour
	for name, test := range map[string]struct {
		b     builds
		cause result.EvidenceCause
		stale bool
	}{
		"in this run":                  {builds{began: at.Add(-hour)}, result.EvidenceExecutesInstalled, false},
		"in this run, with outputs":    {builds{began: at.Add(-hour), before: at.Add(-2 * hour)}, result.EvidenceExecutesInstalled, false},
		"earlier":                      {builds{began: at.Add(hour)}, "", false},
		"before the outputs":           {builds{began: at.Add(2 * hour), before: at.Add(hour)}, "", false},
		"after the outputs":            {builds{began: at.Add(hour), before: at.Add(-hour)}, "", true},
		"in an earlier build":          {builds{began: at.Add(hour), spans: span(-hour, 1)}, result.EvidenceExecutesInstalled, false},
		"in the build of the outputs":  {builds{began: at.Add(hour), before: at.Add(-hour), spans: span(-hour, 1)}, result.EvidenceExecutesInstalled, false},
		"after the build of outputs":   {builds{began: at.Add(hour), before: at.Add(-hour), spans: span(-hour, -hour/2)}, "", true},
		"on a coarse clock of a build": {builds{began: at.Add(hour), spans: span(coarse/2, hour)}, result.EvidenceExecutesInstalled, false},
	} {
		r := &observe.Record{Files: []observe.Access{{Path: file, Use: observe.Exec}}}
		why, stale := test.b.touched(r, base, here, nil)
		if (why == nil) != (test.cause == "") || why != nil && why.Cause != test.cause || (stale == file) != test.stale {
			t.Errorf("%s: %+v, %q; want %q, %t", name, why, stale, test.cause, test.stale)
		}
		r.Files[0].Use = observe.Read
		if why, _ := test.b.touched(r, base, here, nil); test.cause != "" && (why == nil || why.Cause != result.EvidenceReadsBuilt) {
			t.Errorf("%s: %+v for a file that was read", name, why)
		}
		r.Files[0].Use |= observe.Written // by the case itself
		if why, stale := test.b.touched(r, base, here, nil); why != nil || stale != "" {
			t.Errorf("%s: %+v, %q for a file that the case writes", name, why, stale)
		}
	}
	ahead := builds{began: time.Now(), before: time.Now().Add(-hour)} // the clock was, when the file was changed
	if ahead.mayHaveMade(time.Now().Add(hour)) {
		t.Error("a change in the future is taken for one of a build")
	}
}
