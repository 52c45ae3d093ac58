//go:build amd64 || arm64

package spawner

import "unsafe"

// isSpawner reports whether this process is to be the spawner. It looks for the socket
// first, because that costs every start of suite 0.2 µs, and reading the command
// line 20 µs.
func isSpawner() bool {
	length, kind := uint32(4), int32(0)
	if syscall6(sysGetsockopt, SocketFD, 1, 3, uintptr(unsafe.Pointer(&kind)),
		uintptr(unsafe.Pointer(&length)), 0) != 0 {
		// SOL_SOCKET, SO_TYPE
		return false
	}
	return read(uintptr(unsafe.Pointer(&cmdline)), uintptr(unsafe.Pointer(&scratch)), 32) == int64(len(name)) &&
		[len(name)]byte(scratch[:len(name)]) == name
}

// begin makes the spawner and does not return. The spawner is a copy of this process
// and a child of the host as well; this process ends.
func begin() {
	for sig := uintptr(1); sig <= 64; sig++ {
		unhandle(sig)
	}
	host := syscall6(sysGetppid, 0, 0, 0, 0, 0, 0)
	if syscall6(sysClone, cloneParent|sigChld, 0, 0, 0, 0, 0) != 0 {
		exit()
	}
	serve(host)
}

// unhandle undoes what the runtime of Go has set up for a signal: its handler
// would need it. What was ignored stays ignored, for the children too.
//
//go:nosplit
//go:norace
func unhandle(sig uintptr) {
	address := uintptr(unsafe.Pointer(&action))
	if syscall6(sysRtSigaction, sig, 0, address, 8, 0, 0) == 0 && action.handler > 1 {
		action = sigaction{}
		syscall6(sysRtSigaction, sig, address, 0, 8, 0, 0)
	}
}

// handle makes a signal kill the current run. exec takes it back in a child.
//
//go:nosplit
//go:norace
func handle(sig uintptr) {
	// SA_ONSTACK, SA_RESTORER
	action = sigaction{handler: handlerAddress(), flags: 0x0c000000, restorer: restorerAddress()}
	syscall6(sysRtSigaction, sig, uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
}

// serve makes runs until the host is gone.
//
//go:nosplit
//go:norace
func serve(host int64) {
	syscall6(sysSetpgid, 0, 0, 0, 0, 0, 0) // a Ctrl-C is not for it
	syscall6(sysPrctl, prSetName, uintptr(unsafe.Pointer(&name)), 0, 0, 0, 0)
	syscall6(sysPrctl, prSetSubreaper, 1, 0, 0, 0, 0)
	handle(sigTerm)
	syscall6(sysPrctl, prSetPdeathsig, sigTerm, 0, 0, 0, 0)
	for fd := uintptr(0); fd < 3; fd++ {
		syscall6(sysClose, fd, 0, 0, 0, 0, 0) // the runs' descriptors get these numbers
	}
	for _, fd := range [...]uintptr{SocketFD, BlockFD} {
		syscall6(sysFcntl, fd, 2, 1, 0, 0, 0) // F_SETFD, FD_CLOEXEC
	}
	allowedSize = syscall6(sysSchedGetaffinity, 0, unsafe.Sizeof(allowed), uintptr(unsafe.Pointer(&allowed)), 0, 0, 0)
	hello.PID = syscall6(sysGetpid, 0, 0, 0, 0, 0, 0)
	hello.Block = uint64(syscall6(sysMmap, 0, BlockSize, 1, 1, BlockFD, 0)) // PROT_READ, MAP_SHARED
	write(uintptr(unsafe.Pointer(&hello)), unsafe.Sizeof(hello))
	for host == syscall6(sysGetppid, 0, 0, 0, 0, 0, 0) {
		fired = 0 // the signal came after a run
		got := receive()
		if got == -eintr {
			continue
		}
		if got <= 0 {
			break
		}
		answer = Answer{}
		switch {
		case got != int64(unsafe.Sizeof(request)) || message.flags&8 != 0: // MSG_CTRUNC
			answer.Errno = eproto
		case request.Path != 0:
			run(uintptr(hello.PID))
		}
		for fd := uintptr(0); fd < 3; fd++ {
			syscall6(sysClose, fd, 0, 0, 0, 0, 0)
		}
		write(uintptr(unsafe.Pointer(&answer)), unsafe.Sizeof(answer))
	}
	sweep(0)
	exit()
}

// receive takes a request. Its descriptors become the lowest free ones: 0, 1, 2.
//
//go:nosplit
//go:norace
func receive() int64 {
	vector = iovec{uintptr(unsafe.Pointer(&request)), unsafe.Sizeof(request)}
	message = msghdr{vector: uintptr(unsafe.Pointer(&vector)), vectors: 1,
		control: uintptr(unsafe.Pointer(&control)), controlLen: unsafe.Sizeof(control)}
	return syscall6(sysRecvmsg, SocketFD, uintptr(unsafe.Pointer(&message)), 0, 0, 0, 0)
}

// write sends a message. If nobody takes it, that shows with the next request.
//
//go:nosplit
//go:norace
func write(from, length uintptr) {
	syscall6(sysSendto, SocketFD, from, length, 0x4000, 0, 0) // MSG_NOSIGNAL
}

//go:nosplit
//go:norace
func exit() {
	for {
		syscall6(sysExitGroup, 0, 0, 0, 0, 0, 0)
	}
}

// read reads the beginning of a file.
//
//go:nosplit
//go:norace
func read(name, into, size uintptr) int64 {
	const atCWD, cloexec = ^uintptr(99), 0x80000
	fd := syscall6(sysOpenat, atCWD, name, cloexec, 0, 0, 0)
	if fd < 0 {
		return 0
	}
	n := syscall6(sysRead, uintptr(fd), into, size, 0, 0, 0)
	syscall6(sysClose, uintptr(fd), 0, 0, 0, 0, 0)
	return max(n, 0)
}
