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

// placed selects a fast or a slow place for the next setup, in turns, so that the
// side that is set up first has the fast one.
var placed int

func init() {
	bench.Register("fake/placed", func(*bench.Case) bench.Loop {
		placed++
		slow := int64(placed % 2 * 50)
		return func(n int) { fake.Advance(int64(n) * (1000 + slow)) }
	})
}

// The place of a setup's memory is the same in all pairs of a block, and drawn again
// for the next block: in half of the blocks each side has the slow place.
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
