package wire

import "syscall"

// awakened makes a host that is stopped go on when the thread that has started it
// is gone: it notices that its controller is, and ends with what it has started.
func awakened(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	attr.Pdeathsig = syscall.SIGCONT
	return attr
}
