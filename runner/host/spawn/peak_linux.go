package spawn

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// peakMemory is the peak memory of this process, bytes; 0 if it is not known. A child
// is born with it: exec folds the old image's high-water mark into the new process.
// getrusage may report more, because it includes the peak of suite, which started this
// process and whose peak children do not inherit. Without /proc it is used as an upper
// bound.
func peakMemory() int64 { return peakBy("/proc/self/status") }

func peakBy(status string) int64 {
	var usage unix.Rusage
	if peak := ProcBytes(status, "VmHWM"); peak > 0 || unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return peak
	}
	return usage.Maxrss << 10
}

// PeakMemory is the peak memory of the service so far, of which getrusage in it says maxrss, bytes. That includes the
// peak of this process, from which exec has made it.
func (v *Service) PeakMemory(maxrss int64) int64 {
	if peak := ProcBytes(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid), "VmHWM"); peak > 0 {
		return peak
	}
	return maxrss << 10
}
