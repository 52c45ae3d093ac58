//go:build unix

package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Descriptors of the request and the answer pipe in a host: the first two
// behind standard error, as os/exec numbers ExtraFiles.
const (
	requestFD = 3
	answerFD  = 4
)

// Inherit gives a command the host's ends of both pipes, and a session of its own.
// A Ctrl-C on the terminal does not reach it, and neither it nor what it starts can
// open /dev/tty: a read from there would stop it, because it is not in the
// foreground, and what it did to the modes of the terminal would stay.
func Inherit(cmd *exec.Cmd, requests, answers *os.File) error {
	cmd.ExtraFiles = []*os.File{requests, answers}
	cmd.SysProcAttr = awakened(&syscall.SysProcAttr{Setsid: true})
	return nil
}

// hangUp waits until the controller has closed its end of a pipe. It asks for
// no event, so that requests do not wake it, and uses no CPU.
func hangUp(pipe *os.File) {
	fds := []unix.PollFd{{Fd: int32(pipe.Fd())}}
	for {
		if n, err := unix.Poll(fds, -1); n > 0 || err != unix.EINTR {
			return
		}
	}
}

func inherited() (in, out *os.File, err error) {
	for _, fd := range []int{requestFD, answerFD} {
		var stat syscall.Stat_t
		if err := syscall.Fstat(fd, &stat); err != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			return nil, nil, errors.New("no pipe to a controller is inherited")
		}
		syscall.CloseOnExec(fd) // measured commands must not hold them open
	}
	return os.NewFile(requestFD, "requests"), os.NewFile(answerFD, "answers"), nil
}

// watch tells when measured code has closed a pipe to the controller, or has
// put something else in its place: 1 µs, behind each request, because the next
// case would be blamed for it.
func watch(pipes ...*os.File) (intact func() error) {
	was := make([]syscall.Stat_t, len(pipes))
	for i, pipe := range pipes {
		_ = syscall.Fstat(int(pipe.Fd()), &was[i]) // it is a pipe, which was seen by inherited
	}
	return func() error {
		for i, pipe := range pipes {
			var now syscall.Stat_t
			if err := syscall.Fstat(int(pipe.Fd()), &now); err != nil || now.Ino != was[i].Ino || now.Dev != was[i].Dev {
				return fmt.Errorf("the benchmark closed descriptor %d, over which suite talks to its host", pipe.Fd())
			}
		}
		return nil
	}
}
