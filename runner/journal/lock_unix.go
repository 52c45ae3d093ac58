//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ReplacesOpen: a file may be renamed over, or removed, while it is open.
const ReplacesOpen = true

// OpenPlain opens a file for reading and writing; if it creates the file, only this user
// may open it. It follows no link, and does not wait for the reader of a pipe.
func OpenPlain(path string, create bool) (*os.File, error) {
	flags := os.O_RDWR | unix.O_NOFOLLOW | unix.O_NONBLOCK
	if create {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, unix.ELOOP) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is a link")}
	}
	return f, err
}

// Lock takes the lock of an open file, which its process has until it closes
// it or ends. If the file system knows no locks (some network ones) there is
// none.
func Lock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrBusy
		case errors.Is(err, unix.EINTR):
			continue
		}
		return nil
	}
}

// Unlock releases the lock of an open file. Closing the file is not enough while another
// goroutine starts a process: until that executes its program it has every open file too, and
// the lock ends with the last of them.
func Unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // fails only if there was no lock
}

// SyncFolder makes sure that the name of a new file outlives a power cut.
func SyncFolder(path string) {
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // not every file system can: then the journal may be gone, as it is without this
		dir.Close()
	}
}
