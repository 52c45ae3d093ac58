//go:build unix && !linux

package spawn

import (
	"os"
	"syscall"

	"example.com/suite/internal/orphan"
	"example.com/suite/runner/host/wire"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process and what it started. It returns 1 if anything was left,
// else 0.
func killGroup(p *os.Process) int {
	if orphan.KillGroup(p.Pid) != nil {
		return 0
	}
	return 1
}

func (r *Run) usage(state *os.ProcessState) {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return
	}
	r.RSS = peakBytes(u.Maxrss)
	r.Faults, r.MajorFaults = int64(u.Minflt+u.Majflt), int64(u.Majflt)
	r.Voluntary, r.Involuntary = int64(u.Nvcsw), int64(u.Nivcsw)
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.Exit, r.Signal = 128+int(status.Signal()), wire.SignalName(status.Signal())
	}
}
