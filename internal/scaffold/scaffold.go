// Package scaffold makes the first files of a user: a suite file for what a folder contains, a job
// for a CI system, and a module of its own for the benchmarks of a Go library.
//
// It looks at files and asks git and go questions. It runs nothing that it finds, and it never
// replaces a file.
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is a file to write. Path is slash-separated and relative to the folder that Write gets.
type File struct{ Path, Text string }

// ExistsError lists files that Write would have replaced.
type ExistsError struct{ Paths []string }

func (e *ExistsError) Error() string {
	verb := "exists"
	if len(e.Paths) > 1 {
		verb = "exist"
	}
	return fmt.Sprintf("%s %s already, and nothing was written", strings.Join(e.Paths, ", "), verb)
}

// Write writes files below a folder. If one of them exists already it writes none and returns an
// ExistsError.
func Write(dir string, files []File) error {
	var there []string
	for _, f := range files {
		if _, err := os.Lstat(f.in(dir)); err == nil {
			there = append(there, f.Path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if len(there) > 0 {
		return &ExistsError{there}
	}
	for _, f := range files {
		if err := f.create(dir); err != nil {
			return err
		}
	}
	return nil
}

func (f File) in(dir string) string { return filepath.Join(dir, filepath.FromSlash(f.Path)) }

// create writes the file, which must not exist.
func (f File) create(dir string) error {
	path := f.in(dir)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(f.Text)
	return errors.Join(err, file.Close())
}
