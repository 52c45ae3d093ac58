//go:build amd64 || arm64

package spawner

import "unsafe"

// run makes one run. Between the two readings of the clock there are the fork
// and the wait, and nothing else.
//
//go:nosplit
//go:norace
func run(self uintptr) {
	if errno := syscall6(sysChdir, uintptr(request.Dir), 0, 0, 0, 0, 0); errno != 0 {
		answer.Errno = -errno
		return
	}
	refused = 0
	stay()
	start := clock()
	pid := vfork(uintptr(request.Path), uintptr(request.Argv), uintptr(request.Env), self)
	if pid > 0 {
		if fired != 0 { // before it had a number
			kill(current)
		}
		answer.Stopped = ended(pid)
	}
	answer.Wall = clock() - start
	current = 0
	switch {
	case pid < 0:
		answer.Errno = -pid
	case refused != 0:
		answer.Errno = refused
	}
	if pid > 0 {
		inspect(pid)
		answer.Leaked = sweep(pid)
	}
	syscall6(sysChdir, uintptr(unsafe.Pointer(&root)), 0, 0, 0, 0, 0) // else the folder could not be unmounted
}

// ended waits until a child has ended and leaves it unreaped, so that what the
// kernel knows of it can still be read. It returns how long the child was stopped
// by signals, ns: at least 1 if it was, else 0.
//
//go:nosplit
//go:norace
func ended(pid int64) (stopped int64) {
	const changes = waitStopped | waitContinued
	since := int64(0)
	for {
		errno := wait(pid, waitExited|changes|waitNoWait)
		switch {
		case errno == -eintr:
			continue
		case errno != 0, info.code != childStopped && info.code != childContinued:
			if since != 0 {
				stopped += max(clock()-since, 1)
			}
			return stopped
		}
		wait(pid, changes|waitNoHang) // consumes the change; a newer one replaces it
		switch info.code {
		case childStopped:
			since = clock()
		case childContinued:
			stopped++
			if since != 0 {
				stopped, since = stopped+clock()-since, 0
			}
		}
	}
}

//go:nosplit
//go:norace
func wait(pid int64, options uintptr) int64 {
	info = siginfo{}
	return syscall6(sysWaitid, 1, uintptr(pid), uintptr(unsafe.Pointer(&info)), options, 0, 0) // P_PID
}

// inspect reads what the kernel knows of a process that has ended, and reaps it.
//
//go:nosplit
//go:norace
func inspect(pid int64) {
	file(pid, &schedstat, &answer.Schedstat)
	file(pid, &io, &answer.IO)
	for syscall6(sysWait4, uintptr(pid), uintptr(unsafe.Pointer(&answer.Status)), 0,
		uintptr(unsafe.Pointer(&answer.Usage)), 0, 0) == -eintr {
	}
}

//go:nosplit
//go:norace
func clock() int64 {
	syscall6(sysClockGettime, 1, uintptr(unsafe.Pointer(&now)), 0, 0, 0, 0)
	return now[0]*1e9 + now[1]
}

// kill kills a process and its group.
//
//go:nosplit
//go:norace
func kill(pid int64) {
	syscall6(sysKill, uintptr(-pid), sigKill, 0, 0, 0, 0)
	syscall6(sysKill, uintptr(pid), sigKill, 0, 0, 0, 0)
}

// sweep kills and reaps the processes that outlive a run, also those that left its
// group: orphans become children of the spawner, because it is a subreaper. group
// is 0 for none. It counts the processes that were alive; it gives up after a
// second, because some processes cannot be killed.
//
//go:nosplit
//go:norace
func sweep(group int64) (leaked int64) {
	for tries := 0; tries < 1000; {
		child := syscall6(sysWait4, ^uintptr(0), 0, waitNoHang, 0, 0, 0)
		switch {
		case child == -eintr:
		case child < 0: // none is left
			return leaked
		case child > 0 && tries > 0:
			leaked++
		case child == 0: // some are left, and alive
			tries++
			if tries == 1 {
				// one that was forked last may be on its way to exec
				syscall6(sysNanosleep, uintptr(unsafe.Pointer(&nap)), 0, 0, 0, 0, 0)
				nameChildren()
			}
			if group > 0 {
				syscall6(sysKill, uintptr(-group), sigKill, 0, 0, 0, 0)
			}
			killChildren()
			syscall6(sysNanosleep, uintptr(unsafe.Pointer(&nap)), 0, 0, 0, 0, 0)
		}
	}
	return leaked
}

// nameChildren stores the command lines of the first children of the spawner,
// before they are killed.
//
//go:nosplit
//go:norace
func nameChildren() {
	n := read(uintptr(unsafe.Pointer(&children)), uintptr(unsafe.Pointer(&scratch)), unsafe.Sizeof(scratch))
	pid, named := int64(0), 0
	for i := int64(0); i < n && i < int64(len(scratch)) && named < MostLeft; i++ {
		switch c := scratch[i]; {
		case c >= '0' && c <= '9':
			pid = pid*10 + int64(c-'0')
		case pid > 0:
			left := &answer.Left[named]
			if file(pid, &command, left); left.N == 0 {
				file(pid, &comm, left)
			}
			pid, named = 0, named+1
		}
	}
}

// killChildren kills all children of the spawner; the list has room for the first
// 500 or so, and the others are listed when these are dead.
//
//go:nosplit
//go:norace
func killChildren() {
	n := read(uintptr(unsafe.Pointer(&children)), uintptr(unsafe.Pointer(&scratch)), unsafe.Sizeof(scratch))
	pid := int64(0)
	for i := int64(0); i < n && i < int64(len(scratch)); i++ {
		switch c := scratch[i]; {
		case c >= '0' && c <= '9':
			pid = pid*10 + int64(c-'0')
		case pid > 0:
			syscall6(sysKill, uintptr(pid), sigKill, 0, 0, 0, 0)
			pid = 0
		}
	}
}

// file reads a file of a process in /proc.
//
//go:nosplit
//go:norace
func file(pid int64, name *[16]byte, into *Text) {
	digits := 1
	for x := pid; x > 9; x /= 10 {
		digits++
	}
	for i := range 6 {
		path[i] = cmdline[i] // "/proc/"
	}
	for i := 5 + digits; i > 5; i-- {
		path[i] = byte('0' + pid%10)
		pid /= 10
	}
	for i := range name {
		path[6+digits+i] = name[i]
	}
	into.N = read(uintptr(unsafe.Pointer(&path)), uintptr(unsafe.Pointer(&into.Bytes)), unsafe.Sizeof(into.Bytes))
}
