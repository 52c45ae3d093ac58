package prepare

import (
	"testing"

	"example.com/suite/spec"
)

// Two trees have packages of the same names: that one line says the same twice would look
// as if one had been built twice.
func TestBuildingTellsTreesApart(t *testing.T) {
	h := &Hosts{said: map[string]bool{}}
	p := &spec.Packages{Patterns: []string{".", "./sort"}}
	for _, c := range [][3]string{{"building", "/work", "building . ./sort"}, {"building tests of", "/work", "building tests of . ./sort"}, {"building", "/trees/base", "building . ./sort in /trees/base"}} {
		if got := h.doingLine(c[0], c[1], p); got != c[2] {
			t.Errorf("got %s, want %s", got, c[2])
		}
	}
}
