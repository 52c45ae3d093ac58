package runner

import (
	"context"

	"example.com/suite/runner/host/wire"
)

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

// describeBase adds the metrics of a base in another tree, which is no case of this
// document. Its loop is taken to cost what the case's loop does, as gates take it.
func (t *track) describeBase() {
	b := t.base
	if b == nil || b.tree == "" {
		return
	}
	c := b.result
	c.LoopCost, c.LoopError, c.LoopCount = t.result.LoopCost, t.result.LoopError, t.result.LoopCount
	side := b.summarised()
	for _, m := range t.result.Table() { // what the base alone reports has no counterpart
		if side.Has(m) {
			c.Metrics = append(c.Metrics, side.Summary(m))
		}
	}
	c.Metrics = append(c.Metrics, b.passed...)
	t.result.Pairs.Metrics = c.Metrics
}
