package report

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What CheckFile lets pass WriteFile writes, and what it refuses WriteFile does
// not write, for the same reason.
func TestCheckFileKnowsWhatWriteFileWillDo(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o640)
	os.Mkdir(filepath.Join(dir, "folder"), 0o777)
	paths := []string{"new", "old", "folder", "missing/new", "old/new", "folder/new"}
	if runtime.GOOS != "windows" {
		os.Symlink("folder", filepath.Join(dir, "link"))
		os.Symlink("old", filepath.Join(dir, "good"))
		paths = append(paths, "link", "good")
	}
	for _, name := range paths {
		path := filepath.Join(dir, name)
		before := files(t, dir)
		checked := CheckFile(path)
		if after := files(t, dir); after != before {
			t.Errorf("%s: the check left %s behind, of %s", name, after, before)
		}
		written := WriteFile(path, writes("text"))
		if (checked == nil) != (written == nil) || checked != nil && checked.Error() != written.Error() {
			t.Errorf("%s: the check says %v, the writer %v", name, checked, written)
		}
		if checked == nil && name == "new" {
			os.Remove(path)
		}
	}
	if text := contents(t, filepath.Join(dir, "old")); text != "text" {
		t.Errorf("the old file holds %q", text)
	}
}

func files(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}
