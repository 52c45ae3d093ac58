package runner

import (
	"math"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// take turns the readings of one block into samples: clock cost off, per unit
// of work, in seconds and bytes.
func (t *series) take(r *wire.Readings, discard int, at time.Duration) {
	if t.host != nil {
		attribute(r, t.host.Stopped)
	}
	t.Used += time.Duration(r.Elapsed)
	t.countRuns(r)
	t.together(r)
	own, rows := 0, 0
	t.measureReadings(r, t.id)
	for i, id := range r.ID {
		one := batch{r, i}
		switch {
		case id == t.id && r.N[i] != t.N: // a reference of twice the length
		case id == t.id && own < discard, id == t.id && t.folds != nil && one.wasKilled(): // a bound is no part of a summary
			own++
		case id == t.id:
			own, rows = own+1, rows+1
			t.row(one, at)
			t.Sampled += one.took()
		case one.stop() == 0:
			t.loopTimes.add(&t.overhead, r, i, t.units(r.N[i]))
		}
		at += one.wall()
	}
	if own > 0 {
		t.Batch = time.Duration(r.Elapsed / int64(own))
	}
	if rows > 0 {
		t.closeBlock()
	}
}

// watch adds up how long the case has waited for a CPU, and out of which time:
// of a function the whole request, of commands their runs.
func (t *series) watch(r *wire.Readings) {
	waits := r.Columns["wait"]
	switch {
	case t.isCommand() && waits != nil:
		for i := range waits {
			if waits[i] != timer.Absent {
				t.Waited, t.Watched = t.Waited+time.Duration(waits[i]), t.Watched+time.Duration(r.Columns["wall"][i])
			}
		}
	case !t.isCommand() && r.Waited != nil:
		t.Waited, t.Watched = t.Waited+time.Duration(*r.Waited), t.Watched+time.Duration(r.Elapsed)
	}
}

// sharing keeps the least share of its time that a counter was on the hardware.
func (t *series) sharing(share *float64) {
	if share != nil && (t.result.Multiplexed == nil || *share < *t.result.Multiplexed) {
		t.result.Multiplexed = share
	}
}

// perUnit are the columns that are divided by the units of work of a batch; the others
// belong to a sample as a whole. inSeconds are the columns of times.
var perUnit, inSeconds = func() (per, times map[string]bool) {
	per, times = map[string]bool{}, map[string]bool{}
	for _, m := range result.Metrics() {
		per[m.Name] = m.PerWork
		times[m.Name] = m.Unit == "s"
	}
	return per, times
}()

// row appends one sample.
func (t *series) row(b batch, at time.Duration) {
	s := &t.result.Samples
	r, i := b.of, b.row
	if t.sampledIn != t.host {
		t.sampledIn = t.host
		t.result.Launches++
	}
	t.mark(b)
	for name, column := range r.Columns {
		switch {
		case t.tooShortFor(name), t.notOf(name):
		case name == "wall" && !t.isCommand() && b.wallHasVoid(), name == "exit_code" && b.wasKilled():
			s.Columns[name] = filled(s.Columns[name], s.Len()+1)
		default:
			s.Columns[name] = append(filled(s.Columns[name], s.Len()), t.value(name, r.N[i], column[i]))
		}
	}
	t.latencies(r.LatencyOf(i), r.Columns["time"][i])
	t.values(r, i)
	t.asPrinted(r, i)
	t.result.Void += b.void()
	s.Launch = append(s.Launch, t.result.Launches-1)
	s.Block = append(s.Block, t.blockOf())
	s.At = append(s.At, at.Seconds())
	for name, column := range s.Columns {
		s.Columns[name] = filled(column, s.Len())
	}
}

// mark notes what is odd about a row that is about to become a sample.
func (t *series) mark(b batch) {
	s := &t.result.Samples
	if b.wasKilled() { // what it came to is a bound, disturbed or not
		s.Censored = append(s.Censored, s.Len())
		return
	}
	if stop := b.stop(); stop > 0 {
		t.Stops, t.Stopped = t.Stops+1, max(t.Stopped, stop)
	}
	if d := t.disturbed(b); d.Cause != "" {
		d.Index = s.Len()
		s.Disturbed = append(s.Disturbed, d)
	}
}

// What earlier rows did not have is absent.
func filled(column result.Column, rows int) result.Column {
	for len(column) < rows {
		column = append(column, math.NaN())
	}
	return column
}

// blockOf returns the block of the next sample. Each run of a command is a process and
// so a launch of its own: it is a block of its own, unless runs share what was drawn for them.
func (t *series) blockOf() int {
	if t.isCommand() && t.folds == nil && !t.shared {
		return t.result.Samples.Len()
	}
	return t.Blocks
}

// values appends what a run printed to the columns of the metrics that the case
// declares. Other names are ignored: a host that is no part of suite may send any.
func (t *series) values(r *wire.Readings, i int) {
	s := &t.result.Samples
	for _, name := range t.printed() {
		if column := r.Values[name]; i < len(column) && !math.IsInf(column[i], 0) {
			s.Columns[name] = append(filled(s.Columns[name], s.Len()), column[i])
		}
	}
}

// closeBlock ends a block of samples.
func (t *series) closeBlock() {
	t.Blocks++
	if t.keeps {
		fresh := summary.RowsFrom(&t.result.Samples, t.keptRows)
		t.fresh, t.keptRows = &fresh, t.result.Samples.Len()
	}
	if t.folds != nil {
		t.folds.Fold(&t.result.Samples)
		t.keptRows = t.folds.Rows()
	}
}

func (t *series) value(name string, n int, raw int64) float64 {
	x := float64(raw)
	switch {
	case raw == timer.Absent && name != "exit_code":
		return math.NaN()
	case perUnit[name]:
		x = max(x-t.overhead.cost(name, n, t.parts(n)), 0) / t.units(n)
	}
	if inSeconds[name] {
		return seconds(x)
	}
	return x
}

// units of work that a batch of n iterations does, on all of its goroutines.
func (t *series) units(n int) float64 {
	return float64(n) * t.result.Work * float64(max(t.spec.Settings.Parallel, 1))
}

// tooShortFor reports whether a batch is shorter than ten readings of a clock of CPU
// time, a system call of 300 ns: what is left of them is no measurement, and
// absent is better than absurd.
func (t *series) tooShortFor(name string) bool {
	return (name == "cpu" || name == "thread_cpu") && float64(t.Sized) < 10*t.empty[name].NS
}

// takePairs turns the readings of a block of pairs into samples of both sides, with the
// same row for both batches of a pair. A pair that lacks a batch has no row.
func takePairs(own, base *series, r *wire.Readings, pairs, discard int, at time.Duration) {
	attribute(r, own.host.Stopped)
	own.together(r)
	whole := min(len(r.ID)/2, pairs)
	own.alone(r, whole)
	base.alone(r, whole)
	for i, id := range r.ID {
		one := batch{r, i}
		switch {
		case i >= 2*pairs:
			if id != own.id && id != base.id && one.stop() == 0 {
				own.loopTimes.add(&own.overhead, r, i, own.units(r.N[i]))
			}
		case i >= 2*discard && i < 2*whole:
			s := own
			if id == base.id {
				s = base
			}
			s.row(one, at)
			s.Sampled += one.took()
			if i%2 == 1 {
				closePair(own, base, r, i-1)
			}
		}
		at += one.wall()
	}
	if whole > discard {
		own.closeBlock()
		base.closeBlock()
		first := own.result.Pairs.First
		base.freshFirst = first[len(first)-(whole-discard):]
	}
}

// together takes what a block reports of all of its batches together.
func (t *series) together(r *wire.Readings) {
	t.leaks(r.Leaked, r.Left)
	t.remain(r)
	t.result.Retried += r.Retried
	t.watch(r)
	t.sharing(r.Share)
}

// alone takes what a block of pairs reports of one side: the time of its batches, and half of the
// time that belongs to neither.
func (t *series) alone(r *wire.Readings, whole int) {
	own, rest := time.Duration(0), time.Duration(r.Elapsed)
	for i, id := range r.ID {
		one := batch{r, i}
		took := one.took()
		rest -= took
		if id == t.id {
			own += took
			t.countRun(one)
		}
	}
	own += max(rest, 0) / 2
	t.Used += own
	t.Batch = own / time.Duration(max(whole, 1))
	t.measureReadings(r, t.id)
}

// closePair notes who went first in the pair that begins at a row of the readings.
// A stop of the process spoils both of its sides, wherever it fell.
func closePair(own, base *series, r *wire.Readings, first int) {
	p := own.result.Pairs
	who := 1
	if r.ID[first] == base.id {
		who = 0
	}
	p.First = append(p.First, who)
	if stop := max(batch{r, first}.stop(), batch{r, first + 1}.stop()); stop > 0 {
		own.spoil(stoppedFor(stop, result.OtherStopped))
		base.spoil(stoppedFor(stop, result.OtherStopped))
	}
	p.Samples, p.Latency = base.result.Samples, base.result.Latency
}

// spoil marks the last sample as disturbed, if it is not marked yet.
func (t *series) spoil(d result.Disturbed) {
	s := &t.result.Samples
	row, n := s.Len()-1, len(s.Disturbed)
	if (n == 0 || s.Disturbed[n-1].Index != row) && !isCensored(s, row) {
		d.Index = row
		s.Disturbed = append(s.Disturbed, d)
	}
}

func isCensored(s *result.Samples, row int) bool {
	n := len(s.Censored)
	return n > 0 && s.Censored[n-1] == row
}
