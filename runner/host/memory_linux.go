package host

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// memoryLimit is how far a heap without a collector may grow, bytes: half of
// what is available now. Free memory would be far too little: most of what is
// not in use holds copies of files, and is given back when it is wanted.
func memoryLimit() int64 {
	available := procBytes("/proc/meminfo", "MemAvailable")
	if available == 0 {
		return fallbackLimit
	}
	return max(available/2, 64<<20)
}

const fallbackLimit = 1 << 30

// peakMemory of this process, bytes; 0 where it is not known. A child is born
// with it: exec folds the old image's high-water mark into the new process.
// What getrusage says of this process may be more: it holds the mark of suite,
// which started it, and that is not handed on. Where there is no /proc it is a
// bound all the same.
func peakMemory() int64 { return peakBy("/proc/self/status") }

func peakBy(status string) int64 {
	var usage unix.Rusage
	if peak := procBytes(status, "VmHWM"); peak > 0 || unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return peak
	}
	return usage.Maxrss << 10
}

// procBytes finds a line like "VmHWM:   1234 kB", 0 where there is none.
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
