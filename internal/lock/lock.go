// Package lock keeps programs that measure from disturbing each other: one advisory lock
// for all users of a machine. It takes a path and returns a lock, or who holds it. The lock
// ends with the process: a killed process leaves none, whatever is in the file.
package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Variable is the environment variable that names another lock file than Path: a shared
// file if several containers measure on one machine.
const Variable = "SUITE_LOCK"

// Holder is who has the lock. Another process wrote it, so its words cannot be trusted. The
// zero Holder is unknown.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // when the lock was taken; Try and Wait fill in the zero time
	What  []string  `json:"what"`  // suite files that are measured
}

// Lock is a lock that is held until Release, or until the process ends.
type Lock struct {
	file *os.File
	ours bool // we may write to the file: it is empty or has a Holder
}

// ErrHeld means that another process has the lock.
var ErrHeld = errors.New("the lock is held by another process")

// Try takes the lock if it is free. If another process has it, the error is ErrHeld and the
// Holder is that process. Any other error is why the file cannot be locked.
func Try(path string, me Holder) (*Lock, Holder, error) {
	return take(path, me, false)
}

// Wait takes the lock as soon as it is free. It cannot be cancelled: it ends with the
// process. The kernel wakes the process, so waiting takes no time from what is being
// measured.
func Wait(path string, me Holder) (*Lock, error) {
	l, _, err := take(path, me, true)
	return l, err
}

// Release gives the lock up. The file stays: if it were removed, two processes could hold
// locks on two files of the same name.
func (l *Lock) Release() error {
	if l.ours {
		_ = l.file.Truncate(0) // fails if another user owns the file; then it has no name of ours
	}
	unlock(l.file)
	return l.file.Close()
}

// takeTries limits how often a file is replaced before its lock is taken. A cleaner of
// temporary files does that once.
const takeTries = 10

func take(path string, me Holder, wait bool) (*Lock, Holder, error) {
	for range takeTries {
		f, err := open(path)
		if err != nil {
			return nil, Holder{}, err
		}
		err = acquire(f, wait)
		if err != nil {
			who := read(f)
			f.Close()
			return nil, who, err
		}
		if current(path, f) {
			l := &Lock{f, isHolder(f)}
			if l.ours {
				write(f, me)
			}
			return l, Holder{}, nil
		}
		f.Close() // the file was removed while we waited, and another file is the lock now
	}
	return nil, Holder{}, fmt.Errorf("%s is replaced again and again", path)
}

// current reports whether the path still names this file.
func current(path string, f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, now)
}

// longest is how many bytes of a lock file are read and written.
const longest = 4 << 10

// What cannot be read is the zero Holder.
func read(f *os.File) (who Holder) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, longest))
	if err != nil || json.Unmarshal(text, &who) != nil {
		return Holder{}
	}
	return who
}

// isHolder reports whether a file is empty or begins as write begins it. Any other file
// belongs to somebody who did not think of a lock: it can be locked, but its content stays.
func isHolder(f *os.File) bool {
	begin := []byte(`{"pid":`)
	head := make([]byte, len(begin))
	n, _ := f.ReadAt(head, 0) // a file that cannot be read has n == 0 and is not written to
	info, err := f.Stat()
	return err == nil && (info.Size() == 0 || n > 0 && bytes.HasPrefix(begin, head[:n]))
}

// write records who holds the lock. If another user owns the file, that may fail; the lock
// is held all the same, without a name for those who wait.
func write(f *os.File, me Holder) {
	if me.Since.IsZero() {
		me.Since = time.Now()
	}
	text, err := json.Marshal(me)
	for len(text) > longest && len(me.What) > 0 && err == nil {
		me.What = me.What[:len(me.What)/2]
		text, err = json.Marshal(me)
	}
	if err == nil && f.Truncate(0) == nil {
		_, _ = f.WriteAt(append(text, '\n'), 0) // fails if the disk is full: the lock has no name then
	}
}
