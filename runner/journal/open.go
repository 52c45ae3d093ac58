// Package journal is the file layer of a run's journal: a text of sealed lines in a file
// that one process has locked, and that is on the disk soon after each line. It reports
// which lines of a damaged file are still what was written, and knows nothing of what the
// lines contain.
package journal

import (
	"errors"
	"io/fs"
	"os"
)

// openTries is how often a file is opened that is replaced or removed each time before its
// lock is taken.
const openTries = 10

// OpenLocked opens the file of a journal, which create makes if there is none, and takes
// its lock. The error is ErrBusy if another process has the lock.
func OpenLocked(path string, create bool) (*os.File, error) {
	for range openTries {
		f, err := OpenPlain(path, create)
		if err != nil {
			return nil, err
		}
		current, err := lockedHere(path, f)
		if current {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is replaced again and again")}
}

// lockedHere takes the lock of an open file, and reports whether path still names that
// file: the run that had the lock may have removed it.
func lockedHere(path string, f *os.File) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	if !mine.Mode().IsRegular() {
		return false, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no plain file")}
	}
	if err := Lock(f); err != nil {
		return false, err
	}
	now, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, now), err
}

// ErrBusy is the error of opening a file that another process has locked.
var ErrBusy = errors.New("another run of the same suite files is going on")
