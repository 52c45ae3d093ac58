package binary

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// settledAfter is the age from which the change time of a file is trusted. Two
// writes within one tick of a file system's clock, at most 1 s, have the same time.
const settledAfter = 2 * time.Second

// identity differs for every file and after every write to a file: path, device, inode,
// size, and the time of the last change, which no program can set. It is empty if the
// file cannot be seen. settled reports whether that time is old enough, at now, to tell a
// later write from the last one.
func identity(path string, now time.Time) (text string, settled bool) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	info, err := os.Stat(whole)
	if err != nil {
		return "", false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	changed := time.Unix(s.Ctim.Unix())
	text = fmt.Sprintf("%q %d %d %d %d", whole, s.Dev, s.Ino, s.Size, changed.UnixNano())
	return text, now.Sub(changed) > settledAfter
}
