//go:build !unix

package shellpeg

import "time"

const monotonicClock = "system"

// monotonic reads the clock of the system, in nanoseconds: no other one is shared by
// processes here. An arc over a moment at which it is set back counts as zero.
func monotonic() int64 { return time.Now().UnixNano() }
