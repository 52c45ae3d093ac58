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
	if runtime.GOOS == "darwin" { // counts bytes, the others KiB
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
