//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package runner

import "os"

const replacesOpen = true

// openPlain opens a file for reading and writing. Links are followed: this
// system has no way not to.
func openPlain(path string, create bool) (*os.File, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	return os.OpenFile(path, flags, 0o600)
}

// lockFile: there are no locks here that end with their process.
func lockFile(*os.File) error { return nil }

func unlockFile(*os.File) {}

func syncFolder(string) {}
