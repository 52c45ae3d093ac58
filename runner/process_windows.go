package runner

import (
	"os"
	"syscall"
)

// askForStacks does nothing: the system has no such signal.
func askForStacks(*os.Process) {}

// killTree kills a host; what it started lives on.
func killTree(p *os.Process) { _ = p.Kill() } // gone already: nothing to kill

// killRest cannot: the system has no groups of processes.
func killRest(*os.Process) {}

// killGroup kills a process; what it started lives on.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // gone already
	}
}

// signalName is always empty: the system has no signals.
func signalName(*os.ProcessState) string { return "" }

func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
