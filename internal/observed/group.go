package observed

import (
	"context"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// group is a number of cases that share a process when they are measured, and are observed in one.
type group struct {
	cases []*spec.Case
	shows bool     // nothing that one of them looks at differs, and nothing is in doubt
	reads []string // then what all of them read, see Compare
	state string   // then that of each, see State
}

// limitOf is how long the run of some cases may take under a tracer: for a group up to a quarter of what all runs may
// take, so that enough is left for its cases one by one.
func (o *Observer) limitOf(cases int) time.Duration {
	return min(limit*time.Duration(cases), max(limit, o.allowed/4))
}

// groupOf returns the group of a case among the cases that are asked about, nil if it is observed alone.
func (o *Observer) groupOf(c *spec.Case, asked []*spec.Case) *group {
	if g, known := o.groups[c]; known || !isShared(c) {
		return g
	}
	g := new(group)
	for _, one := range asked {
		if isShared(one) && one.Kind == c.Kind && (one.GoTest == nil || one.GoTest.Program == c.GoTest.Program) {
			g.cases = append(g.cases, one)
		}
	}
	if len(g.cases) < 2 {
		return nil
	}
	if o.groups == nil {
		o.groups = map[*spec.Case]*group{}
	}
	for _, one := range g.cases {
		o.groups[one] = g
	}
	return g
}

// isShared reports whether a case has no process of its own when it is measured: a function, or an existing benchmark
// that is run again and again in one process.
func isShared(c *spec.Case) bool {
	switch {
	case c.Setup != nil, c.Cleanup != nil, c.Prepare != nil, c.Conclude != nil, len(c.Services) > 0,
		c.Settings.Isolate == result.IsolateSample:
		return false
	}
	return c.Kind == result.KindGo || c.GoTest != nil && c.GoTest.Serves
}

// observe runs a group together, and keeps what that shows. A group of which one case fails or looks at something that
// differs shows nothing of the others: they become two groups, in the order of the suite file, which has the benchmarks
// of a function next to each other. If the group takes too long, so may its halves: its cases are observed alone.
func (o *Observer) observe(ctx context.Context, g *group, plan *spec.Plan, base, here string) {
	reads, why := o.compare(ctx, plan, g.cases, base, here)
	switch {
	case why == nil:
		g.shows, g.reads, g.state = true, reads, o.state(o.place(plan, g.cases...))
	case why.Cause == result.EvidenceSlow:
		o.split(g, 1)
	default:
		o.split(g, (len(g.cases)+1)/2)
	}
}

// split makes groups of so many cases of one.
func (o *Observer) split(g *group, cases int) {
	for part := range slices.Chunk(g.cases, cases) {
		var next *group
		if len(part) > 1 {
			next = &group{cases: part}
		}
		for _, c := range part {
			o.groups[c] = next
		}
	}
}
