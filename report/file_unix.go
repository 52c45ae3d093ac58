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
	if err := write(f.File); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// quoted writes a path for the shell.
func quoted(path string) string { return shellword.Quote(path) }
