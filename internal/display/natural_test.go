package display

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNatural(t *testing.T) {
	want := []string{"", "C", "C01", "C1", "C2", "C2/a", "C2/b", "C10", "C10/9", "C10/10", "C99999999999999999998", "C99999999999999999999", "D", "c1"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
