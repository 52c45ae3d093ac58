package runner

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
)

// pairs takes a block of pairs after one that is thrown away.
func (w *window) pairs(ctx context.Context, t *track) {
	began := w.run.busy()
	failure := w.rig.renew(ctx, t)
	if !t.isRenewed() && t.own.series.Blocks > 0 {
		t.pacing.start = append(t.pacing.start, w.run.busy()-began)
	}
	if failure == nil {
		failure = w.agree(ctx, t)
	}
	if failure != nil {
		t.failOrStop(ctx, failure)
		return
	}
	request, discard := w.pairRequest(t)
	at := w.run.elapsed()
	t.stale = true
	ask := w.callPairs
	if t.isApart() {
		ask = w.callApart
	}
	response, failure := ask(ctx, t, request)
	if response != nil && response.Readings != nil {
		before := t.result.Samples.Len()
		t.takePairs(request.Pairs, response.Readings, discard, at)
		if t.drawn && t.result.Samples.Len() > before {
			w.rig.drawing.note(t)
		}
		w.rig.hosts.raiseFloor(t, response.Readings.Peak)
		if failure == nil && len(response.Readings.ID) == 0 {
			failure = t.own.remote.stalled(response.Readings.Stopped)
		}
	}
	if failure != nil && !w.rig.isolate(ctx, t, failure) {
		t.failOrStop(ctx, failure)
	}
}

// agree runs each side once, without a warm-up, to record the output that later runs
// must match, unless the host knows it already. In a pair nobody could tell which of
// two outputs is whose.
func (w *window) agree(ctx context.Context, t *track) *result.Failure {
	for _, s := range t.sides() {
		if !s.target.Spec.SameOutput || s.expects == s.remote {
			continue
		}
		response, failure := w.rig.call(ctx, s, s.remote, s.series.Batches(1, s.left(w.rig.allowance)))
		if failure != nil {
			return s.target.AsBase(failure)
		}
		s.series.Used += time.Duration(response.Readings.Elapsed)
		s.series.CountRuns(response.Readings)
	}
	return nil
}

// pairRequest asks for a block of pairs, each in the order of its coin. discard is how
// many of the first pairs are thrown away. Batches that measure what timing costs come
// after all pairs, never between the two of one.
func (w *window) pairRequest(t *track) (r *wire.Request, discard int) {
	b, launch := t.base, t.result.Launches
	if t.own.series.SampledIn == t.own.series.Host {
		launch--
	}
	left, theirs := t.own.left(w.rig.allowance), b.left(w.rig.allowance)
	count := min(t.own.blockLength(left), b.blockLength(theirs))
	if !t.target.IsCommand() || t.isRenewed() {
		count = t.launchLength(min(left, theirs))
	}
	discard = min(t.own.discards(count, left), b.discards(count, theirs))
	r = &wire.Request{Op: "run", Limit: int64(left + theirs), Pairs: count + discard}
	if !t.target.IsCommand() {
		r.Limit = min(r.Limit, int64(t.target.Spec.Settings.Timeout)/2, int64(b.target.Spec.Settings.Timeout)/2)
	}
	for i := range r.Pairs {
		index := t.result.Samples.Len() + i - discard
		if i < discard {
			index = -1 - t.own.series.Blocks // no row will ever have it
		}
		first, second := b, t.own
		if w.run.options.Seed.Coin(t.result.Suite, t.result.Name, launch, index) == 1 {
			first, second = second, first
		}
		for _, s := range []*side{first, second} {
			batch := s.series.BatchOf(t.own.series.N)
			batch.Seed = w.rig.arrivalSeed(t.own, i)
			r.Batches = append(r.Batches, batch)
		}
		r.Pads = append(r.Pads, w.padding(t, launch, index, first == b)...)
	}
	t.own.series.Warm(r.Batches[:2*discard])
	r.Batches = append(r.Batches, sample.References(&t.own.series, &t.base.series, count)...)
	return r, discard
}

// The lengths of the padding in the environments of the runs of a pair of commands are
// in their order, drawn for each side on its own. A function has the padding of its
// host, and a benchmark that stays the padding of its process.
func (w *window) padding(t *track, launch, index int, baseFirst bool) []int {
	if !t.target.IsCommand() || t.target.Stays() {
		return nil
	}
	draw := w.run.options.Seed.Draw("padding", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name), launch, index)
	base, own := draw.IntN(wire.MostPadding), draw.IntN(wire.MostPadding)
	if baseFirst {
		return []int{base, own}
	}
	return []int{own, base}
}

