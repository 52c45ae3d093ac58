// Package testfile reads and writes the files of tests. What fails ends the test. Only tests import it.
package testfile

import (
	"os"
	"path/filepath"
	"testing"
)

// Write writes a file, and makes its folder.
func Write[T string | []byte](t testing.TB, path string, content T) {
	t.Helper()
	write(t, path, []byte(content), 0o666)
}

// WriteProgram writes a file that can be run, such as a script.
func WriteProgram(t testing.TB, path, content string) {
	t.Helper()
	write(t, path, []byte(content), 0o755)
}

func write(t testing.TB, path string, content []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		t.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
