//go:build unix

package host

import (
	"os"
	"syscall"
)

// mine reports whether a file belongs to the user of this process.
func mine(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false // gone by now
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
