package orphan

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

// freezeTries, a millisecond apart, is how long processes may take to stop. A process that
// waits for a disk takes longer.
const freezeTries = 100

// Freeze stops processes with all their descendants, whatever group they are in, and
// returns the processes that it has stopped. Parents are stopped first, and Freeze repeats
// until no new process appears: one may have been about to fork.
func Freeze(roots []int) (all []int) {
	stopped := map[int]bool{}
	for range freezeTries {
		quiet := true
		for _, pid := range Descendants(roots) {
			switch State(pid) {
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

// Thaw lets processes continue, in the order in which they were stopped: a process that
// times its child then runs before the child moves.
func Thaw(pids []int) {
	for _, pid := range pids {
		_ = unix.Kill(pid, unix.SIGCONT) // fails if it was killed meanwhile
	}
}

// KillAll kills processes with all their descendants. It stops them first: then none can
// escape by forking, and no process id is used again, because a stopped parent does not
// reap.
func KillAll(roots []int) {
	Freeze(roots)
	all := Descendants(roots)
	for _, pid := range slices.Backward(all) { // children first: the kernel wakes a stopped orphan
		_ = unix.Kill(pid, unix.SIGKILL) // fails if it is gone already
	}
}

// Descendants lists processes and all their descendants, parents before children.
func Descendants(roots []int) []int {
	all := append([]int(nil), roots...)
	for i := 0; i < len(all); i++ {
		all = append(all, children(all[i])...)
	}
	return all
}

// children returns the processes that any thread of a process has started.
func children(pid int) (pids []int) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)) // it may have ended
	for _, task := range tasks {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name())) // the thread may have ended
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// State is the letter of a process's state in /proc, or 0 if it is gone.
func State(pid int) byte {
	fields := stat(pid)
	if len(fields) == 0 {
		return 0
	}
	return fields[0][0]
}

// ended reports whether a process is gone, or waits only to be reaped.
func ended(pid int) bool {
	s := State(pid)
	return s == 0 || s == 'Z' || s == 'X'
}

// began is when a process started, in ticks since the machine started, or 0 if it is
// gone.
func began(pid int) uint64 {
	const starttime = 19 // field 22 of proc_pid_stat(5), and the state is field 3
	fields := stat(pid)
	if len(fields) <= starttime {
		return 0
	}
	ticks, _ := strconv.ParseUint(fields[starttime], 10, 64)
	return ticks
}

// stat reads the fields of a process in /proc after its name. The name may contain
// anything, including brackets.
func stat(pid int) []string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndex(text, []byte(") "))
	if i < 0 {
		return nil
	}
	return strings.Fields(string(text[i+2:]))
}
