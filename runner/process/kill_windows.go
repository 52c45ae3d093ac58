package process

import (
	"os"
	"syscall"
)

// AskForStacks does nothing: the system has no such signal.
func AskForStacks(*os.Process) {}

// KillTree kills a host; what it started lives on.
func KillTree(p *os.Process) { _ = p.Kill() } // gone already: nothing to kill

// KillRest cannot: the system has no groups of processes.
func KillRest(*os.Process) {}

// SignalName is empty: the system has no signals.
func SignalName(*os.ProcessState) string { return "" }

// OwnSession keeps a Ctrl-C on the terminal from a hook.
func OwnSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// freeze does nothing: the system has no such signals.
func freeze([]int) []int { return nil }

func thaw([]int) {}

// killAll kills hosts and hooks; what they have started lives on.
func killAll(roots []int) {
	for _, pid := range roots {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // gone already
		}
	}
}
