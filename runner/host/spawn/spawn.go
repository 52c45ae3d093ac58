// Package spawn starts programs for a host, one at a time, and reports what each of them
// has used. Between the two readings of the clock it does nothing else. It kills programs
// that last too long, and all processes that outlive a run. If the system allows it,
// programs are started by a small process of its own, see package spawner. It knows
// nothing of cases and samples.
package spawn

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Job is everything that is needed to start a program.
type Job struct {
	Path    string   // of the program, absolute
	Argv    []string // with the name of the program
	Env     []string
	Dir     string
	Stdin   *os.File
	Stdout  *os.File
	Stderr  *os.File
	Timeout time.Duration // after which it is killed with all that it has started
	Pin     string        // Pinned, Starting or another word for neither

	Inherited []*os.File // by a service, from descriptor 3 on; not on Windows
}

// Values of Job.Pin: Pinned keeps a run on one CPU, Starting keeps only the process there
// that starts the run.
const (
	Pinned   = "on"
	Starting = "auto"
)

// Run is everything that is known of one run, in nanoseconds, bytes and counts. A field
// that this system cannot measure stays timer.Absent, see NewRun.
type Run struct {
	Wall, User, System, Wait int64
	RSS                      int64 // peak memory
	Faults, MajorFaults      int64
	Read, Written            int64
	Voluntary, Involuntary   int64 // switches
	Exit                     int
	Signal                   string
	TimedOut                 bool
	Stopped                  int64    // ns for which it was stopped by signals
	Leaked                   int      // processes that outlived it, killed
	Left                     []string // command lines of the first of them: words, each with a zero after it
	Tree                     Usage    // of all processes of the run
}

// Usage is what a whole tree of processes has used, including those that nobody has waited
// for; timer.Absent if it is not known.
type Usage struct {
	CPU    int64 // ns
	Wait   int64 // ns in which some of its threads were ready and had no CPU
	Memory int64 // bytes: the peak, with the files that it brought into the cache
}

// Starter starts the programs of a host. Only one of them runs at a time.
type Starter struct {
	Alone bool // this process starts them itself: it cannot start a spawner

	now      func() int64 // the clock, ns
	running  atomic.Int64 // pid of the program that this process has started and that runs now, 0 for none
	spawning atomic.Pointer[spawning]
	services sync.Map // pid → *os.Process of those that were started and not ended
}

// New makes a starter that times runs with a clock, in nanoseconds.
func New(now func() int64) *Starter { return &Starter{now: now} }

// ErrLost reports that the spawner is gone: its run has killed it, or the system was short
// of memory.
var ErrLost = errors.New("the process that starts the commands was killed")

// ProcBytes finds a line such as "VmHWM:   1234 kB" in a file of /proc and returns its
// number in bytes, 0 if there is none.
func ProcBytes(path, name string) int64 {
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
