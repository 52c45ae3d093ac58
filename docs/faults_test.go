package docs_test

import (
	"regexp"
	"slices"
	"testing"
)

// exits is what the column of exit statuses may hold.
var exits = regexp.MustCompile(`^(0|1|2|3|4|129|130|137|143)(, (0|1|2|3|4|129|130|137|143))*$`)

// fewestFaults that the document has to speak of.
const fewestFaults = 30

func TestEveryFaultIsHeldByATest(t *testing.T) {
	seen := held(t, "evidence/faults.md", 6)
	if len(seen) < fewestFaults || !slices.IsSorted(seen) || len(slices.Compact(slices.Clone(seen))) != len(seen) {
		t.Errorf("%d faults, want at least %d, each once and in order: %v", len(seen), fewestFaults, seen)
	}
}

// silences that the document has to speak of.
const silences = 38

func TestEverySilentPassIsHeldByATest(t *testing.T) {
	seen := held(t, "evidence/silent.md", 5)
	if want := ids("S", "%02d", silences); !slices.Equal(seen, want) {
		t.Errorf("rows are %v, want %v", seen, want)
	}
}
