//go:build unix

package usercache

import (
	"os"
	"syscall"
)

// isForeign reports whether a folder exists and belongs to another user than the one of this
// process.
func isForeign(folder string) bool {
	info, err := os.Stat(folder)
	if err != nil {
		return false
	}
	stat, is := info.Sys().(*syscall.Stat_t)
	return is && int(stat.Uid) != os.Geteuid()
}
