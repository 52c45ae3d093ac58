package host

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// scratch returns an empty file for standard error.
func scratch() (*os.File, error) { return Scratch("suite-stderr-*") }

// Scratch is Temporary for a file that nobody has to find. On Unix its name is
// removed at once, so that a process that is killed leaves nothing behind.
func Scratch(pattern string) (*os.File, error) {
	f, err := Temporary(pattern)
	if err == nil && runtime.GOOS != "windows" {
		err = os.Remove(f.Name())
	}
	return f, err
}

// Discard closes a file that Scratch has made, and removes it if it still has a
// name.
func Discard(f *os.File) {
	f.Close()
	if runtime.GOOS == "windows" {
		os.Remove(f.Name())
	}
}

// NoTemporary begins the message of an error of Temporary.
const NoTemporary = "no temporary file can be made in "

// Temporary returns a new file in the folder of temporary ones, with a name as
// os.CreateTemp makes it from pattern. Its error names the folder.
func Temporary(pattern string) (*os.File, error) {
	f, err := os.CreateTemp("", pattern)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", NoTemporary, os.TempDir(), err)
	}
	return f, nil
}

// TemporaryHint returns what to do if temporary files cannot be made.
func TemporaryHint() string {
	if runtime.GOOS == "windows" {
		return "set TMP to a folder that can be written to"
	}
	return "set TMPDIR to a folder that can be written to"
}
