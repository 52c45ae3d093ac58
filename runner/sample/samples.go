package sample

import (
	"math"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Take turns the readings of one block into samples: clock cost off, per unit
// of work, in seconds and bytes.
func (s *Series) Take(r *wire.Readings, discard int, at time.Duration) {
	if s.Host != nil {
		Attribute(r, s.Host.Stopped)
	}
	s.Used += time.Duration(r.Elapsed)
	s.CountRuns(r)
	s.together(r)
	own, rows := 0, 0
	s.Overhead.measureReadings(r, s.ID)
	for i, id := range r.ID {
		one := Batch{r, i}
		switch {
		case id == s.ID && r.N[i] != s.N: // a reference of twice the length
		case id == s.ID && own < discard, id == s.ID && s.Folds != nil && one.wasKilled():
			// a bound is no part of a summary
			own++
		case id == s.ID:
			own, rows = own+1, rows+1
			s.row(one, at)
			s.Sampled += one.took()
		case one.stop() == 0:
			s.LoopTimes.add(&s.Overhead, r, i, s.Units(r.N[i]))
		}
		at += one.wall()
	}
	if own > 0 {
		s.Batch = time.Duration(r.Elapsed / int64(own))
	}
	if rows > 0 {
		s.closeBlock()
	}
}

// watch adds up how long the case has waited for a CPU, and out of which time:
// of a function the whole request, of commands their runs.
func (s *Series) watch(r *wire.Readings) {
	waits := r.Columns["wait"]
	switch {
	case s.Target.IsCommand() && waits != nil:
		for i := range waits {
			if waits[i] != timer.Absent {
				s.Waited, s.Watched = s.Waited+time.Duration(waits[i]), s.Watched+time.Duration(r.Columns["wall"][i])
			}
		}
	case !s.Target.IsCommand() && r.Waited != nil:
		s.Waited, s.Watched = s.Waited+time.Duration(*r.Waited), s.Watched+time.Duration(r.Elapsed)
	}
}

// PerUnit are the columns that are divided by the units of work of a batch; the others
// belong to a sample as a whole. inSeconds are the columns of times.
var PerUnit, inSeconds = func() (per, times map[string]bool) {
	per, times = map[string]bool{}, map[string]bool{}
	for _, m := range result.Metrics() {
		per[m.Name] = m.PerWork
		times[m.Name] = m.Unit == "s"
	}
	return per, times
}()

// row appends one sample.
func (s *Series) row(b Batch, at time.Duration) {
	samples := &s.Result.Samples
	r, i := b.of, b.row
	if s.SampledIn != s.Host {
		s.SampledIn = s.Host
		s.Result.Launches++
	}
	s.mark(b)
	for name, column := range r.Columns {
		switch {
		case s.tooShortFor(name), s.Target.NotOf(name):
		case name == "wall" && !s.Target.IsCommand() && b.wallHasVoid(), name == "exit_code" && b.wasKilled():
			samples.Columns[name] = Filled(samples.Columns[name], samples.Len()+1)
		default:
			samples.Columns[name] = append(Filled(samples.Columns[name], samples.Len()),
				s.value(name, r.N[i], column[i]))
		}
	}
	s.latencies(r.LatencyOf(i), r.Columns["time"][i])
	s.values(r, i)
	s.asPrinted(r, i)
	s.Result.Void += b.void()
	samples.Launch = append(samples.Launch, s.Result.Launches-1)
	samples.Block = append(samples.Block, s.blockOf())
	samples.At = append(samples.At, at.Seconds())
	for name, column := range samples.Columns {
		samples.Columns[name] = Filled(column, samples.Len())
	}
}

// mark notes what is odd about a row that is about to become a sample.
func (s *Series) mark(b Batch) {
	samples := &s.Result.Samples
	if b.wasKilled() { // what it came to is a bound, disturbed or not
		samples.Censored = append(samples.Censored, samples.Len())
		return
	}
	if stop := b.stop(); stop > 0 {
		s.Stops, s.Stopped = s.Stops+1, max(s.Stopped, stop)
	}
	if d := s.disturbed(b); d.Cause != "" {
		d.Index = samples.Len()
		samples.Disturbed = append(samples.Disturbed, d)
	}
}

// What earlier rows did not have is absent.
func Filled(column result.Column, rows int) result.Column {
	for len(column) < rows {
		column = append(column, math.NaN())
	}
	return column
}

// blockOf returns the block of the next sample. Each run of a command is a process and
// so a launch of its own: it is a block of its own, unless runs share what was drawn for them.
func (s *Series) blockOf() int {
	if s.Target.IsCommand() && s.Folds == nil && !s.Shared && !s.Target.Stays() {
		return s.Result.Samples.Len()
	}
	return s.Blocks
}

// values appends what a run printed to the columns of the metrics that the case
// declares. Other names are ignored: a host that is no part of suite may send any.
func (s *Series) values(r *wire.Readings, i int) {
	samples := &s.Result.Samples
	for _, name := range s.Target.Printed(s.Result.Declared) {
		if column := r.Values[name]; i < len(column) && !math.IsInf(column[i], 0) {
			samples.Columns[name] = append(Filled(samples.Columns[name], samples.Len()), column[i])
		}
	}
}

// closeBlock ends a block of samples.
func (s *Series) closeBlock() {
	s.Blocks++
	if s.Keeps {
		fresh := summary.RowsFrom(&s.Result.Samples, s.keptRows)
		s.fresh.Samples, s.keptRows = &fresh, s.Result.Samples.Len()
	}
	if s.Folds != nil {
		s.Folds.Fold(&s.Result.Samples)
		s.keptRows = s.Folds.Rows()
	}
}

func (s *Series) value(name string, n int, raw int64) float64 {
	x := float64(raw)
	switch {
	case raw == timer.Absent && name != "exit_code":
		return math.NaN()
	case PerUnit[name]:
		x = max(x-s.Overhead.Cost(name, n, s.parts(n)), 0) / s.Units(n)
	}
	if inSeconds[name] {
		return seconds(x)
	}
	return x
}

// Units of work that a batch of n iterations does, on all of its goroutines.
func (s *Series) Units(n int) float64 {
	return float64(n) * s.Result.Work * float64(max(s.Target.Spec.Settings.Parallel, 1))
}

// tooShortFor reports whether a batch is shorter than ten readings of a clock of CPU
// time, a system call of 300 ns: what is left of them is no measurement, and
// absent is better than absurd.
func (s *Series) tooShortFor(name string) bool {
	return (name == "cpu" || name == "thread_cpu") && float64(s.Sized) < 10*s.Overhead.empty[name].NS
}

// TakePairs turns the readings of a block of pairs into samples of both sides, with the
// same row for both batches of a pair. A pair that lacks a batch has no row.
func TakePairs(own, base *Series, r *wire.Readings, pairs, discard int, at time.Duration) {
	Attribute(r, own.Host.Stopped)
	own.together(r)
	whole := min(len(r.ID)/2, pairs)
	own.alone(r, whole)
	base.alone(r, whole)
	for i, id := range r.ID {
		one := Batch{r, i}
		switch {
		case i >= 2*pairs:
			if id != own.ID && id != base.ID && one.stop() == 0 {
				own.LoopTimes.add(&own.Overhead, r, i, own.Units(r.N[i]))
			}
		case i >= 2*discard && i < 2*whole:
			s := own
			if id == base.ID {
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
		first := own.Result.Pairs.First
		base.fresh.First = first[len(first)-(whole-discard):]
	}
}

// together takes what a block reports of all of its batches together.
func (s *Series) together(r *wire.Readings) {
	s.Leaks(r.Leaked, r.Left)
	s.Remain(r)
	s.Result.Retried += r.Retried
	s.watch(r)
	if r.Share != nil && (s.Result.Multiplexed == nil || *r.Share < *s.Result.Multiplexed) {
		s.Result.Multiplexed = r.Share // the least share of its time that a counter was on the hardware
	}
}

// alone takes what a block of pairs reports of one side: the time of its batches, and half of the
// time that belongs to neither.
func (s *Series) alone(r *wire.Readings, whole int) {
	own, rest := time.Duration(0), time.Duration(r.Elapsed)
	for i, id := range r.ID {
		one := Batch{r, i}
		took := one.took()
		rest -= took
		if id == s.ID {
			own += took
			s.countRun(one)
		}
	}
	own += max(rest, 0) / 2
	s.Used += own
	s.Batch = own / time.Duration(max(whole, 1))
	s.Overhead.measureReadings(r, s.ID)
}

// closePair notes who went first in the pair that begins at a row of the readings.
// A stop of the process spoils both of its sides, wherever it fell.
func closePair(own, base *Series, r *wire.Readings, first int) {
	p := own.Result.Pairs
	who := 1
	if r.ID[first] == base.ID {
		who = 0
	}
	p.First = append(p.First, who)
	if stop := max(Batch{r, first}.stop(), Batch{r, first + 1}.stop()); stop > 0 {
		spoil(&own.Result.Samples, stoppedFor(stop, result.OtherStopped))
		spoil(&base.Result.Samples, stoppedFor(stop, result.OtherStopped))
	}
	p.Samples, p.Latency = base.Result.Samples, base.Result.Latency
}

// spoil marks the last sample as disturbed, if it is not marked yet.
func spoil(s *result.Samples, d result.Disturbed) {
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

// asPrinted puts the time of an iteration as a harness has printed it in
// place of what is left of it when whole nanoseconds are divided: of three
// iterations of 12.33 ns that would be 12.3333.
func (s *Series) asPrinted(r *wire.Readings, i int) {
	column, times := r.Values["time"], s.Result.Samples.Columns["time"]
	if s.Target.TimesItself() && i < len(column) && column[i] >= 0 {
		times[len(times)-1] = column[i] / s.Result.Work
	}
}

// seconds turns nanoseconds into the unit of the document.
func seconds(ns float64) float64 { return ns / 1e9 }
