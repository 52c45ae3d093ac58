package profile

import "golang.org/x/sys/unix"

// monotonic is the time of the clock that perf stamps its readings with, ns.
func monotonic() int64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // cannot fail for this clock
	return now.Nano()
}
