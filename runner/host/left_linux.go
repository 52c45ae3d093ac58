package host

import (
	"fmt"
	"os"
)

// called returns the command lines of the first few processes, each word with a
// zero after it, or what the kernel calls one without.
func called(pids []int) (lines []string) {
	for _, pid := range pids[:min(len(pids), mostLeft)] {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		if len(text) == 0 {
			text, _ = os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		}
		if len(text) > 0 {
			lines = append(lines, string(text))
		}
	}
	return lines
}
