package observed

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// changed returns when a file, or what the file system knows of it, has changed last. Unlike the
// time of its content, this one cannot be set by install -p or cp -p.
func changed(path string) (at time.Time, known bool) {
	var s unix.Stat_t
	if unix.Stat(path, &s) != nil {
		return time.Time{}, false
	}
	return time.Unix(s.Ctim.Unix()), true
}

// state returns what tells a file from what it was, and when it has changed last. The time is 0 if
// a change does not count: in a folder that was not listed. Links are not followed.
func state(path string, listed bool) (now string, at time.Time) {
	var s unix.Stat_t
	err := unix.Lstat(path, &s)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return absent, time.Time{}
	case err != nil:
		return err.Error(), time.Now()
	}
	at, folder := time.Unix(s.Ctim.Unix()), s.Mode&unix.S_IFMT == unix.S_IFDIR
	now = stateOf(s.Mode, folder, listed, s.Size, s.Ino, at)
	if folder && !listed {
		return now, time.Time{}
	}
	return now, at
}
