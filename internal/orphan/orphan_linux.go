package orphan

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Adopt makes this process the one to which the kernel hands orphans of its descendants.
// Children that it has already are spared: they belong to the program that it was before,
// such as a shell that started a server and then called exec.
func Adopt() {
	err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	here.mu.Lock()
	defer here.mu.Unlock()
	here.adopts = err == nil // after an error orphans go to init, and KillDead finds them
	here.keep()
}

// Keep spares orphans that appear before done is called: what a hook leaves running, such
// as a database, is for the cases that follow. What hosts leave meanwhile has Variable in
// its environment, and is not spared.
func Keep() (done func()) {
	here.mu.Lock()
	defer here.mu.Unlock()
	here.keeping++
	return func() {
		here.mu.Lock()
		defer here.mu.Unlock()
		here.keep()
		here.keeping--
	}
}

// keep spares the orphans that exist now.
func (f *family) keep() {
	for _, pid := range f.orphans() {
		f.kept[pid] = began(pid)
	}
}

// killTries, a millisecond apart, is how long an orphan may take to die. A process that
// waits for a disk may not die in that time, and is given up.
const killTries = 1000

// Kill kills the orphans that this process has, with all their descendants, and reaps them.
func Kill() {
	for range killTries {
		if !here.kill() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// kill reports whether there were orphans.
func (f *family) kill() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.adopts {
		return false
	}
	orphans := f.orphans()
	if f.keeping > 0 || os.Getpid() == 1 { // the init of a container gets everybody's orphans
		orphans = slices.DeleteFunc(orphans, func(pid int) bool { return owner(pid) != Self() })
	}
	if len(orphans) == 0 {
		return false
	}
	KillAll(orphans)
	for _, pid := range orphans {
		_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // if it is not dead yet, the next call reaps it
	}
	return true
}

// Orphans are children of this process that it did not start. A child that it started
// without Start, such as git, is in its session. Hosts and what they start are in other
// sessions.
func (f *family) orphans() (pids []int) {
	if !hasChildren() {
		return nil
	}
	session, _ := unix.Getsid(0) // it always has one
	for _, pid := range children(os.Getpid()) {
		other, err := unix.Getsid(pid)
		if f.started[pid] || err != nil || other == session {
			continue
		}
		if when, kept := f.kept[pid]; kept && when == began(pid) {
			continue
		}
		pids = append(pids, pid)
	}
	return pids
}

// hasChildren reports whether this process has children, with one system call. The lists of its
// threads in /proc answer that as well, but then the kernel has to drop each of their entries
// when this process is reaped, which takes its parent 2 to 4 ms on a busy machine.
func hasChildren() bool {
	for {
		err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil) // reaps nothing
		if err != unix.EINTR {
			return err != unix.ECHILD
		}
	}
}

// Self names this process as no other process on this machine is ever named: its id,
// its start time in ticks since the machine started, and the namespace of the id.
var Self = sync.OnceValue(func() string {
	pid := os.Getpid()
	return fmt.Sprintf("%010d-%020d-%s", pid, began(pid), namespace())
})

// namespace is the number of the namespace of process ids that this process is in.
func namespace() string {
	link, _ := os.Readlink("/proc/self/ns/pid") // without it, no number
	return strings.Trim(link, "pid:[]")
}

// Alive reports whether a process that Self named may still run. It returns true for a
// process of another namespace, which cannot be seen from here.
func Alive(self string) bool {
	id, rest, _ := strings.Cut(self, "-")
	when, space, ok := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(id)
	if !ok || err != nil || space == "" || space != namespace() {
		return true
	}
	ticks, err := strconv.ParseUint(when, 10, 64)
	return err != nil || began(pid) == ticks && !ended(pid)
}

// Environ returns the variables that a host gets in addition to the environment of this process.
func Environ() []string { return []string{Variable + "=" + Self() + "-" + here.domain()} }

// The domain is text of a fixed length.
func (f *family) domain() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := fnv.New64a()
	h.Write([]byte(f.name))
	return fmt.Sprintf("%016x", h.Sum64())
}

// KillDead kills the processes that killed runs have left, and returns them. The hosts of a
// run that was killed a moment ago are about to end by themselves and clean up, so they get
// the time patience to do so.
func KillDead(patience time.Duration) []Left {
	left := leftByDead()
	for end := time.Now().Add(patience); len(left) > 0 && time.Now().Before(end); left = leftByDead() {
		time.Sleep(10 * time.Millisecond)
	}
	killed := left
	for range killTries {
		if len(left) == 0 {
			break
		}
		pids := make([]int, len(left))
		for i := range left {
			pids[i] = left[i].PID
		}
		KillAll(pids)
		time.Sleep(time.Millisecond)
		left = leftByDead()
	}
	return killed
}

// leftByDead finds the processes of dead runs of this domain. It takes 10 µs for each
// process of the machine.
func leftByDead() (left []Left) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // after an error, those that were read
	domain := "-" + here.domain()
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		self, ok := strings.CutSuffix(mark(pid), domain)
		if ok && !Alive(self) && !ended(pid) {
			left = append(left, Left{pid, command(pid)})
		}
	}
	return left
}

// mark is the value of Variable with which a process started. It is empty for a process
// without it, and for processes of other users.
func mark(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // it may have ended
	for variable := range strings.SplitSeq(string(text), "\x00") {
		if value, ok := strings.CutPrefix(variable, Variable+"="); ok {
			return value
		}
	}
	return ""
}

// owner is the Self of the run that a process belongs to, "" if it is not known.
func owner(pid int) string {
	value := mark(pid)
	return value[:max(strings.LastIndexByte(value, '-'), 0)]
}

func command(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
	if line := strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " ")); line != "" {
		return line
	}
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.TrimSpace(string(name))
}
