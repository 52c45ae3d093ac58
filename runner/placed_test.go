package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// Runs of a block of commands share where their files are, so they are one observation. What one
// side lacks, what both share, and what would take too long stay where they are.
func TestWhatIsPlacedIsDrawnForABlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := func(name string, size int64) (pair [2]string) {
		for i, side := range []string{"here", "there"} {
			pair[i] = filepath.Join(dir, side+"-"+name)
			if err := os.WriteFile(pair[i], nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(pair[i], size); err != nil {
				t.Fatal(err)
			}
		}
		return pair
	}
	small, large, half := files("small", 1000), files("large", mostPlacedBytes/2), files("half", mostPlacedBytes/4)
	own := small[0]
	track := func(all ...[2]string) *track {
		other := &spec.Other{Plan: new(spec.Plan), Name: "main", Files: all}
		c := &spec.Case{Name: "c", Kind: result.KindCommand, Argv: []string{"cat"}, Other: other, Settings: spec.Defaults()}
		t := newTrack(new(spec.Plan), c)
		t.pairWithOther(other)
		return t
	}

	c := track(large, small, half, [2]string{own, own}, [2]string{own, filepath.Join(dir, "gone")}, [2]string{dir, dir})
	if want := slices.Concat(small[:], half[:]); !slices.Equal(c.files, want) || c.result.Pairs.Placed != 4 {
		t.Errorf("%v are placed (%d), want %v", c.files, c.result.Pairs.Placed, want)
	}
	if warnings := fmt.Sprint(c.result.Warnings); len(c.result.Warnings) != 1 || c.result.Warnings[0].Code != result.WarnKeptFiles {
		t.Errorf("warnings %s, want one about the large file", warnings)
	}
	c.own.enter(&remote{Client: &client.Client{}})
	c.takePairs(0, &wire.Readings{}, 0, 0)
	c.result.Samples.Block = []int{0, 0, 0}
	if !c.own.series.Shared || !c.base.series.Shared || c.result.Observation() != result.PerBlock {
		t.Errorf("runs share a draw: %t and %t, one observation for each %s", c.own.series.Shared, c.base.series.Shared, c.result.Observation())
	}

	c = track([2]string{own, own})
	for i := range 3 {
		c.result.Samples.Block = append(c.result.Samples.Block, i)
		for name := range c.result.Samples.Columns {
			c.result.Samples.Columns[name] = append(c.result.Samples.Columns[name], 1)
		}
	}
	if c.isRenewed() || len(c.result.Warnings) > 0 || c.result.Observation() != result.PerPair {
		t.Errorf("nothing to place: %v, one observation for each %s", c.result.Warnings, c.result.Observation())
	}
}
