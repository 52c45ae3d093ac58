package runner

import (
	"context"
	"fmt"
	"slices"

	"example.com/suite/result"
)

// setUpOrder is the order in which the sides of a case are set up: with a base a coin
// decides, for each block anew. The first side gets other memory than the second, and
// for code with 1 MiB of its own that alone moved the time by 3 % here, the same in
// every pair of a setup.
func (w *window) setUpOrder(t *track) []*side {
	sides := t.sides()
	if t.base != nil && w.Seed.Draw("set-up", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name), t.result.Launches, t.Blocks).IntN(2) == 0 {
		slices.Reverse(sides)
	}
	return sides
}

// renew ends the setups that pairs of Go functions were taken with and makes new ones,
// so that each block is an observation of its own: what a setup has drawn by chance
// affects all of its pairs. Commands have a process for each run.
func (w *window) renew(ctx context.Context, t *track) *result.Failure {
	if t.isCommand() || t.isRelaunched() || !t.stale { // of two trees the next launch has new ones
		return nil
	}
	t.stale = false
	for _, s := range t.sides() {
		if w.finish(ctx, s); t.done {
			return t.result.Failure
		}
		s.remote = nil
	}
	return w.ready(ctx, t)
}
