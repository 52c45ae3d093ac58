//go:build unix

package shellpeg

import (
	"time"

	"golang.org/x/sys/unix"
)

const monotonicClock = "monotonic"

// monotonic reads a clock that all processes share and nobody sets, in nanoseconds.
func monotonic() int64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return time.Now().UnixNano() // every system of this build has the clock
	}
	return t.Nano()
}
