package main

import (
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
	var all troubles
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		path := filepath.Join(folder, manual.Name(c)+".1")
		all = append(all, report.WriteFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, manual.Page(c, version()))
			return err
		}))
	}
	if err := all.orNil(); err != nil {
		e.printError(err)
		return status(exitFail)
	}
	return nil
}