// callPairs asks for pairs, with a deadline that both sides may need.
func (w *window) callPairs(ctx context.Context, t *track, request *wire.Request) (*wire.Response, *result.Failure) {
	timeout := time.Duration(max(t.target.Spec.Settings.Timeout, t.base.target.Spec.Settings.Timeout))
	if t.target.IsCommand() {
		timeout = time.Duration(request.Limit) +
			4*time.Duration(t.target.Spec.Settings.Timeout+t.base.target.Spec.Settings.Timeout) + client.Grace
	}
	t.own.remote.user = t.own
	response, failure := t.own.remote.Call(ctx, request, timeout)
	if response != nil && response.Readings != nil && !asAsked(request, response.Readings) {
		return nil, t.own.remote.Breach("run", "batches in another order than they were asked for")
	}
	if failure != nil {
		w.blame(t, request, failure)
	}
	return response, failure
}

func asAsked(request *wire.Request, r *wire.Readings) bool {
	if len(r.ID) > len(request.Batches) {
		return false
	}
	for i, id := range r.ID {
		if b := request.Batches[i]; b.ID != id || b.N != r.N[i] {
			return false
		}
	}
	return true
}

// blame adds to a failure which side of a pair failed, as far as the host could tell.
func (w *window) blame(t *track, request *wire.Request, f *result.Failure) {
	failed := t.own
	if f.Batch == 0 {
		f.Batch = t.own.remote.Marked()
	}
	switch at := f.Batch; {
	case at < 1 || at > len(request.Batches):
		f.Message += fmt.Sprintf(" while pairs with %s were taken, in one of the two", t.base.target.BaseName())
	case request.Batches[at-1].ID == t.base.series.ID:
		failed = t.base
	}
	if f.Batch > 0 {
		f.Batch = t.result.Samples.Len() + (f.Batch+1)/2
	}
	failed.target.Explain(f, failed.series.N)
	failed.target.AsBase(f)
}

// callApart takes a block of pairs whose sides have a host each: a request for each
// batch, in the order of the coins, while the other host waits. A limit and an
// interrupt end it between two pairs. It returns the readings of both sides, as one
// host would return them.
func (w *window) callApart(ctx context.Context, t *track, request *wire.Request) (*wire.Response, *result.Failure) {
	all := &wire.Readings{Columns: map[string][]int64{}}
	batches := request.Batches[:2*request.Pairs]
	for i, b := range batches {
		if i%2 == 0 && i > 0 && (ctx.Err() != nil || all.Elapsed >= request.Limit) {
			break
		}
		if failure := w.askSide(ctx, t.sideOf(b.ID), []wire.Batch{b}, true, all); failure != nil {
			failure.Batch = t.result.Samples.Len() + i/2 + 1
			return &wire.Response{Readings: all}, failure
		}
	}
	if len(all.ID) == len(batches) {
		return &wire.Response{Readings: all}, w.askReferences(ctx, t, request.Batches[len(batches):], all)
	}
	return &wire.Response{Readings: all}, nil
}

// askReferences takes the batches after all pairs that measure what timing costs, each
// in the host of its side; empty loops run in the case's host.
func (w *window) askReferences(
	ctx context.Context, t *track, batches []wire.Batch, all *wire.Readings,
) *result.Failure {
	for _, s := range t.sides() {
		var own []wire.Batch
		for _, b := range batches {
			if t.sideOf(b.ID) == s {
				own = append(own, b)
			}
		}
		if len(own) == 0 {
			continue
		}
		if failure := w.askSide(ctx, s, own, false, all); failure != nil {
			return failure
		}
	}
	return nil
}

// askSide takes batches of a side in its host, and puts their readings after others.
// If hold is set, more batches follow, and the host keeps all ready for them.
func (w *window) askSide(
	ctx context.Context, s *side, batches []wire.Batch, hold bool, all *wire.Readings,
) *result.Failure {
	r, request := s.remote, &wire.Request{Op: "run", Batches: batches, Hold: hold,
		Limit: int64(s.target.Spec.Settings.Timeout) / 2}
	r.user = s
	response, failure := r.Call(ctx, request, time.Duration(s.target.Spec.Settings.Timeout))
	switch {
	case failure != nil:
	case !asAsked(request, response.Readings):
		failure = r.Breach("run", "batches in another order than they were asked for")
	case len(response.Readings.ID) < len(batches) && ctx.Err() == nil:
		failure = r.stalled(response.Readings.Stopped)
	default:
		sample.Join(all, response.Readings, r.Stopped)
		r.Stopped = 0 // it is reported
		return nil
	}
	s.target.Explain(failure, s.series.N)
	return s.target.AsBase(failure)
}

// arrivalSeed draws the seed of the arrivals in a block, from its i-th batch on; 0 if they are
// evenly spread. The two batches of a pair take the same one.
func (g *rig) arrivalSeed(s *side, i int) uint64 {
	if !s.target.HasArrivals() || !s.target.Spec.Settings.Poisson {
		return 0
	}
	return max(g.run.options.Seed.Draw("arrivals", fmt.Sprintf("%q %q", s.result.Suite, s.result.Name),
		s.of.own.series.Blocks, i).Uint64(), 1)
}
