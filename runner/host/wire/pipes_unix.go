//go:build unix

package wire

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Descriptors of the request and the answer pipe in a host: the first two
// after standard error, as os/exec numbers ExtraFiles. It moves them before any
// benchmark is set up.
const (
	requestFD = 3
	answerFD  = 4
)

// Inherit passes the host's ends of both pipes to a command, and starts it in a
// session of its own. A Ctrl-C on the terminal does not reach it, and neither it nor
// what it starts can open /dev/tty: a read from there would stop it, because it is
// not in the foreground, and changes to the modes of the terminal would stay.
func Inherit(cmd *exec.Cmd, requests, answers *os.File) error {
	cmd.ExtraFiles = []*os.File{requests, answers}
	cmd.SysProcAttr = awakened(&syscall.SysProcAttr{Setsid: true})
	return nil
}

// HangUp returns a function that waits until the controller has closed its end of a
// pipe. It asks for no event, so that requests do not wake it, and uses no CPU. It has
// a descriptor of its own: if a benchmark closes the one of the requests before the wait
// has begun, its controller is still there.
func HangUp(pipe *os.File) (wait func()) {
	fd := int(pipe.Fd())
	if own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, fd); err == nil { // else too many are open
		fd = own
	}
	return func() {
		for {
			fds := []unix.PollFd{{Fd: int32(fd)}}
			if n, err := unix.Poll(fds, -1); n > 0 || err != unix.EINTR {
				return
			}
		}
	}
}

// remote is the lowest descriptor that a pipe is moved to. Code that closes or reads
// all small descriptors does not reach it, and the table of descriptors, which every
// fork copies, stays small: 16 KiB.
const remote = 2000

func Inherited() (in, out *os.File, err error) {
	var pipes [2]*os.File
	for i, fd := range []int{requestFD, answerFD} {
		var stat syscall.Stat_t
		if err := syscall.Fstat(fd, &stat); err != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			return nil, nil, errors.New("no pipe to a controller is inherited")
		}
		pipes[i] = os.NewFile(uintptr(away(fd)), []string{"requests", "answers"}[i])
	}
	return pipes[0], pipes[1], nil
}

// away moves a descriptor to a large number, as far as the limit of this process
// allows, and puts the null device in its place. Measured commands inherit neither:
// they must not keep a pipe open.
func away(fd int) int {
	lowest := uint64(remote)
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil {
		lowest = min(lowest, uint64(limit.Cur)*3/4)
	}
	moved, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, int(lowest))
	if err != nil { // too many are open
		syscall.CloseOnExec(fd)
		return fd
	}
	if null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0); err == nil {
		// else the runtime of Go might wait for events there
		_ = unix.Dup2(int(null.Fd()), fd)
		syscall.CloseOnExec(fd)
		null.Close()
	} else {
		syscall.Close(fd)
	}
	return moved
}

// Watch makes a function whose error reports that measured code has closed a pipe to
// the controller, has replaced it, or has made it non-blocking, which is undone. It
// takes 1 µs and is called after each request, else the next case would be blamed.
func Watch(pipes ...*os.File) (intact func() error) {
	was := make([]syscall.Stat_t, len(pipes))
	for i, pipe := range pipes {
		_ = syscall.Fstat(int(pipe.Fd()), &was[i]) // it is a pipe, which Inherited has checked
	}
	return func() (broken error) {
		for i, pipe := range pipes {
			fd := pipe.Fd()
			var now syscall.Stat_t
			if err := syscall.Fstat(int(fd), &now); err != nil || now.Ino != was[i].Ino || now.Dev != was[i].Dev {
				return fmt.Errorf("the benchmark closed descriptor %d, over which suite talks to its host", fd)
			}
			if flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0); err == nil && flags&unix.O_NONBLOCK != 0 {
				_, _ = unix.FcntlInt(fd, unix.F_SETFL, flags&^unix.O_NONBLOCK) // as it was
				broken = fmt.Errorf("the benchmark made descriptor %d non-blocking, over which suite talks to its host",
					fd)
			}
		}
		return broken
	}
}
