package paths

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/testfile"
)

func TestResolvedFollowsLinksToWhatIsNotThereYet(t *testing.T) {
	root := Resolved(t.TempDir())
	in := func(names ...string) string { return filepath.Join(append([]string{root}, names...)...) }
	if err := os.MkdirAll(in("a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, in("a", "file"), "")
	for name, target := range map[string]string{
		"folder":  in("a", "b"),
		"link":    filepath.Join("a", "file"),
		"chain":   "link",
		"dangle":  filepath.Join("a", "new"),
		"circle":  "circle",
		"a/b/up":  filepath.Join("..", "later"),
		"a/b/out": filepath.Join("..", "..", "nowhere", "x"),
	} {
		if err := os.Symlink(target, in(filepath.FromSlash(name))); err != nil {
			t.Skip(err) // Windows, without the right to make links
		}
	}
	for path, want := range map[string]string{
		in("link"):                in("a", "file"),
		in("chain"):               in("a", "file"),
		in("dangle"):              in("a", "new"),
		in("folder", "new"):       in("a", "b", "new"),
		in("folder", "up"):        in("a", "later"),
		in("folder", "out"):       in("nowhere", "x"),
		in("folder", "no", "way"): in("a", "b", "no", "way"),
		in("circle"):              in("circle"),
		in("plain"):               in("plain"),
	} {
		if got := Resolved(path); got != want {
			t.Errorf("Resolved(%s) = %s, want %s", path, got, want)
		}
	}
}

func TestResolvedLeavesRelativePathsRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"new.txt", filepath.Join("no", "folder", "x"), "."} {
		if got := Resolved(path); got != path {
			t.Errorf("Resolved(%s) = %s", path, got)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	folder := t.TempDir()
	sorted := filepath.Join(folder, "sort.yaml")
	testfile.Write(t, sorted, "")
	dangling := filepath.Join(folder, "link.yaml")
	if err := os.Symlink("gone.yaml", dangling); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{
		dangling:                            `"` + dangling + `" is a link to "gone.yaml", which does not exist`,
		filepath.Join(folder, "srot.yaml"):  `did you mean "` + sorted + `"?`,
		filepath.Join(folder, "hash.yaml"):  "",
		filepath.Join(folder, "no", "file"): "",
	} {
		if filepath.Separator == '\\' && want != "" {
			continue // the hint quotes its backslashes
		}
		if got := DidYouMean(path); got != want {
			t.Errorf("DidYouMean(%s) = %q, want %q", path, got, want)
		}
	}
}
