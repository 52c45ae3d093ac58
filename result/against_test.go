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
