//go:build !windows

package report

import (
	"io"

	"example.com/suite/internal/shellword"
	"github.com/google/renameio/v2"
)

// replaceNamed writes a temporary file in the folder of path, flushes it to disk and
// renames it, so that a crash at any moment leaves the old file or the new one.
func replaceNamed(path string, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// tryNamed begins a replacement and abandons it.
func tryNamed(path string, data []byte) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync() // some file systems report a full disk only now
}

// quoted writes a path for the shell.
func quoted(path string) string { return shellword.Quote(path) }
