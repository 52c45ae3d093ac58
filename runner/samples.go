package runner

import (
	"fmt"
	"time"

	"example.com/suite/host"
	"example.com/suite/result"
)

// take turns the readings of one block into samples: clock cost off, per unit
// of work, in seconds and bytes.
func (t *track) take(r *host.Readings, discard int, at time.Duration) {
	t.used += time.Duration(r.Elapsed)
	t.leaked += r.Leaked
	t.watch(r)
	walls, own, before := r.Columns["wall"], 0, t.result.Samples.Len()
	t.reading = t.readingCost(r)
	for i, id := range r.ID {
		switch {
		case id == t.id && r.N[i] != t.n: // a reference of twice the length
		case id == t.id && own < discard:
			own++
		case id == t.id:
			own++
			t.row(r, i, at)
			t.sampled += time.Duration(walls[i])
		default: // the empty loop
			t.loops = append(t.loops, seconds(max(float64(r.Columns["time"][i])-t.loopStart, 0))/t.units(r.N[i]))
		}
		at += time.Duration(walls[i])
	}
	if own > 0 {
		t.batch = time.Duration(r.Elapsed / int64(own))
	}
	if t.result.Samples.Len() > before {
		t.block++
	}
	t.dropGaps()
}

// watch adds up how long the case has waited for a CPU, and out of which time:
// of a function the whole request, of commands their runs.
func (t *track) watch(r *host.Readings) {
	waits := r.Columns["wait"]
	switch {
	case t.isCommand() && waits != nil:
		for i := range waits {
			t.waited, t.watched = t.waited+time.Duration(waits[i]), t.watched+time.Duration(r.Columns["wall"][i])
		}
	case !t.isCommand() && r.Waited != nil:
		t.waited, t.watched = t.waited+time.Duration(*r.Waited), t.watched+time.Duration(r.Elapsed)
	}
}

// dropGaps removes columns that were absent in some block, as the waiting of a
// command that started another one once: every column has a row per sample.
func (t *track) dropGaps() {
	s := &t.result.Samples
	for name, column := range s.Columns {
		if len(column) < s.Len() {
			delete(s.Columns, name)
		}
	}
}

// perUnit are the columns that are divided by the units of work of a batch;
// the others belong to a sample as a whole.
var perUnit = map[string]bool{"time": true, "wall": true, "cpu": true, "thread_cpu": true}

// inSeconds are further columns of times.
var inSeconds = map[string]bool{"user": true, "system": true, "wait": true}

// row appends one sample.
func (t *track) row(r *host.Readings, i int, at time.Duration) {
	s := &t.result.Samples
	if t.sampledIn != t.remote {
		t.sampledIn = t.remote
		t.result.Launches++
	}
	if cause := t.disturbed(r, i); cause != "" {
		s.Disturbed = append(s.Disturbed, result.Disturbed{Index: s.Len(), Cause: cause})
	}
	for name, column := range r.Columns {
		if !t.tooShortFor(name) {
			s.Columns[name] = append(s.Columns[name], t.value(name, r.N[i], column[i]))
		}
	}
	s.Launch = append(s.Launch, t.result.Launches-1)
	s.Block = append(s.Block, t.blockOf())
	s.At = append(s.At, at.Seconds())
}

// blockOf is the block of the next sample. Each run of a command is a process
// and so a launch of its own: it stands for itself.
func (t *track) blockOf() int {
	if t.isCommand() {
		return t.result.Samples.Len()
	}
	return t.block
}

func (t *track) value(name string, n int, raw int64) float64 {
	x := float64(raw)
	switch {
	case perUnit[name]:
		return seconds(max(x-t.costOf(name), 0)) / t.units(n)
	case inSeconds[name]:
		return seconds(x)
	}
	return x
}

// units of work that a batch of n iterations does, on all of its goroutines.
func (t *track) units(n int) float64 {
	return float64(n) * t.result.Work * float64(max(t.spec.Settings.Parallel, 1))
}

// costOf reading a column, inside it, nanoseconds. Where the wall clock is the
// one that was chosen the columns are the same, and so is what they cost.
func (t *track) costOf(name string) float64 {
	if name == "time" || name == "wall" && t.empty["wall"] == t.empty["time"] {
		return t.reading
	}
	return t.empty[name].NS
}

// tooShortFor says that a batch is shorter than ten readings of a clock of CPU
// time, a system call of 300 ns: what is left of them is no measurement, and
// absent is better than absurd.
func (t *track) tooShortFor(name string) bool {
	return (name == "cpu" || name == "thread_cpu") && float64(t.sized) < 10*t.empty[name].NS
}

// waitShare of its time spent waiting for a CPU disturbs a sample, design.md
// §8.6, where it cannot be told by its switches.
const waitShare = 0.02

// disturbed says why a sample is, empty where it is not or nobody knows. Batches
// of at most 5 ms fit between two preemptions, so one switch spoils them, also
// when it has made them longer; longer ones are spoilt by waiting. A collection
// never disturbs. For loops on several threads nobody knows: their switches are
// also those of the runtime, two in three samples of a sleep of 1 ms. Runs of a
// command are judged by their waiting at any length: starting one takes two
// involuntary switches in 90 % of the runs of `true`.
func (t *track) disturbed(r *host.Readings, i int) string {
	switch {
	case !t.isCommand() && t.thread != "locked":
		return ""
	case !t.isCommand() && t.sized <= host.LongBatch:
		return preempted(r.Columns["switches"], i)
	}
	return starved(r.Columns["wait"], i, time.Duration(r.Columns["wall"][i]))
}

func preempted(switches []int64, i int) string {
	switch {
	case switches == nil || switches[i] <= 0:
		return ""
	case switches[i] == 1:
		return "preempted once"
	}
	return fmt.Sprintf("preempted %d times", switches[i])
}

func starved(waits []int64, i int, wall time.Duration) string {
	if waits == nil || float64(waits[i]) <= waitShare*float64(wall) {
		return ""
	}
	return fmt.Sprintf("waited %v for a CPU", time.Duration(waits[i]).Round(10*time.Microsecond))
}

func (t *track) addAllocations(a *host.Allocated) {
	for _, m := range []struct {
		name string
		x    float64
	}{{"allocs", a.Allocs}, {"heap", a.Bytes}} {
		metric, _ := result.FindMetric(m.name)
		t.passed = append(t.passed, result.Summary{Metric: m.name, Unit: metric.Unit, Exact: a.Exact, N: 3,
			Median: m.x, Mean: m.x, Min: m.x, Max: m.x, P50: m.x, P90: m.x, P95: m.x, P99: m.x})
	}
}
