package history

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/diag"
)

// Place is where the files of a history are. A file never changes, and its name ends in Ending.
type Place interface {
	// String is the name of the place, for people.
	String() string

	// Path is a file of the place, for people.
	Path(name string) string

	// Files lists the files by name, which is the order of time. A place that does not exist
	// has none.
	Files() ([]File, error)

	// Open calls read once for each of the files, in any order and from several goroutines, with
	// the file's content or the reason why it cannot be read. Its own error concerns all files.
	Open(files []File, read func(i int, r io.Reader, err error)) error

	// Add adds files with the text that a function returns. A file that is there stays as it is,
	// and so does one that was removed if the place remembers that. fresh reports which files are
	// new. If there is an error, fresh has the files that are in the place all the same.
	Add(names []string, text func(i int) ([]byte, error)) (fresh []bool, err error)

	// Remove removes files. That another process has removed one is no error.
	Remove(names []string) error
}

// File is a file of a history.
type File struct {
	Name string // without a folder
	Size int64  // bytes
	ID   string // by which the place finds the content; empty if that is the name
}

// Dir is a history in a folder, with the name of the folder.
type Dir string

func (d Dir) String() string { return string(d) }

// Path is the path of a file.
func (d Dir) Path(name string) string { return filepath.Join(string(d), name) }

// Files lists the files of the folder.
func (d Dir) Files() (files []File, err error) {
	found, err := os.ReadDir(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range found {
		if !strings.HasSuffix(f.Name(), Ending) || !f.Type().IsRegular() {
			continue
		}
		if info, err := f.Info(); err == nil { // else it has just been removed
			files = append(files, File{Name: f.Name(), Size: info.Size()})
		}
	}
	return files, err
}

// Open reads files on all CPUs.
func (d Dir) Open(files []File, read func(i int, r io.Reader, err error)) error {
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		readers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				f, err := os.Open(d.Path(files[i].Name))
				read(i, f, err)
				f.Close()
			}
		})
	}
	readers.Wait()
	return nil
}

// Add makes the folder if it does not exist.
func (d Dir) Add(names []string, text func(i int) ([]byte, error)) (fresh []bool, err error) {
	if err := os.MkdirAll(string(d), 0o777); err != nil {
		return nil, diag.WithHint(err, "--history names another folder")
	}
	for i, name := range names {
		if _, err := os.Stat(d.Path(name)); err == nil {
			fresh = append(fresh, false)
			continue
		}
		content, err := text(i)
		if err != nil {
			return fresh, err
		}
		if err := atomicfile.Write(d.Path(name), content, 0o644); err != nil {
			return fresh, diag.WithHint(err, "--history names another folder")
		}
		fresh = append(fresh, true)
	}
	return fresh, nil
}

// Remove goes on after a file that cannot be removed.
func (d Dir) Remove(names []string) (failed error) {
	for _, name := range names {
		if err := os.Remove(d.Path(name)); !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
