package runner

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
)

// pairRequest asks for a block of pairs, each in the order of its coin. discard is how
// many of the first pairs are thrown away. Batches that measure what timing costs come
// after all pairs, never between the two of one.
func (w *window) pairRequest(t *track) (r *wire.Request, discard int) {
	b, launch := t.base, t.result.Launches
	if t.sampledIn == t.remote {
		launch--
	}
	left, theirs := t.left(w.allowance), b.left(w.allowance)
	count := min(t.blockLength(left), b.blockLength(theirs))
	if !t.isCommand() || t.drawn {
		count = t.launchLength(min(left, theirs))
	}
	discard = min(t.discards(count, left), b.discards(count, theirs))
	r = &wire.Request{Op: "run", Limit: int64(left + theirs), Pairs: count + discard}
	if !t.isCommand() {
		r.Limit = min(r.Limit, int64(t.spec.Settings.Timeout)/2, int64(b.spec.Settings.Timeout)/2)
	}
	for i := range r.Pairs {
		index := t.result.Samples.Len() + i - discard
		if i < discard {
			index = -1 - t.Blocks // no row will ever have it
		}
		first, second := b, t.side
		if w.Seed.Coin(t.result.Suite, t.result.Name, launch, index) == 1 {
			first, second = second, first
		}
		r.Batches = append(r.Batches, first.batchOf(t.N), second.batchOf(t.N))
		r.Pads = append(r.Pads, w.padding(t, launch, index, first == b)...)
	}
	r.Batches = append(r.Batches, t.references(count)...)
	return r, discard
}

// The lengths of the padding in the environments of the runs of a pair of commands are
// in their order, drawn for each side on its own. A function has the padding of its
// host.
func (w *window) padding(t *track, launch, index int, baseFirst bool) []int {
	if !t.isCommand() {
		return nil
	}
	draw := w.Seed.Draw("padding", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name), launch, index)
	base, own := draw.IntN(wire.MostPadding), draw.IntN(wire.MostPadding)
	if baseFirst {
		return []int{base, own}
	}
	return []int{own, base}
}

// references measure what timing costs, after count pairs.
func (t *track) references(count int) (batches []wire.Batch) {
	for _, s := range t.sides() {
		for range count {
			if s.isShort() {
				batches = append(batches, wire.Batch{ID: s.id, N: s.N}, wire.Batch{ID: s.id, N: 2 * s.N})
			}
		}
	}
	if t.isTiny() && !t.isShort() {
		batches = append(batches, wire.Batch{ID: t.emptyLoop(), N: t.N})
	}
	return batches
}

// callPairs asks for pairs, with a deadline that both sides may need.
func (w *window) callPairs(ctx context.Context, t *track, request *wire.Request) (*wire.Response, *result.Failure) {
	timeout := time.Duration(max(t.spec.Settings.Timeout, t.base.spec.Settings.Timeout))
	if t.isCommand() {
		timeout = time.Duration(request.Limit) + 4*time.Duration(t.spec.Settings.Timeout+t.base.spec.Settings.Timeout) + client.Grace
	}
	t.remote.user = t.side
	response, failure := t.remote.Call(ctx, request, timeout)
	if response != nil && response.Readings != nil && !asAsked(request, response.Readings) {
		return nil, t.remote.Breach("run", "batches in another order than they were asked for")
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
	failed := t.side
	if f.Batch == 0 {
		f.Batch = t.remote.Marked()
	}
	switch at := f.Batch; {
	case at < 1 || at > len(request.Batches):
		f.Message += fmt.Sprintf(" while pairs with %s were taken, in one of the two", t.base.baseName())
	case request.Batches[at-1].ID == t.base.id:
		failed = t.base
	}
	if f.Batch > 0 {
		f.Batch = t.result.Samples.Len() + (f.Batch+1)/2
	}
	f.Hint = failed.hint(f)
	failed.asBase(f)
}
