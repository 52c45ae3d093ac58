package report

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// errNamed asks for a file with a name, because this file system, or this system, has no
// files without one.
var errNamed = errors.New("files need names here")

// unnamed opens a file without a name in the folder of path. A process that is
// killed while it writes leaves nothing there.
func unnamed(path string) (*os.File, error) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return nil, errNamed // nameUnnamed links from there
	}
	f, err := os.OpenFile(filepath.Dir(path), unix.O_TMPFILE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, errNamed // the named file reports any other error again
	}
	info, err := os.Stat(path)
	if err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.Close()
		return nil, err
	}
	return f, nil
}

// nameTries is the number of temporary names to try if they are taken.
const nameTries = 100

// nameUnnamed flushes a file without a name to disk and puts it at path. Between two
// system calls the file has a temporary name.
func nameUnnamed(f *os.File, path string) error {
	if err := f.Sync(); err != nil {
		return err
	}
	open := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	for try := 1; ; try++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), rand.Uint32()))
		err := unix.Linkat(unix.AT_FDCWD, open, unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
		if errors.Is(err, unix.EEXIST) && try < nameTries {
			continue
		}
		if err != nil {
			return &os.PathError{Op: "link", Path: path, Err: err}
		}
		if err := os.Rename(name, path); err != nil {
			_ = os.Remove(name) // nobody else uses this name
			return err
		}
		return nil
	}
}

// replace writes a file in the folder of path, flushes it to disk and renames it to path,
// so that a crash at any moment leaves the old file or the new one.
func replace(path string, write func(io.Writer) error) error {
	f, err := unnamed(path)
	if errors.Is(err, errNamed) {
		return replaceNamed(path, write)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	return nameUnnamed(f, path)
}
