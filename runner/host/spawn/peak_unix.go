//go:build unix && !linux

package spawn

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// peakMemory is the peak memory of this process, bytes; 0 if it is not known. A child
// is born with it: exec folds the old image's high-water mark into the new process.
func peakMemory() int64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return peakBytes(int64(usage.Maxrss))
}

func peakBytes(maxrss int64) int64 {
	if runtime.GOOS == "darwin" { // counts bytes, the others KiB
		return maxrss
	}
	return maxrss << 10
}

// PeakMemory is the peak memory of the service so far, of which getrusage in it says maxrss, bytes.
func (v *Service) PeakMemory(maxrss int64) int64 { return peakBytes(maxrss) }
