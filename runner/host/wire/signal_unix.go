//go:build unix

package wire

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// firstRealTime is the first of the real-time signals that programs may use.
// C libraries keep 32 and 33 for themselves.
const firstRealTime = 34

// SignalName is the name of a signal as kill -l lists it: SIGKILL, SIGRTMIN+6. A
// real-time signal has no other name, and one without a name gets its number.
func SignalName(s syscall.Signal) string {
	name := unix.SignalName(s)
	switch {
	case name != "":
		return name
	case s == firstRealTime:
		return "SIGRTMIN"
	case s > firstRealTime:
		return fmt.Sprintf("SIGRTMIN+%d", int(s-firstRealTime))
	}
	return fmt.Sprintf("SIG%d", int(s))
}
