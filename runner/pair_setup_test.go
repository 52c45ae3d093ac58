package runner

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
)

// placed is where the next set-up's memory lies: they take turns between a fast and
// a slow place, so that who is set up first has the fast one.
var placed int

func init() {
	bench.Register("fake/placed", func(*bench.Case) bench.Loop {
		placed++
		slow := int64(placed % 2 * 50)
		return func(n int) { fake.Advance(int64(n) * (1000 + slow)) }
	})
}

// Where a set-up's memory lies is the same in all pairs of a block, and drawn anew
// for the next one: in half of the blocks each side has the slow place.
func TestEveryBlockHasSetUpsOfItsOwnInTheOrderOfACoin(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/placed", basedOn("base"), samples(600), func(c *spec.Case) {
		c.Settings.TargetTime, c.Settings.MaxTime = spec.Duration(time.Hour), spec.Duration(time.Hour)
	}), function("fake/1us", named("base"), func(c *spec.Case) { c.Function, c.Settings.SamplesMax = "fake/placed", 20 }))
	c := &got[0]
	p := paired(t, draw.Seed{}, c)
	var blocks strings.Builder
	for i, own := range c.Samples.Columns["time"] {
		side := "c"
		if own < p.Samples.Columns["time"][i] {
			side = "b"
		}
		if i > 0 && c.Samples.Block[i] == c.Samples.Block[i-1] {
			if !strings.HasSuffix(blocks.String(), side) {
				t.Fatalf("the slow side changes within block %d", c.Samples.Block[i])
			}
			continue
		}
		blocks.WriteString(side)
	}
	slower := strings.Count(blocks.String(), "c")
	if n := blocks.Len(); n < 50 || slower < n/2-20 || slower > n/2+20 { // five standard deviations of 60
		t.Errorf("in %d of %d blocks the case is slower: %s", slower, n, blocks.String())
	}
}
