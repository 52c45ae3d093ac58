package host

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// scratch gives an empty file for standard error. On Unix its name is removed
// at once, so that a host that is killed leaves nothing behind.
func scratch() (*os.File, error) {
	f, err := Temporary("suite-stderr-*")
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

// NoTemporary begins the message of an error of Temporary.
const NoTemporary = "no temporary file can be made in "

// Temporary gives a new file in the folder of temporary ones, with a name as
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

// TemporaryHint says what to do where there is no room for temporary files.
func TemporaryHint() string {
	if runtime.GOOS == "windows" {
		return "set TMP to a folder that can be written to"
	}
	return "set TMPDIR to a folder that can be written to"
}
