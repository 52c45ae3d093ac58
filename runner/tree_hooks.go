package runner

import (
	"context"
	"slices"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// buildAll builds the tree of a plan and the one that it is compared with.
func (r *run) buildAll(ctx context.Context, plan *spec.Plan) *result.Failure {
	failure := r.build(ctx, plan)
	if failure != nil || plan.Other == nil || !comparesTrees(plan) {
		return failure
	}
	if failure = r.build(ctx, plan.Other); failure != nil && plan.Against != nil {
		failure.Message = "in " + plan.Against.Asked + ": " + failure.Message
	}
	return failure
}

// comparesTrees reports whether cases of a plan have a side in its other tree.
func comparesTrees(plan *spec.Plan) bool {
	return slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Other != nil && c.Other.Plan == plan.Other })
}

// hooked are the sides of a case whose setup and cleanup hooks run for it, in the order
// in which they are set up. A base in this tree has a track that sees to that.
func (g *rig) hooked(t *track) []*side {
	if t.base != nil && t.base.tree != "" {
		return g.setUpOrder(t)
	}
	return []*side{t.side}
}

// cleanups runs the cleanup hooks of a case, and of its base in another tree.
func (g *rig) cleanups(t *track) {
	for _, s := range g.hooked(t) {
		g.cleanup(s)
	}
}
