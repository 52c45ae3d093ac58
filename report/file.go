package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"example.com/suite/internal/paths"
)

// WriteFile replaces the file at path by what write writes, in one step: a reader sees
// the old contents or the new, and an error leaves the old. An existing file keeps its
// permissions, a new one has 0644 less the umask. A path that is no regular file, such as
// /dev/stdout, is written to directly; a symbolic link stays and its target is replaced.
func WriteFile(path string, write func(io.Writer) error) error {
	err := writeTo(path, write)
	var perr *fs.PathError
	if err == nil || !errors.As(err, &perr) {
		return err
	}
	return explain(path, perr)
}

// Replaces reports whether the file at path is a regular one that WriteFile replaces, so that
// it contains one report and nothing else.
func Replaces(path string) bool {
	if isDescriptor(path) {
		return false
	}
	info, err := os.Stat(paths.Resolved(path))
	return err == nil && info.Mode().IsRegular()
}

// CheckFile reports whether WriteFile could write to path. It creates a small file in the
// same folder and removes it, so that a missing or read-only folder and a full disk are
// found before anything is measured. It does not try pipes and devices.
func CheckFile(path string) error {
	err := tryFile(path)
	var perr *fs.PathError
	if err == nil || !errors.As(err, &perr) {
		return err
	}
	return explain(path, perr)
}

// trial is the size of CheckFile's file in bytes: a disk without room for it has none for
// a report.
const trial = 64 << 10

func tryFile(path string) error {
	path, isReplaced, err := placeOf(path)
	if err != nil || !isReplaced {
		return err
	}
	err = replace(path, abandoned)
	if errors.Is(err, errAbandoned) {
		return nil
	}
	return err
}

// placeOf returns the file that a path means, and reports whether it is replaced as a whole. What is no regular file,
// such as a pipe, is written through.
func placeOf(path string) (file string, isReplaced bool, err error) {
	if isDescriptor(path) {
		return path, false, nil
	}
	path = paths.Resolved(path)
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return "", false, fmt.Errorf("cannot write %q: it is a folder\n\thint: name a file in it", path)
	}
	return path, err != nil || info.Mode().IsRegular(), nil
}

// errAbandoned is the error of a replacement that there was room for.
var errAbandoned = errors.New("abandoned")

// abandoned writes to the file of a replacement, and ends it with an error in any case.
func abandoned(w io.Writer) error {
	if _, err := w.Write(make([]byte, trial)); err != nil {
		return err
	}
	if f, ok := w.(*os.File); ok {
		return cmp.Or(f.Sync(), errAbandoned) // some file systems report a full disk only now
	}
	return errAbandoned
}

func writeTo(path string, write func(io.Writer) error) error {
	path, isReplaced, err := placeOf(path)
	switch {
	case err != nil:
		return err
	case !isReplaced:
		return writeThrough(path, write)
	}
	return replace(path, func(w io.Writer) error { return buffered(w, write) })
}

// isDescriptor reports whether path names an open file of this process. That may be a
// regular file, but replacing it would lose what else is written to it.
func isDescriptor(path string) bool {
	return path == "/dev/stdout" || path == "/dev/stderr" || strings.HasPrefix(path, "/dev/fd/") ||
		strings.HasPrefix(path, "/proc/")
}

// writeThrough writes to a pipe or a device, which a rename would destroy. It appends to
// descriptors of regular files.
func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// explain rewrites an error with a hint for the most common reasons, and without the name
// of the temporary file.
func explain(path string, err *fs.PathError) error {
	dir := filepath.Dir(path)
	_, missing := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && missing != nil:
		return fmt.Errorf("cannot write %q: there is no folder %q\n\thint: mkdir -p %s", path, dir, quoted(dir))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot write %q: no permission to write in folder %q", path, dir)
	case isFull(err):
		return fmt.Errorf("cannot write %q: %w\n\thint: make room there, or name a file on another disk", path, err.Err)
	}
	return fmt.Errorf("cannot write %q: %w", path, err.Err)
}

// diskFull is ERROR_DISK_FULL of Windows.
const diskFull = syscall.Errno(112)

// isFull reports whether a disk, or what a user may have of it, is full.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		runtime.GOOS == "windows" && errors.Is(err, diskFull)
}
