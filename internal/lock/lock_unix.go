//go:build unix

package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Path is the lock file of this machine. It is not in os.TempDir, because users and
// jobs with their own temporary folder would not see each other.
func Path() string { return "/tmp/suite.lock" }

// open opens the file without following a link, and creates it if there is none, writable
// for all users whatever the umask. An existing file is opened without O_CREAT: Linux
// refuses that for a file of another user in a sticky folder (fs.protected_regular).
func open(path string) (*os.File, error) {
	const flags = unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK
	for {
		fd, err := unix.Open(path, unix.O_RDWR|flags, 0)
		if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EROFS) {
			fd, err = unix.Open(path, unix.O_RDONLY|flags, 0) // enough for a lock
		}
		if errors.Is(err, unix.ENOENT) {
			fd, err = unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|flags, 0o666)
			if err == nil {
				_ = unix.Fchmod(fd, 0o666) // if it fails, other users can open it for reading only, which is enough
			}
		}
		switch {
		case errors.Is(err, unix.EEXIST), errors.Is(err, unix.EINTR):
			continue // somebody was quicker
		case errors.Is(err, unix.ELOOP):
			return nil, fmt.Errorf("%s is a link", path)
		case err != nil:
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return plain(path, os.NewFile(uintptr(fd), path))
	}
}

// plain refuses what somebody else may have put in place of the file, because we are going
// to write to it: a device, a pipe, a second name of another file.
func plain(path string, f *os.File) (*os.File, error) {
	var stat unix.Stat_t
	err := unix.Fstat(int(f.Fd()), &stat)
	switch {
	case err != nil:
	case stat.Mode&unix.S_IFMT != unix.S_IFREG:
		err = fmt.Errorf("%s is no plain file", path)
	case stat.Nlink > 1:
		err = fmt.Errorf("%s has several names", path)
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// unlock releases the lock of an open file. Closing the file is not enough while another
// goroutine starts a process: until the child executes its program it has a copy of every
// descriptor, and the lock ends with the last copy.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // fails only if there is no lock
}

// acquire locks the open file. The lock belongs to the descriptor, which no program that
// this one starts inherits.
func acquire(f *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrHeld
		case !errors.Is(err, unix.EINTR):
			return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}
