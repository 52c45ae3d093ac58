package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/suite/internal/pegview"
	"example.com/suite/internal/saved"
	"example.com/suite/result"
)

// A file that is too large for a result is refused by its size. It is not read, which would
// take seconds and 3 GiB of memory. The file is sparse, so that the test needs no disk.
func TestALargeFileIsRefusedUnread(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not sparse")
	}
	path := filepath.Join(t.TempDir(), "large.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(5 << 30); err != nil {
		t.Skipf("files are not sparse: %v", err)
	}
	for name, read := range map[string]func(string) (*result.Document, error){
		"result": saved.Read, "pegs": pegview.Read,
		"--against": func(path string) (*result.Document, error) {
			_, err := saved.Compare(path, nil)
			return nil, err
		},
	} {
		if _, err := read(path); err == nil || !strings.Contains(err.Error(), "is larger than 4294967296 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
