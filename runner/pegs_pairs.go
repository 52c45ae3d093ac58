package runner

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

const (
	// pegPairs is how many pairs are taken. An interval of their median that is right in 95 % of
	// cases for each of a hundred arcs together needs twelve.
	pegPairs = 12

	// pegPasses is how many short passes of each side make a pair: of the time in an arc, their
	// median counts. A pass in which another process got the CPU shows that in its arcs, and
	// on a busy machine every long one would be such a pass.
	pegPasses = 11

	// pegPairShare: the passes of a pair have this part of the batches of the first pass
	// together, because what processes, setups and layouts have drawn moves an arc more than
	// the noise within a pass does.
	pegPairShare = 4
)

// pegsInPairs takes further passes with pegs of both sides, if the pairs of samples differ:
// then somebody will ask which arcs explain that, and one pass of each side cannot tell an arc
// that has changed from one that was unlucky. batches is the length of the first pass.
// Failures leave the case without these passes; the first one is there.
func (p *passes) pegsInPairs(ctx context.Context, t *track, batches int) {
	if t.result.Pegs == nil || t.result.BasePegs == nil || !t.differs() {
		return
	}
	taken := &pegRows{}
	began := p.run.busy()
	limit := time.Duration(t.target.Spec.Settings.MaxTime)
	for i := 0; i < pegPairs && p.run.busy()-began < limit; i++ {
		base, own, failure := p.pegPair(ctx, t, i, batches)
		if ctx.Err() != nil || p.run.killed() {
			return
		}
		if failure != nil {
			t.result.Warn(result.WarnNoPegs, "the passes with pegs in pairs ended early: "+failure.Message,
				failure.Hint)
			break
		}
		if len(base) == 0 || len(own) == 0 {
			break
		}
		taken.add(base, own)
	}
	t.result.PegPairs = taken.pairs()
}

// differs reports whether the ratio of a case and its base is nearer to one that matters
// than to none.
func (t *track) differs() bool {
	taken, ok := pairs.Of(t.result, "time")
	if !ok {
		return false
	}
	var ratios []float64
	for _, g := range taken.Groups() {
		ratios = append(ratios, g.Ratio)
	}
	return len(ratios) > 0 && math.Abs(stats.Median(ratios)) > math.Log1p(t.target.Spec.Settings.Tolerance)/2
}

// pegPair takes passes of both sides in turn, in new processes, setups and layouts, each two
// in an order by coin. batches is the length of the first pass of the case.
func (p *passes) pegPair(
	ctx context.Context, t *track, number, batches int,
) (base, own []*result.Pegs, failure *result.Failure) {
	if failure := p.renewForPegs(ctx, t); failure != nil {
		return nil, nil, failure
	}
	count := pegPasses
	length := max(1, batches/pegPairShare/pegPasses)
	if t.target.IsCommand() { // each run starts a process
		count, length = 1, 1
	}
	for i := range count {
		order := []*side{t.base, t.own}
		if p.run.options.Seed.Draw("pegs", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name),
			number, i).IntN(2) == 0 {
			slices.Reverse(order)
		}
		for _, s := range order {
			pass, failure := p.pegPassOf(ctx, s, length)
			switch {
			case failure != nil:
				return nil, nil, s.target.AsBase(failure)
			case pass == nil:
				return nil, nil, nil
			case s == t.own:
				own = append(own, pass)
			default:
				base = append(base, pass)
			}
		}
	}
	return base, own, nil
}

// pegPassOf is one pass of a side, nil if it shows nothing.
func (p *passes) pegPassOf(ctx context.Context, s *side, batches int) (*result.Pegs, *result.Failure) {
	pass, failure := p.pegPass(ctx, s, batches)
	if failure != nil {
		return nil, failure
	}
	if pass.Iterations == 0 || pass.Document == nil {
		return nil, nil
	}
	pegs := resultPegs(pass)
	if pegs.Validate() != nil {
		return nil, nil
	}
	return pegs, nil
}

// renewForPegs makes both sides ready in what chance draws anew: hosts and files of two
// programs, setups of functions of one. Each run of a command is a process anyway.
func (p *passes) renewForPegs(ctx context.Context, t *track) *result.Failure {
	switch {
	case t.isRelaunched():
		p.rig.round++
		p.rig.drawing.draw++
		p.rig.endBoth(ctx, t)
	case !t.target.IsCommand():
		p.rig.leave(ctx, t)
		if t.result.Failure != nil {
			return t.result.Failure
		}
	}
	return p.rig.ready(ctx, t)
}

// pegRows collects pairs of passes.
type pegRows struct {
	base, own []map[arcEnds]float64 // seconds an iteration, of each pair
	each      result.PegPairs
}

// arcEnds is what an arc is but for its lane.
type arcEnds struct {
	from, to string
	kind     result.ArcKind
}

func (r *pegRows) add(base, own []*result.Pegs) {
	r.base = append(r.base, arcTimes(base))
	r.own = append(r.own, arcTimes(own))
	r.each.Base = append(r.each.Base, iterationTime(base))
	r.each.Case = append(r.each.Case, iterationTime(own))
}

// iterationTime is the median over passes of the time of an iteration.
func iterationTime(passes []*result.Pegs) float64 {
	var times []float64
	for _, p := range passes {
		times = append(times, arcs.PerIteration(p))
	}
	return stats.Median(times)
}

// arcTimes are the medians over passes of the time that an iteration spends in each arc. A pass
// without an arc spends no time in it.
func arcTimes(passes []*result.Pegs) map[arcEnds]float64 {
	all := map[arcEnds][]float64{}
	for i, p := range passes {
		for _, a := range arcs.Whole(p) {
			ends := arcEnds{a.From, a.To, a.Kind}
			if all[ends] == nil {
				all[ends] = make([]float64, len(passes))
			}
			all[ends][i] = a.Sum / float64(p.Iterations)
		}
	}
	times := map[arcEnds]float64{}
	for ends, xs := range all {
		times[ends] = stats.Median(xs)
	}
	return times
}

// pairs is what a result keeps, nil if there is none.
func (r *pegRows) pairs() *result.PegPairs {
	if len(r.base) == 0 {
		return nil
	}
	var all []arcEnds
	for _, side := range slices.Concat(r.base, r.own) {
		for ends := range side {
			all = append(all, ends)
		}
	}
	slices.SortFunc(all, func(a, b arcEnds) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.kind, b.kind))
	})
	p := r.each
	p.Arcs = []result.ArcPairs{}
	for _, ends := range slices.Compact(all) {
		one := result.ArcPairs{From: ends.from, To: ends.to, Kind: ends.kind}
		for i := range r.base {
			one.Base = append(one.Base, r.base[i][ends])
			one.Case = append(one.Case, r.own[i][ends])
		}
		p.Arcs = append(p.Arcs, one)
	}
	return &p
}
