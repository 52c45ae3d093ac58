package host

import (
	"os"
	"runtime"
)

// scratch gives an empty file for standard error. On Unix its name is removed
// at once, so that a host that is killed leaves nothing behind.
func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "suite-stderr-*")
	if err == nil && runtime.GOOS != "windows" {
		err = os.Remove(f.Name())
	}
	return f, err
}

// discard closes a scratch file, and removes it where its name still stands.
func discard(f *os.File) {
	f.Close()
	if runtime.GOOS == "windows" {
		os.Remove(f.Name())
	}
}
