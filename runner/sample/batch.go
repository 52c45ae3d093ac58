package sample

import (
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/timer"
)

// Batch is one batch of the readings of a block: a row of all of its columns.
type Batch struct {
	of  *wire.Readings
	row int
}

// wall is how long the batch took, with what it waited for arrivals.
func (b Batch) wall() time.Duration {
	wall := max(b.of.Columns["wall"][b.row], b.of.Columns["time"][b.row])
	if l := b.of.LatencyOf(b.row); l != nil && l.Arrivals != nil {
		wall += l.Arrivals.Idle
	}
	return time.Duration(wall)
}

// stop is how long the process was stopped during the batch.
func (b Batch) stop() time.Duration {
	if b.of.Stops == nil {
		return 0
	}
	return time.Duration(b.of.Stops[b.row])
}

// took is how long the batch took, without the time in which the process was stopped.
func (b Batch) took() time.Duration { return max(b.wall()-b.stop(), 0) }

// wasKilled reports whether the timeout ended the run of a command.
func (b Batch) wasKilled() bool { return slices.Contains(b.of.Killed, b.row) }

// void is how many of the iterations were declared void.
func (b Batch) void() int64 {
	voids := b.of.Columns["void"]
	if voids == nil {
		return 0
	}
	return max(voids[b.row], 0)
}

// wallHasVoid reports whether the wall time of a batch of a function includes iterations
// that were declared void, which the chosen clock has left out.
func (b Batch) wallHasVoid() bool {
	return b.void() > 0 && b.of.Columns["wall"][b.row] != b.of.Columns["time"][b.row]
}

// preempted returns the switches of the thread during the batch, nothing if there was none.
func (b Batch) preempted() (d result.Disturbed) {
	if switches := b.of.Columns["switches"]; switches != nil && switches[b.row] > 0 {
		d.Cause, d.Count = result.Preempted, switches[b.row]
	}
	return d
}

// waitShare is the share of its time that a sample may wait for a CPU before it counts
// as disturbed, if its switches cannot show that.
const waitShare = 0.02

// starved returns how long the batch waited for a CPU, nothing if that was not long. usual
// is what any batch of its kind waits.
func (b Batch) starved(usual time.Duration) (d result.Disturbed) {
	waits := b.of.Columns["wait"]
	if waits != nil && waits[b.row] != timer.Absent &&
		float64(waits[b.row]) > waitShare*float64(b.wall())+float64(usual) {
		d.Cause, d.Seconds = result.Waited, seconds(float64(waits[b.row]))
	}
	return d
}

// disturbed returns why a sample is disturbed, nothing if it is not or that is unknown.
// Batches of at most 5 ms fit between two preemptions, so one switch spoils them, also
// if it has made them longer; longer ones are spoilt by waiting. A collection never
// disturbs. For loops on several threads it is unknown: their switches include the
// runtime's, in two of three samples of a sleep of 1 ms. Runs of a command are judged
// by their waiting at any length: starting one takes two involuntary switches in 90 %
// of the runs of `true`. Each start waits a little, 4 µs on an idle machine, so runs of a
// program that does nothing tell from which wait on a run is disturbed.
func (s *Series) disturbed(b Batch) result.Disturbed {
	switch {
	case b.stop() > 0:
		return stoppedFor(b.stop(), result.Stopped)
	case s.Target.IsCommand():
		return b.starved(2 * s.Overhead.startWait)
	case s.Thread != "locked":
		return result.Disturbed{}
	case s.Span(s.Sized) <= wire.LongBatch:
		return b.preempted()
	}
	return b.starved(0)
}

// stoppedFor describes a process that a signal stopped, and that went on.
func stoppedFor(d time.Duration, cause result.Disturbance) result.Disturbed {
	if d <= process.UnknownStop {
		return result.Disturbed{Cause: cause} // the beginning of the stop was not seen
	}
	return result.Disturbed{Cause: cause, Seconds: d.Seconds()}
}

// Attribute marks the batches during which the host was stopped: the batches that lasted at
// least half as long as the stop, because its beginning and end are seen a little late. If
// there is none, all batches are marked. The stop is no time that the case used.
func Attribute(r *wire.Readings, stopped time.Duration) {
	for _, ns := range r.Stops { // of commands only
		r.Elapsed -= ns
	}
	if stopped > 0 {
		r.Elapsed -= int64(stopped)
		walls := r.Columns["wall"]
		marked := mark(r, stopped, func(i int) bool { return walls[i] >= int64(stopped)/2 })
		if !marked || stopped == process.UnknownStop {
			mark(r, stopped, func(int) bool { return true })
		}
	}
	r.Elapsed = max(r.Elapsed, 0)
}

// mark records a stop for some batches, and reports whether there was any of them.
func mark(r *wire.Readings, stopped time.Duration, which func(i int) bool) (any bool) {
	for i := range r.ID {
		if which(i) {
			for len(r.Stops) < len(r.ID) {
				r.Stops = append(r.Stops, 0)
			}
			r.Stops[i] = max(r.Stops[i], int64(stopped))
			any = true
		}
	}
	return any
}

// Join puts readings after others, as if one host had taken all of them. The time for
// which the host was stopped is recorded for each of its rows.
func Join(all, more *wire.Readings, stopped time.Duration) {
	rows := len(all.ID)
	all.ID, all.N = append(all.ID, more.ID...), append(all.N, more.N...)
	for name, column := range more.Columns {
		all.Columns[name] = append(absent(all.Columns[name], rows), column...)
	}
	for name, column := range all.Columns {
		all.Columns[name] = absent(column, len(all.ID))
	}
	if all.Latency != nil || more.Latency != nil {
		all.Latency = append(append(all.Latency, make([]*wire.Latency, rows-len(all.Latency))...), more.Latency...)
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
