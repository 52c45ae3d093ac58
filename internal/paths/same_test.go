package paths

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSameFiles(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 64<<10)
	for name, text := range map[string]string{"a": "1", "b": "1", "c": "2", "program": "1", "long": long + "1", "same": long + "1", "other": long + "2"} {
		mode := os.FileMode(0o644)
		if name == "program" {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for pair, want := range map[[2]string]bool{
		{"a", "b"}: true, {"a", "c"}: false, {"a", "program"}: false, {"long", "same"}: true, {"long", "other"}: false, {"a", "long"}: false,
		{"link", "b"}: true, {"link", "c"}: false, {"a", "none"}: false, {"none", "neither"}: true, {".", "."}: false,
	} {
		if got := SameFiles(filepath.Join(dir, pair[0]), filepath.Join(dir, pair[1])); got != want {
			t.Errorf("%q: %v, want %v", pair, got, want)
		}
	}
	if !SameContent(filepath.Join(dir, "a"), filepath.Join(dir, "program")) {
		t.Error("permissions are no content")
	}
}
