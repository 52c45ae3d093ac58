package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"example.com/suite/internal/manual"
	"example.com/suite/report"
	"github.com/spf13/cobra"
)

// writeManPages writes the pages of all commands to a folder, which may not exist yet.
func writeManPages(e env, root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var failed error
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		path := filepath.Join(folder, manual.Name(c)+".1")
		failed = errors.Join(failed, report.WriteFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, manual.Page(c, version()))
			return err
		}))
	}
	if failed != nil {
		return e.fail(failed)
	}
	return nil
}
