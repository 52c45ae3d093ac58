package disjoint

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGroups(t *testing.T) {
	s := New(7)
	s.Join(5, 2)
	s.Join(6, 3)
	s.Join(2, 6) // connects all four
	s.Join(4, 4)
	if diff := cmp.Diff([][]int{{0}, {1}, {2, 3, 5, 6}, {4}}, s.Groups()); diff != "" {
		t.Error(diff)
	}
	if New(0).Groups() != nil {
		t.Error("nothing has groups")
	}
}
