package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func listChanged(t *testing.T, o Options) string {
	t.Helper()
	names, err := open(t, o).Changed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// What is staged, changed, removed, renamed or new counts; what git ignores and what suite
// keeps in its cache does not.
func TestChangedSinceARevision(t *testing.T) {
	r := history(t)
	for _, name := range []string{"same", "staged", "edited", "removed", "deep/moved", "a b ü"} {
		r.write(t, name, "before\n")
	}
	r.write(t, ".gitignore", "ignored\n")
	r.git(t, "add", ".")
	r.git(t, "commit", "-q", "-m", "files")
	o := Options{Dir: r.path("deep"), Against: "HEAD", Cache: r.path("cache")}
	r.write(t, ".suite/history/run", "x")
	same(t, "clean", listChanged(t, o), "")
	r.write(t, "staged", "after\n")
	r.git(t, "add", "staged")
	r.write(t, "edited", "after\n")
	r.write(t, "a b ü", "after\n")
	r.write(t, "new", "x")
	r.write(t, "ignored", "x")
	r.git(t, "rm", "-q", "removed")
	r.git(t, "mv", "deep/moved", "deep/there")
	same(t, "changed", listChanged(t, o), "a b ü deep/moved deep/there edited new removed staged")
}

func TestChangedBetweenFolders(t *testing.T) {
	root := folder(t)
	for name, texts := range map[string][2]string{
		"same": {"x", "x"}, "deep/same": {"y", "y"}, "content": {"abc", "abd"}, "size": {"a", "ab"},
		"here": {"x", ""}, "deep/there": {"", "x"}, ".git/config": {"1", "2"},
	} {
		for i, dir := range []string{"new", "old"} {
			if texts[i] != "" {
				write(t, filepath.Join(root, dir, name), texts[i])
			}
		}
	}
	if err := os.Symlink("same", filepath.Join(root, "new", "link")); err == nil {
		_ = os.Symlink("size", filepath.Join(root, "old", "link"))
	} else {
		write(t, filepath.Join(root, "new", "link"), "no links here")
	}
	o := Options{Dir: filepath.Join(root, "new"), Against: filepath.Join(root, "old")}
	same(t, "changed", listChanged(t, o), "content deep/there here link size")
	o.Against = o.Dir
	same(t, "itself", listChanged(t, o), "")
}
