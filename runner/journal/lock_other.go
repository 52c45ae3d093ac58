//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package journal

import "os"

// ReplacesOpen: a file may be renamed over, or removed, while it is open.
const ReplacesOpen = true

// OpenPlain opens a file for reading and writing. Links are followed: this
// system has no way not to.
func OpenPlain(path string, create bool) (*os.File, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	return os.OpenFile(path, flags, 0o600)
}

// Lock: there are no locks here that end with their process.
func Lock(*os.File) error { return nil }

// Unlock does nothing, as Lock does.
func Unlock(*os.File) {}

// SyncFolder does nothing here.
func SyncFolder(string) {}
