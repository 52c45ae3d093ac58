package paths

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular means that a path is no regular file.
var ErrNotRegular = errors.New("is not a regular file")

// OpenRegular opens a regular file. Devices and pipes are refused: opening one may wait for
// ever, and no signal of this process ends that.
func OpenRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return os.Open(path)
}

// ReadRegular reads a regular file.
func ReadRegular(path string) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
