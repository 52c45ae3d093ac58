package runner

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// freezeTries, a millisecond apart, is how long processes may take to stop; one
// that waits for a disk does not at once.
const freezeTries = 100

// freeze stops processes with all that descend from them, in whatever group, and
// gives the ones that it has stopped. The parents stop first, and it looks until
// nothing new has appeared: a process may have been about to fork.
func freeze(roots []int) (all []int) {
	stopped := map[int]bool{}
	for range freezeTries {
		quiet := true
		for _, pid := range descendants(roots) {
			switch state(pid) {
			case 'Z', 'X', 0: // ended
			case 'T', 't':
			default:
				quiet = false
				if unix.Kill(pid, unix.SIGSTOP) == nil && !stopped[pid] {
					stopped[pid], all = true, append(all, pid)
				}
			}
		}
		if quiet {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return all
}

// thaw lets processes go on, in the order in which they were stopped: whoever
// times a child is there before it moves.
func thaw(pids []int) {
	for _, pid := range pids {
		_ = unix.Kill(pid, unix.SIGCONT) // killed meanwhile: then it is gone
	}
}

// killAll kills processes with all that descend from them. They are stopped
// before: nothing escapes by forking, and no number is used again, because what
// is stopped does not reap.
func killAll(roots []int) {
	freeze(roots)
	all := descendants(roots)
	for _, pid := range slices.Backward(all) { // children first: the kernel wakes a stopped orphan
		_ = unix.Kill(pid, unix.SIGKILL) // gone already
	}
}

// descendants lists processes and all below them, parents before children.
func descendants(roots []int) []int {
	all := append([]int(nil), roots...)
	for i := 0; i < len(all); i++ {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", all[i]))
		if err != nil {
			continue // it has ended
		}
		for _, task := range tasks {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", all[i], task.Name())) // the thread may have ended
			for _, field := range strings.Fields(string(text)) {
				if pid, err := strconv.Atoi(field); err == nil {
					all = append(all, pid)
				}
			}
		}
	}
	return all
}

// state is the letter of a process in /proc, 0 for one that is gone. It stands
// behind the name, which may hold anything, brackets too.
func state(pid int) byte {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndex(text, []byte(") "))
	if i < 0 || i+2 >= len(text) {
		return 0
	}
	return text[i+2]
}
