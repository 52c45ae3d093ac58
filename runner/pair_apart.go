package runner

import (
	"context"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

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
func (w *window) askReferences(ctx context.Context, t *track, batches []wire.Batch, all *wire.Readings) *result.Failure {
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
func (w *window) askSide(ctx context.Context, s *side, batches []wire.Batch, hold bool, all *wire.Readings) *result.Failure {
	r, request := s.remote, &wire.Request{Op: "run", Batches: batches, Hold: hold, Limit: int64(s.spec.Settings.Timeout) / 2}
	r.user = s
	response, failure := r.Call(ctx, request, time.Duration(s.spec.Settings.Timeout))
	switch {
	case failure != nil:
	case !asAsked(request, response.Readings):
		failure = r.Breach("run", "batches in another order than they were asked for")
	case len(response.Readings.ID) < len(batches) && ctx.Err() == nil:
		failure = r.stalled(response.Readings.Stopped)
	default:
		join(all, response.Readings, r.Stopped)
		r.Stopped = 0 // it is reported
		return nil
	}
	failure.Hint = s.hint(failure)
	return s.asBase(failure)
}

// join puts readings after others, as if one host had taken all of them. The time for
// which the host was stopped is recorded for each of its rows.
func join(all, more *wire.Readings, stopped time.Duration) {
	rows := len(all.ID)
	all.ID, all.N = append(all.ID, more.ID...), append(all.N, more.N...)
	for name, column := range more.Columns {
		all.Columns[name] = append(absent(all.Columns[name], rows), column...)
	}
	for name, column := range all.Columns {
		all.Columns[name] = absent(column, len(all.ID))
	}
	if stopped > 0 {
		mark(all, stopped, func(i int) bool { return i >= rows })
	} else if all.Stops != nil {
		all.Stops = append(all.Stops, make([]int64, len(more.ID))...)
	}
	all.Elapsed += more.Elapsed
	all.AddValues(more, rows)
	all.Retried += more.Retried
	all.Leaked, all.Left = all.Leaked+more.Leaked, append(all.Left, more.Left...)
	all.Stopped = all.Stopped || more.Stopped
	joinShares(all, more)
}

// joinShares takes the least share of a counter, and all of the waiting.
func joinShares(all, more *wire.Readings) {
	if more.Share != nil && (all.Share == nil || *more.Share < *all.Share) {
		all.Share = more.Share
	}
	if more.Waited != nil {
		waited := *more.Waited
		if all.Waited != nil {
			waited += *all.Waited
		}
		all.Waited = &waited
	}
}

// absent fills a column up to so many rows.
func absent(column []int64, rows int) []int64 {
	for len(column) < rows {
		column = append(column, timer.Absent)
	}
	return column
}
