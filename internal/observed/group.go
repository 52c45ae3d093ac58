package observed

import (
	"context"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// group is a number of cases that share a process when they are measured, and are observed in one.
type group struct {
	cases []*spec.Case
	done  bool     // they were observed together
	shows bool     // nothing that one of them looks at differs, and nothing is in doubt
	reads []string // then what all of them read, see Compare
}

// limitOf is how long the run of some cases may take under a tracer: for a group up to half of what all runs may take,
// so that the other half is left for its cases one by one.
func limitOf(cases int) time.Duration {
	return min(limit*time.Duration(cases), max(limit, limitAll/2))
}

// groupOf returns the group of a case among the cases that are asked about, nil if it is observed alone.
func (o *Observer) groupOf(c *spec.Case, asked []*spec.Case) *group {
	if g := o.groups[c]; g != nil || !isShared(c) {
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

// compare observes a group once, and keeps what that shows. A group of which one case fails or looks at something that
// differs shows nothing of the others.
func (g *group) compare(ctx context.Context, o *Observer, plan *spec.Plan, base, here string) {
	if g.done {
		return
	}
	reads, why := o.compare(ctx, plan, g.cases, base, here)
	g.done, g.shows, g.reads = true, why == nil, reads
}
