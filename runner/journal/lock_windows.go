package journal

import (
	"errors"
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// ReplacesOpen: nothing can take the place of an open file here.
const ReplacesOpen = false

// OpenPlain opens a file for reading and writing.
func OpenPlain(path string, create bool) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is a link")}
	}
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	return os.OpenFile(path, flags, 0o600)
}

// Lock locks one byte far after the text: locked bytes cannot be read here.
func Lock(f *os.File) error {
	at := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrBusy
	}
	return nil
}

// Unlock does nothing: no process that is started here gets the open files of this one, so
// closing the file ends the lock.
func Unlock(*os.File) {}

// SyncFolder: folders are not written by programs here.
func SyncFolder(string) {}
