package host

import (
	"fmt"
	"os"
	"runtime"
)

// crowdedLoad is a load of each CPU with which a thread that is woken waits for others to end their turns.
const crowdedLoad = 2.5

// isCrowded reports whether the CPUs of the machine have been busy for the last minute. It is false where that is not
// known.
func isCrowded() bool {
	text, _ := os.ReadFile("/proc/loadavg")
	return isLoaded(string(text), runtime.NumCPU())
}

// isLoaded reports the same by what the kernel lists: 7.35 12.45 15.67 3/345 1234.
func isLoaded(list string, cpus int) bool {
	var load float64
	_, err := fmt.Sscan(list, &load)
	return err == nil && load > crowdedLoad*float64(cpus)
}
