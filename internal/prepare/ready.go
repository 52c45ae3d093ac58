package prepare

import (
	"context"

	"example.com/suite/internal/tree"
	"example.com/suite/spec"
)

// Ready are plans as they are measured and judged: built, matched with what they are compared with,
// filtered, divided among shards, and with their sentinels. Finish makes them, and nothing changes
// them any more.
type Ready struct{ plans []*spec.Plan }

// Plans returns the plans, in the order of their files. They must not be changed.
func (r Ready) Plans() []*spec.Plan { return r.plans }

// Finishing is what is still open about plans when their files are loaded and compared.
type Finishing struct {
	Take        func([]*spec.Plan) []*spec.Plan // the part of a shard; nil: all
	NoSentinels bool                            // whatever suite files ask for
	Trees       *Trees                          // of sentinels that read files of their own; nil: none of them will run
}

// Finish makes the last changes to plans. It also returns the plans whose suite file asks for a
// sentinel although no case could be compared with itself.
func Finish(ctx context.Context, plans []*spec.Plan, f Finishing) (ready Ready, without []*spec.Plan) {
	if f.Take != nil {
		plans = f.Take(plans)
	}
	for _, plan := range plans {
		if f.NoSentinels {
			off := false
			plan.Errors.Sentinel = &off
		}
		if !plan.WantsSentinel() || plan.PlaceSentinel() {
			continue
		}
		if asked := plan.Errors.Sentinel; asked != nil && *asked {
			without = append(without, plan)
		}
	}
	if f.Trees != nil {
		f.Trees.splitSentinels(ctx, plans)
	}
	return Ready{plans}, without
}

// splitSentinels lets sentinels of commands read files of their own, in a copy of the other tree.
func (t *Trees) splitSentinels(ctx context.Context, plans []*spec.Plan) {
	twins := map[*tree.Tree]string{}
	for _, plan := range plans {
		if !plan.WantsTwin() {
			continue
		}
		other := t.openFor(ctx, plan)
		if other == nil {
			continue
		}
		twin, made := twins[other]
		if !made {
			twin = other.Twin(ctx)
			twins[other] = twin
		}
		if twin != "" {
			plan.SplitSentinel(other.Root, twin)
		}
	}
}
