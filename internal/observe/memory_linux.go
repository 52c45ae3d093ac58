//go:build amd64 || arm64

package observe

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

func ptrace(request, id int, address, data uintptr) error {
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, uintptr(request), uintptr(id), address, data, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func getSyscallInfo(id int, info *syscallInfo) error {
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(id), unsafe.Sizeof(*info),
		uintptr(unsafe.Pointer(info)), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// peek reads memory of a task. Some containers refuse the fast way, and so does the kernel
// for a program that its user may execute and not read.
func peek(id int, address uint64, into []byte) (int, error) {
	local := unix.Iovec{Base: &into[0]}
	local.SetLen(len(into))
	remote := unix.RemoteIovec{Base: uintptr(address), Len: len(into)}
	n, err := unix.ProcessVMReadv(id, []unix.Iovec{local}, []unix.RemoteIovec{remote}, 0)
	if err == nil && n > 0 || err == unix.EFAULT || err == unix.ESRCH {
		return n, err
	}
	n, err = unix.PtracePeekData(id, uintptr(address), into)
	if err == unix.EIO {
		err = unix.EFAULT
	}
	return n, err
}
