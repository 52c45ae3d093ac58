package verify

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
)

// A layout that was not drawn from the seed, or is counted twice, is found.
func TestLayoutsAreDrawnAgain(t *testing.T) {
	seed := draw.Seed{7}
	layouts := func() []result.Layout {
		return []result.Layout{{Launch: 0, Draw: 0, Case: seed.Layout("s", 0).Order, Base: seed.Layout("s", 0).Order},
			{Launch: 2, Draw: 1, Case: seed.Layout("s", 1).Order, Base: seed.Layout("s", 1).Order}, {Launch: 3, Draw: 2}}
	}
	for name, test := range map[string]struct {
		edit func(all []result.Layout)
		want string
	}{
		"as it is":      {func([]result.Layout) {}, ""},
		"another order": {func(all []result.Layout) { all[1].Base++ }, "layout 2"},
		"another draw":  {func(all []result.Layout) { all[1].Draw = 5 }, "layout 2"},
		"counted twice": {func(all []result.Layout) { all[2].Launch = 2 }, "layout 3"},
		"drawn once":    {func(all []result.Layout) { all[1].Draw, all[1].Case, all[1].Base = 0, all[0].Case, all[0].Base }, "layout 2"},
		"no launch":     {func(all []result.Layout) { all[2].Launch = 4 }, "layout 3"},
	} {
		all := layouts()
		test.edit(all)
		c := &checker{report: Report{}}
		c.layouts(&result.Case{Suite: "s", Name: "c", Launches: 4, Pairs: &result.Pairs{Tree: "main", Layouts: all}}, seed)
		if found := fmt.Sprint(c.report.Findings); (test.want != "") != (len(c.report.Findings) > 0) || !strings.Contains(found, test.want) {
			t.Errorf("%s: %s", name, found)
		}
	}
}
