//go:build unix && !linux

package host

import (
	"os"
	"runtime"
	"syscall"

	"example.com/suite/runner/host/wire"
	"golang.org/x/sys/unix"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process and what it started. It returns 1 if anything was left,
// else 0.
func killGroup(p *os.Process) int {
	if unix.Kill(-p.Pid, unix.SIGKILL) != nil {
		return 0
	}
	return 1
}

func (r *run) usage(state *os.ProcessState) {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return
	}
	r.rss = u.Maxrss
	if runtime.GOOS != "darwin" { // darwin counts bytes, the others KiB
		r.rss <<= 10
	}
	r.faults, r.major = int64(u.Minflt+u.Majflt), int64(u.Majflt)
	r.voluntary, r.involuntary = int64(u.Nvcsw), int64(u.Nivcsw)
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.exit, r.signal = 128+int(status.Signal()), wire.SignalName(status.Signal())
	}
}
