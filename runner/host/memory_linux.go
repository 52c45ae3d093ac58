package host

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// memoryLimit returns how far a heap without a collector may grow, bytes: half of
// what is available now. Free memory would be far too little: most of the rest caches
// files, and the system frees it on demand.
func memoryLimit() int64 {
	available := procBytes("/proc/meminfo", "MemAvailable")
	if available == 0 {
		return fallbackLimit
	}
	return max(available/2, 64<<20)
}

const fallbackLimit = 1 << 30

// peakMemory returns the peak memory of this process, bytes; 0 if it is not known. A
// child is born with it: exec folds the old image's high-water mark into the new
// process. getrusage may return more, because it includes the peak of suite, which
// started this process and whose peak children do not inherit. Without /proc it is
// used as an upper bound.
func peakMemory() int64 { return peakBy("/proc/self/status") }

func peakBy(status string) int64 {
	var usage unix.Rusage
	if peak := procBytes(status, "VmHWM"); peak > 0 || unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return peak
	}
	return usage.Maxrss << 10
}

// procBytes finds a line like "VmHWM:   1234 kB", 0 if there is none.
func procBytes(path, name string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kib int64
		if n, _ := fmt.Sscanf(lines.Text(), name+": %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}
