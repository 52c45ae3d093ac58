package runner

import (
	"context"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// evenCounts finds how many iterations each case counts allocations over: a base and
// its candidates the same number. What a body allocates once in a batch is 1/n of
// an object for an iteration, so that the same code over 41 and over 49 iterations
// differs by a fifth.
func (w *window) evenCounts() map[*track]int {
	counts := map[*track]int{}
	for _, t := range w.tracks {
		switch {
		case t.spec.Kind != result.KindGo:
		case t.final:
			counts[t] = min(int(t.result.Iterations), mostCounted) // they have been counted
		default:
			counts[t] = t.countable(t.afterwards(w.allowance))
			if t.isApart() {
				counts[t] = min(counts[t], t.base.countable(t.base.afterwards(w.allowance)))
			}
		}
	}
	for changed := true; changed; { // by way of a base others may be reached
		changed = false
		for _, t := range w.tracks {
			base := w.ownTrack(t)
			if base == nil || counts[t] < 1 || counts[base] < 1 || counts[t] == counts[base] {
				continue
			}
			n := min(counts[t], counts[base])
			counts[t], counts[base], changed = n, n, true
		}
	}
	return counts
}

// allocationsOfBase counts the allocations of a base in another tree, over as many
// iterations as the case's. A base in this tree is a case, and has its own.
func (w *window) allocationsOfBase(ctx context.Context, t *track, n int) {
	b := t.base
	if b == nil || b.tree == "" {
		return
	}
	response, failure := w.call(ctx, b, b.remote, &wire.Request{Op: "allocs", ID: b.id, Batches: []wire.Batch{{ID: b.id, N: n}}})
	switch {
	case failure == nil:
		b.addAllocations(response.Allocated)
	case ctx.Err() == nil:
		t.fail(b.asBase(failure))
	}
}
