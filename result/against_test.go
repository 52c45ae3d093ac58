package result_test

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// The last line counts what became of comparisons, those without a gate too.
func TestOutcomeCountsComparisons(t *testing.T) {
	doc := read(t, recorded(t)["hashing.json"])
	plain := doc.Outcome().Text
	for i, change := range []result.Change{result.Unclear, result.Worse, result.Same, result.Same} {
		doc.Cases[i].Comparisons = []result.Comparison{{Metric: "allocs", Change: result.Better}, {Metric: "time", Change: change}}
	}
	if got, want := doc.Outcome().Text, plain+"; against their bases 1 worse, 2 same, 1 unclear"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if strings.Contains(plain, "bases") {
		t.Errorf("bases in %q", plain)
	}
}

// against gives a document of a run with --against main: case 0 is worse, 1 the same,
// and the others are what they are said to be.
func against(t *testing.T, states ...result.CounterpartState) *result.Document {
	t.Helper()
	doc := read(t, recorded(t)["hashing.json"])
	doc.Suites[0].Against = &result.Against{Asked: "main", Kind: result.AgainstRevision, Revision: revision}
	for i, state := range states {
		c := &doc.Cases[i]
		c.Counterpart = &result.Counterpart{State: state, Reason: "because"}
		if state == result.CounterpartPaired {
			c.Pairs = &result.Pairs{Base: c.Name, Tree: "main"}
			c.Comparisons = []result.Comparison{{Metric: "time", Change: []result.Change{result.Worse, result.Same}[min(i, 1)]}}
		}
	}
	return doc
}

const (
	compares = result.CounterpartPaired
	fresh    = result.CounterpartNew
	changed  = result.CounterpartChanged
	unable   = result.CounterpartUnable
)

func TestOutcomeCountsCounterparts(t *testing.T) {
	const plain = "6 cases measured, 7 gates passed"
	doc := against(t, compares, compares, compares, fresh, changed, unable)
	doc.Suites[0].Against.Removed = []string{"old", "older"}
	if got, want := doc.Outcome().Text, plain+"; against main 1 worse, 2 same, 1 new, 1 changed, 1 not comparable, 2 removed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	doc.Cases[5].Comparisons = []result.Comparison{{Metric: "time", Change: result.Better}}
	if got, want := doc.Outcome().Text, plain+"; against their bases 1 better; against main 1 worse, 2 same, 1 new, 1 changed, 1 not comparable, 2 removed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// That nothing was compared is said whatever else there is to say, and a strict run
// refuses it.
func TestNothingComparedIsNotSilent(t *testing.T) {
	doc := against(t, fresh, fresh, fresh, fresh, fresh, changed)
	if got := doc.Outcome(); got.Exit != 0 || got.Text != "6 cases measured, 7 gates passed; nothing was compared with main (5 new, 1 changed)" {
		t.Errorf("%+v", got)
	}
	doc.Strict = true
	if got := doc.Outcome(); got.Exit != 4 || got.String() != "REFUSED: --strict: nothing was compared with main, 7 gates passed" {
		t.Errorf("%+v", got)
	}
	doc.Cases[0].Gates[0].Verdict = result.Fail
	if got := doc.Outcome(); got.Exit != 1 || got.Text != "1 of 7 gates failed; nothing was compared with main" {
		t.Errorf("%+v", got)
	}
	paired := against(t, compares, fresh)
	if paired.Strict = true; paired.Outcome().Exit != 0 {
		t.Errorf("one was compared: %+v", paired.Outcome())
	}
	paired.Cases[0].Comparisons = nil // it was to be, and was not
	if got := paired.Outcome(); got.Exit != 4 {
		t.Errorf("%+v", got)
	}
	paired.Suites = append(paired.Suites, result.Suite{Name: "another"})
	if got := paired.Outcome(); got.Exit != 4 || !strings.HasPrefix(got.Text, "--strict: nothing of hashing was compared with main") {
		t.Errorf("one suite of two: %+v", got)
	}
}

// A case that has vanished is no case of the run, and it is no pass.
func TestVanishedCasesAreErrors(t *testing.T) {
	doc := against(t, compares, compares)
	for _, name := range []string{"gone", "lost"} {
		doc.Cases = append(doc.Cases, result.Case{Suite: "hashing", Name: name, Status: result.Failed, Failure: &result.Failure{Phase: "start", Cause: "vanished"}})
	}
	if got := doc.Outcome(); got.Exit != 3 || got.String() != "ERROR: 2 cases have vanished from the suite (gone; lost)" {
		t.Errorf("%+v", got)
	}
	doc.Cases[2].Status, doc.Cases = result.Failed, doc.Cases[:7]
	doc.Cases[0].Gates[0].Verdict = result.Fail
	if got := doc.Outcome(); got.Exit != 3 || got.Text != "1 of 6 cases could not be measured, and 1 case has vanished from the suite, and 1 gate failed" {
		t.Errorf("%+v", got)
	}
}

func TestUnmatched(t *testing.T) {
	for state, want := range map[result.CounterpartState]string{compares: "", result.CounterpartUnpaired: "", fresh: "because", unable: "because", changed: "not comparable: because"} {
		if got := (&result.Counterpart{State: state, Reason: "because"}).Unmatched(); got != want {
			t.Errorf("%s: %q", state, got)
		}
	}
	if (*result.Counterpart)(nil).Unmatched() != "" {
		t.Error("no counterpart")
	}
}
