package runner

import (
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
)

// attribute marks the batches during which the host was stopped: the batches that lasted at
// least half as long as the stop, because its beginning and end are seen a little late. If
// there is none, all batches are marked. The stop is no time that the case used.
func attribute(r *wire.Readings, stopped time.Duration) {
	for _, ns := range r.Stops { // of commands only
		r.Elapsed -= ns
	}
	if stopped > 0 {
		r.Elapsed -= int64(stopped)
		walls := r.Columns["wall"]
		if marked := mark(r, stopped, func(i int) bool { return walls[i] >= int64(stopped)/2 }); !marked || stopped == process.UnknownStop {
			mark(r, stopped, func(int) bool { return true })
		}
	}
	r.Elapsed = max(r.Elapsed, 0)
}

func mark(r *wire.Readings, stopped time.Duration, which func(i int) bool) (any bool) {
	for i := range r.ID {
		if which(i) {
			for len(r.Stops) < len(r.ID) {
				r.Stops = append(r.Stops, 0)
			}
			r.Stops[i], any = max(r.Stops[i], int64(stopped)), true
		}
	}
	return any
}

func stopOf(r *wire.Readings, i int) time.Duration {
	if r.Stops == nil {
		return 0
	}
	return time.Duration(r.Stops[i])
}
