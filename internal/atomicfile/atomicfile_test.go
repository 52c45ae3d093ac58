package atomicfile

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// Readers and writers at once: each reader finds the whole text of one writer.
func TestReadersFindWholeTexts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	texts := [][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 70_000)}
	if err := Write(path, texts[0], 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, text := range texts {
		all.Go(func() {
			for range 50 {
				if err := Write(path, text, 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 100 {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
			t.Errorf("%d bytes, %v: a part of a text", len(got), err)
		}
	}
	all.Wait()
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}

func TestPermissionsAndErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := Write(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("%v, %v, want the mode 0640", info, err)
	}
	if err := Write(filepath.Join(dir, "gone", "file"), nil, 0o600); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
	taken := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(taken, nil, 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left in the folder: %v", left)
	}
}
