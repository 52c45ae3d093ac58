// Package orphan ends processes that outlive the process that started them.
//
// Measured code may start processes that leave its process group, its session
// and their parent. On Linux the kernel hands such an orphan to the nearest
// ancestor that has asked for orphans: a host while it lives, and after it the
// process that started the host. That process calls Adopt, starts everything
// with Start, and calls Kill when a process has ended. If it is killed itself,
// orphans go to init. They are found by the next run, because everything that a
// host starts inherits Variable.
//
// Other systems have no such ancestors. There all functions but Start and
// KillGroup do nothing.
package orphan

import (
	"embed"
	"os/exec"
	"sync"
)

// Variable is the environment variable that hosts get. Its value names the process that
// started them and its domain. The length never changes: a longer environment moves the
// stack of a program, which changes its times.
const Variable = "SUITE_RUN"

// Left is a process that a dead run left running.
type Left struct {
	PID     int
	Command string // its command line, or its name if it has none
}

// Domain sets a name: a run kills only what runs with the same name have left. Call it
// before anything is started.
func Domain(name string) {
	here.mu.Lock()
	defer here.mu.Unlock()
	here.name = name
}

// Start starts a command as cmd.Start does. Kill spares the process until the caller calls
// ended, which it must do after cmd.Wait.
func Start(cmd *exec.Cmd) (ended func(), err error) {
	here.mu.Lock()
	defer here.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pid := cmd.Process.Pid
	here.started[pid] = true
	return func() {
		here.mu.Lock()
		defer here.mu.Unlock()
		delete(here.started, pid)
	}, nil
}

// Source is the source of this package: hosts are built with it.
//
//go:embed *.go
var Source embed.FS

// here is what we know of the children of this process. It is global because the kernel's
// list of children belongs to the process too: whoever kills orphans must know every
// process that was started on purpose.
var here = family{started: map[int]bool{}, kept: map[int]uint64{}}

type family struct {
	mu      sync.Mutex
	name    string // of the domain
	adopts  bool
	started map[int]bool   // by Start
	keeping int            // calls of Keep whose done was not called yet
	kept    map[int]uint64 // orphans to be spared, with their start times
}
