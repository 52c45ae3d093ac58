//go:build amd64 || arm64

package observe

import (
	"maps"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data. Both architectures are little-endian, so the lower half
// of an argument comes first.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16
	dataArg1   = 24
	dataArg2   = 32
	dataArg3   = 40
)

// filter is the program that the kernel runs for each call. Calls of another architecture
// stop too: such a program is a doubt, and rare.
func filter() []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	jump := func(test uint16, k uint32, yes, otherwise uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: yes, Jf: otherwise, K: k}
	}
	end := func(verdict uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: verdict}
	}
	stop, pass := end(unix.SECCOMP_RET_TRACE), end(unix.SECCOMP_RET_ALLOW)
	program := []unix.SockFilter{
		load(dataArch), jump(unix.BPF_JEQ, nativeArch, 1, 0), stop,
		load(dataNumber), jump(unix.BPF_JGE, x32, 0, 1), stop,
		// New threads are usual, and no doubt.
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 4),
		load(dataArg0), jump(unix.BPF_JSET, unix.CLONE_UNTRACED|unix.CLONE_NEWNS, 0, 1), stop, pass,
		jump(unix.BPF_JEQ, unix.SYS_UNSHARE, 0, 4),
		load(dataArg0), jump(unix.BPF_JSET, unix.CLONE_NEWNS, 0, 1), stop, pass,
		// Sockets with connections are recorded when they are connected.
		jump(unix.BPF_JEQ, unix.SYS_SOCKET, 0, 7),
		load(dataArg0), jump(unix.BPF_JEQ, unix.AF_NETLINK, 4, 0),
		load(dataArg1), {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0xf}, jump(unix.BPF_JEQ,
			unix.SOCK_STREAM, 1, 0), stop, pass,
		jump(unix.BPF_JEQ, unix.SYS_SENDTO, 0, 4),
		load(dataArg3), jump(unix.BPF_JSET, unix.MSG_FASTOPEN, 0, 1), stop, pass,
		jump(unix.BPF_JEQ, unix.SYS_SENDMSG, 0, 4),
		load(dataArg2), jump(unix.BPF_JSET, unix.MSG_FASTOPEN, 0, 1), stop, pass,
	}
	for _, number := range slices.Sorted(maps.Keys(calls)) {
		switch number {
		case unix.SYS_CLONE, unix.SYS_UNSHARE, unix.SYS_SOCKET, unix.SYS_SENDTO, unix.SYS_SENDMSG:
		default:
			program = append(program, jump(unix.BPF_JEQ, number, 0, 1), stop)
		}
	}
	return append(program, pass)
}

// install puts this thread and what it becomes under the filter, without a way back.
func install(program []unix.SockFilter) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return errno
	}
	return nil
}
