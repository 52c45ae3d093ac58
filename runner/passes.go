package runner

import (
	"context"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// passes are what is measured of the cases of a window after their last samples:
// allocations, and arcs between pegs.
type passes struct {
	run    *run
	rig    *rig
	counts map[*track]int // iterations over which allocations are counted
}

// take counts the allocations of cases, takes their passes with pegs, and finishes them
// in their hosts. The passes with pegs come after all that is judged: one of them may change
// the process that other cases are in, or end it.
func (p *passes) take(ctx context.Context) {
	var pegged []*track
	for _, t := range p.rig.tracks {
		p.step(ctx, t, func() {
			p.counting(ctx, t)
			if p.wantsPegs(ctx, t) {
				pegged = append(pegged, t)
				return
			}
			p.end(ctx, t)
		})
	}
	for _, t := range pegged {
		p.step(ctx, t, func() {
			if ctx.Err() == nil && !p.run.killed() {
				p.pegs(ctx, t)
			}
			p.end(ctx, t)
		})
	}
}

// step does one of the steps that end a case. If the case fails in it, a service may be
// the cause.
func (p *passes) step(ctx context.Context, t *track, do func()) {
	failed := t.result.Status == result.Failed
	do()
	if !failed && t.result.Status == result.Failed {
		p.rig.services.attend(ctx, t)
	}
}

// counting counts the allocations of a function.
func (p *passes) counting(ctx context.Context, t *track) {
	if t.final || t.result.Status == result.Failed || ctx.Err() != nil || t.target.Spec.Kind != result.KindGo ||
		t.result.Samples.Len() == 0 {
		return
	}
	defer p.rig.clock(t)()
	p.allocations(ctx, t)
}

// end finishes a case in its host.
func (p *passes) end(ctx context.Context, t *track) {
	if t.final {
		return
	}
	defer p.rig.clock(t)()
	if t.own.remote == nil || t.own.remote.Lost || p.run.killed() {
		return
	}
	for _, s := range t.sides() {
		if s.remote == nil || s.remote.Lost {
			continue
		}
		if failure := s.remote.Died(); failure != nil {
			if user := s.remote.user; !p.run.killed() {
				user.of.fail(user.target.AsBase(failure))
			}
			return
		}
	}
	for _, s := range t.sides() {
		p.rig.finish(ctx, s)
	}
}

// allocations counts allocations in a pass of its own, as far as max_time and
// the timeout of a request allow. A case whose host has died meanwhile, by the
// fault of another, is prepared once more for it.
func (p *passes) allocations(ctx context.Context, t *track) {
	if p.counts == nil {
		p.counts = p.evenCounts()
	}
	n := p.counts[t]
	if n < 1 {
		t.result.WarnLacking(result.WarnNoAllocations, []string{"allocs", "heap"},
			"allocations were not counted: three iterations more would pass max_time or half of the timeout",
			"raise max_time")
		return
	}
	failure := p.rig.ready(ctx, t)
	var response *wire.Response
	if failure == nil {
		response, failure = p.rig.call(ctx, t.own, t.own.remote,
			&wire.Request{Op: "allocs", ID: t.own.series.ID, Batches: []wire.Batch{{ID: t.own.series.ID, N: n}}})
	}
	switch {
	case failure == nil:
		t.own.addAllocations(response.Allocated)
		p.allocationsOfBase(ctx, t, n)
	case ctx.Err() == nil: // an interrupt costs the allocations only
		t.fail(failure)
	}
}

// allocationsOfBase counts the allocations of a base in another tree, over as many
// iterations as the case's. A base in this tree is a case, and has its own.
func (p *passes) allocationsOfBase(ctx context.Context, t *track, n int) {
	b := t.base
	if b == nil || b.target.Tree == "" {
		return
	}
	response, failure := p.rig.call(ctx, b, b.remote,
		&wire.Request{Op: "allocs", ID: b.series.ID, Batches: []wire.Batch{{ID: b.series.ID, N: n}}})
	switch {
	case failure == nil:
		b.addAllocations(response.Allocated)
	case ctx.Err() == nil:
		t.fail(b.target.AsBase(failure))
	}
}

// evenCounts finds how many iterations each case counts allocations over: a base and
// its candidates the same number. What a body allocates once in a batch is 1/n of
// an object for an iteration, so that the same code over 41 and over 49 iterations
// differs by a fifth.
func (p *passes) evenCounts() map[*track]int {
	counts := map[*track]int{}
	for _, t := range p.rig.tracks {
		switch {
		case t.target.Spec.Kind != result.KindGo:
		case t.final:
			counts[t] = min(int(t.result.Iterations), mostCounted) // they have been counted
		default:
			counts[t] = t.own.countable(t.own.afterwards(p.rig.allowance))
			if t.isApart() {
				counts[t] = min(counts[t], t.base.countable(t.base.afterwards(p.rig.allowance)))
			}
		}
	}
	for changed := true; changed; { // by way of a base others may be reached
		changed = false
		for _, t := range p.rig.tracks {
			base := p.rig.ownTrack(t)
			if base == nil || counts[t] < 1 || counts[base] < 1 || counts[t] == counts[base] {
				continue
			}
			n := min(counts[t], counts[base])
			counts[t], counts[base], changed = n, n, true
		}
	}
	return counts
}

// mostCounted is the number of iterations of a batch whose allocations are counted.
const mostCounted = 1000

// countable is how many iterations fit three times into what is left.
func (s *side) countable(left time.Duration) int {
	n := min(s.series.N, mostCounted)
	if s.series.Batch > 0 {
		n = min(n, int(float64(left)/3/float64(s.series.Batch)*float64(s.series.N)))
	}
	return n
}

// afterwards is what a pass after the sampling may take, whatever has been used: a
// case that went on to max_time has nothing left, and gates on allocations would
// have nothing to judge.
func (s *side) afterwards(allowance time.Duration) time.Duration {
	return max(s.left(allowance), s.target.MaxTime(allowance)/100)
}

// addAllocations adds the summaries of a pass that has counted allocations.
func (s *side) addAllocations(a *wire.Allocated) {
	for _, m := range []struct {
		name  string
		x     float64
		exact bool
		slack float64
	}{{"allocs", a.Allocs, a.Exact, a.Slack}, {"heap", a.Bytes, a.ExactBytes, a.SlackBytes}} {
		metric, _ := result.FindMetric(m.name)
		s.series.Passed = append(s.series.Passed,
			result.Summary{Metric: m.name, Unit: metric.Unit, Exact: m.exact, Slack: m.slack, N: 3,
				Median: m.x, Mean: m.x, Min: m.x, Max: m.x, P50: m.x, P90: m.x, P95: m.x, P99: m.x})
	}
}
