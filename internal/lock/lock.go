// Package lock keeps programs that measure from disturbing each other: one
// advisory lock for all users of a machine. It takes a path and gives a lock, or
// says who holds it. The lock lives as long as the process: one that is killed
// leaves none behind, whatever stands in the file.
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

// Variable is the environment variable that names another lock file than Path:
// a shared one where several containers measure on one machine.
const Variable = "SUITE_LOCK"

// Holder says who has the lock. It is what another process wrote, so its words
// are not to be trusted; the zero Holder is one that nothing is known of.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // when it was taken; the zero time is filled in
	What  []string  `json:"what"`  // files that are measured
}

// Lock is held until Release, or until the process ends.
type Lock struct {
	file *os.File
	ours bool // what is in the file, or nothing is
}

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("the lock is held by another process")

// Try takes the lock at once. Where another process has it the error is ErrHeld
// and the holder is who; any other error says why nothing can be locked there.
func Try(path string, me Holder) (*Lock, Holder, error) {
	return take(path, me, false)
}

// Wait takes the lock as soon as it is free. It cannot be called off: one that
// is no longer wanted ends with the process. The kernel wakes it, so that
// waiting takes nothing from what is being measured.
func Wait(path string, me Holder) (*Lock, error) {
	l, _, err := take(path, me, true)
	return l, err
}

// Release lets the next one measure. The file stays: removing it would let two
// processes hold locks on two files of one name.
func (l *Lock) Release() error {
	if l.ours {
		_ = l.file.Truncate(0) // a file of another user, in which we have not written
	}
	return l.file.Close()
}

// takeTries of a file that is replaced each time before its lock is taken: a
// cleaner of temporary files does that once, nobody else.
const takeTries = 10

func take(path string, me Holder, wait bool) (*Lock, Holder, error) {
	for range takeTries {
		f, err := open(path)
		if err != nil {
			return nil, Holder{}, err
		}
		if err = acquire(f, wait); err != nil {
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
		f.Close() // it was removed while we waited: another file is the lock now
	}
	return nil, Holder{}, fmt.Errorf("%s is replaced again and again", path)
}

// current says that the path still names this file.
func current(path string, f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, now)
}

// longest that a file may say of its holder, bytes.
const longest = 4 << 10

// read gives what the holder has written, the zero Holder where that is nothing
// or no sense.
func read(f *os.File) (who Holder) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, longest))
	if err != nil || json.Unmarshal(text, &who) != nil {
		return Holder{}
	}
	return who
}

// isHolder reports whether a file is empty or begins as write begins it. Anything
// else is a file of somebody who did not think of a lock: it can be locked as well,
// and stays as it is.
func isHolder(f *os.File) bool {
	begin := []byte(`{"pid":`)
	head := make([]byte, len(begin))
	n, _ := f.ReadAt(head, 0) // one that cannot be read is not written to either
	info, err := f.Stat()
	return err == nil && (info.Size() == 0 || n > 0 && bytes.HasPrefix(begin, head[:n]))
}

// write says who holds the lock. A file of another user may not let us: the lock
// holds all the same, and the others wait for somebody without a name.
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
		_, _ = f.WriteAt(append(text, '\n'), 0) // a full disk: likewise without a name
	}
}
