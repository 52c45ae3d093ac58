package report

import (
	"io"

	"example.com/suite/internal/atomicfile"
)

// replace writes a temporary file in the folder of path and renames it. Windows replaces
// an existing file in one step, but promises nothing about a loss of power.
func replace(path string, write func(io.Writer) error) error {
	return atomicfile.Fill(path, 0o666, write)
}

// quoted writes a path for the command prompt.
func quoted(path string) string { return `"` + path + `"` }
