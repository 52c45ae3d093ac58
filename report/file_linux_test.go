package report

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A process that is killed while it writes leaves what is in the folder then.
func TestWhileAFileIsWrittenItHasNoName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	f, err := unnamed(path)
	if err != nil {
		t.Skip(err)
	}
	f.Close()
	err = WriteFile(path, func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
		names, err := os.ReadDir(filepath.Dir(path))
		if len(names) > 0 {
			t.Errorf("while it is written there is %v", names)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 1 || names[0].Name() != "result.json" {
		t.Errorf("there is %v", names)
	}
}

// The ways of a file system without files that have no name.
func TestFilesWithNamesAreReplacedToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	if err := replaceNamed(path, abandoned); err != errAbandoned {
		t.Error(err)
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 0 {
		t.Errorf("there is %v", names)
	}
	if err := replaceNamed(path, writes("new")); err != nil || contents(t, path) != "new" {
		t.Errorf("%q, %v", contents(t, path), err)
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 1 {
		t.Errorf("there is %v", names)
	}
}
