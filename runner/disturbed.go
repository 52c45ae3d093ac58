package runner

import (
	"fmt"
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/timer"
)

// waitShare is the share of its time that a sample may wait for a CPU before it counts
// as disturbed, if its switches cannot show that.
const waitShare = 0.02

// disturbed explains why a sample is disturbed, empty if it is not or that is unknown.
// Batches of at most 5 ms fit between two preemptions, so one switch spoils them, also
// if it has made them longer; longer ones are spoilt by waiting. A collection never
// disturbs. For loops on several threads it is unknown: their switches include the
// runtime's, in two of three samples of a sleep of 1 ms. Runs of a command are judged
// by their waiting at any length: starting one takes two involuntary switches in 90 %
// of the runs of `true`.
func (t *side) disturbed(r *wire.Readings, i int) string {
	switch {
	case stopOf(r, i) > 0:
		return stoppedFor(stopOf(r, i))
	case !t.isCommand() && t.Thread != "locked":
		return ""
	case !t.isCommand() && t.Sized <= wire.LongBatch:
		return preempted(r.Columns["switches"], i)
	}
	return starved(r.Columns["wait"], i, time.Duration(r.Columns["wall"][i]))
}

// stoppedFor describes a process that a signal stopped, and that went on.
func stoppedFor(d time.Duration) string {
	if d <= process.UnknownStop {
		return "stopped" // the beginning of the stop was not seen
	}
	return fmt.Sprintf("stopped for %v", readable(d))
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
	if waits == nil || waits[i] == timer.Absent || float64(waits[i]) <= waitShare*float64(wall) {
		return ""
	}
	return fmt.Sprintf("waited %v for a CPU", time.Duration(waits[i]).Round(10*time.Microsecond))
}
