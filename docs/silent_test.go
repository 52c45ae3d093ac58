package docs_test

import (
	"slices"
	"testing"
)

// silences that the document has to speak of.
const silences = 33

func TestEverySilentPassIsHeldByATest(t *testing.T) {
	seen := held(t, "silent.md", 5)
	if want := ids("S", "%02d", silences); !slices.Equal(seen, want) {
		t.Errorf("rows are %v, want %v", seen, want)
	}
}
