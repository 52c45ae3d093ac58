// Package gosource finds the Go files of this module, for tests that check how all of its code
// is written. Only tests import it.
package gosource

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/suite/internal/self"
)

// fewest is less than half of the files that the module has. A search that finds fewer looked
// in a wrong folder, and a test of what it found would prove nothing.
const fewest = 300

// Paths lists the Go files of the module as slash paths from its root, in alphabetical
// order: the tests, or all others. It leaves out folders named testdata and folders
// whose names begin with a dot.
func Paths(t testing.TB, tests bool) (paths []string) {
	t.Helper()
	found, err := all()
	if err != nil || len(found) < fewest {
		t.Fatalf("%d Go files found: %v", len(found), err)
	}
	for _, path := range found {
		if strings.HasSuffix(path, "_test.go") == tests {
			paths = append(paths, path)
		}
	}
	return paths
}

// Text reads a file that Paths has found.
func Text(t testing.TB, path string) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var all = sync.OnceValues(func() (paths []string, err error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != "."):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ".go"):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
})

// The root of the module is the current folder or above it.
var root = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module "+self.Module+"\n")) {
			return dir, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("no go.mod of suite in or above the current folder")
		}
		dir = above
	}
})
