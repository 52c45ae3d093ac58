package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"example.com/suite/internal/atomicfile"
)

// replace writes a temporary file in the folder of path and renames it. Windows replaces
// an existing file in one step, but promises nothing about a loss of power.
func replace(path string, write func(io.Writer) error) error {
	return atomicfile.Fill(path, 0o666, write)
}

// try begins a replacement and abandons it.
func try(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// quoted writes a path for the command prompt.
func quoted(path string) string { return `"` + path + `"` }
