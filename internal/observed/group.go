package observed

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// group is a number of cases that share a process when they are measured, and are observed in one.
type group struct {
	cases []*spec.Case
	shows bool             // nothing that one of them looks at differs, and nothing is in doubt
	reads []string         // then what all of them read, see Compare
	place string           // then that of the record of all of them
	state string           // then that of all of them, "" if it was not kept
	why   *result.Evidence // none of them can be observed; nil: they can
}

// limitOf is how long the run of some cases may take under a tracer: for a group up to a quarter of what all runs may
// take, so that enough is left for its cases one by one.
func (o *Observer) limitOf(cases int) time.Duration {
	return min(limit*time.Duration(cases), max(limit, o.allowed/4))
}

// groupOf returns the group of a case among the cases that are asked about, nil if it is observed alone. Those of which
// something is known, see keptOf, are in no group.
func (o *Observer) groupOf(c *spec.Case, asked []*spec.Case) *group {
	if g, known := o.groups[c]; known || !isShared(c) {
		return g
	}
	g := new(group)
	for _, one := range asked {
		if isShared(one) && one.Kind == c.Kind && (one.GoTest == nil || one.GoTest.Program == c.GoTest.Program) &&
			o.kept[one] == nil {
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

// observe runs a group together, and keeps what that shows. A group of which one case fails, takes long or looks at
// something that differs shows nothing of the others: they become several groups.
func (o *Observer) observe(ctx context.Context, g *group, plan *spec.Plan, base, here string) {
	reads, why := o.compare(ctx, plan, g.cases, base, here)
	if why == nil {
		g.shows, g.reads, g.place = true, reads, o.place(plan, o.nameOf(base), g.cases...)
		g.state = stateIn(g.place)
		return
	}
	parts := apart(g.cases, o.failed)
	if parts == nil {
		parts = partsOf(g.cases, why.Cause == result.EvidenceSlow)
	}
	if parts == nil {
		g.why = why
	}
	o.split(parts)
}

// apart divides cases of which some failed when all were run together: the cases of each function of which one failed,
// and halves of the others. It is nil if none failed, or one of each function.
func apart(cases, failed []*spec.Case) (parts [][]*spec.Case) {
	var others []*spec.Case
	for _, of := range byFunction(cases) {
		if slices.ContainsFunc(of, func(c *spec.Case) bool { return slices.Contains(failed, c) }) {
			parts = append(parts, of)
		} else {
			others = append(others, of...)
		}
	}
	if len(parts) == 0 || len(others) == 0 {
		return nil
	}
	return append(parts, partsOf(others, false)...)
}

// partsOf divides cases that show nothing together into halves, so that a function keeps its benchmarks as long as
// there are others. If they are too slow, so may the halves be: each function becomes a part. A function that is too
// slow has no parts: it prepares all of its benchmarks, so each of them takes long too.
func partsOf(cases []*spec.Case, slow bool) [][]*spec.Case {
	functions := byFunction(cases)
	half := (len(functions) + 1) / 2
	switch {
	case len(functions) == 1 && slow:
		return nil
	case len(functions) == 1:
		return slices.Collect(slices.Chunk(cases, (len(cases)+1)/2))
	case slow:
		return functions
	}
	return [][]*spec.Case{slices.Concat(functions[:half]...), slices.Concat(functions[half:]...)}
}

// byFunction divides cases of one kind into those of each function: of a registered function its only case.
func byFunction(cases []*spec.Case) (all [][]*spec.Case) {
	for i, c := range cases {
		if i > 0 && c.GoTest != nil && functionOf(c) == functionOf(cases[i-1]) {
			all[len(all)-1] = append(all[len(all)-1], c)
		} else {
			all = append(all, []*spec.Case{c})
		}
	}
	return all
}

func functionOf(c *spec.Case) string {
	name, _, _ := strings.Cut(c.GoTest.Benchmark, "/")
	return name
}

// split makes groups of the parts of one.
func (o *Observer) split(parts [][]*spec.Case) {
	for _, part := range parts {
		var next *group
		if len(part) > 1 {
			next = &group{cases: part}
		}
		for _, c := range part {
			o.groups[c] = next
		}
	}
}
