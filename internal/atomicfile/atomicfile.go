// Package atomicfile writes small files of suite's own, such as caches and records, in one step: a
// reader finds the old content or the new one, and never a part of either. It does not wait for
// the disk, so after a loss of power a file may be empty. Reports, which are written to files that
// users choose, have more to mind: see report.WriteFile.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the file at path, or makes it with the permissions perm. Its folder has to exist. A
// process that is killed meanwhile leaves a file there whose name begins with a dot. An error leaves
// the old content. Two processes may write one file at once: one of them is the last.
func Write(path string, text []byte, perm fs.FileMode) error {
	return Fill(path, perm, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Fill is Write for a text that a function writes. An error of the function leaves the old content.
func Fill(path string, perm fs.FileMode, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	if err := errors.Join(write(temp), temp.Chmod(perm), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
