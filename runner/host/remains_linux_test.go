package host

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"example.com/suite/runner/host/wire"
)

func TestFilesThatRunsLeaveAreNamed(t *testing.T) {
	h, temp := commander(t), t.TempDir()
	c := script(t, `echo > "$TMPDIR/left.$$"; echo > "$TMPDIR/gone"; rm "$TMPDIR/gone"; echo > same.txt`, func(c *wire.Command) { c.Env = []string{"TMPDIR=" + temp} })
	write(t, filepath.Join(temp, "old"))
	got := times(t, h, c, 6).Readings.Remains
	if len(got) != 2 || got[0].Dir != c.Dir || got[1].Dir != temp {
		t.Fatalf("remains %+v, want those of %s and %s", got, c.Dir, temp)
	}
	if !slices.Equal(got[0].Names, []string{"same.txt"}) || got[0].Count != 1 {
		t.Errorf("working folder: %+v", got[0])
	}
	if got[1].Count != 6 || len(got[1].Names) != mostLeft || !slices.IsSorted(got[1].Names) {
		t.Errorf("folder for temporary files: %+v", got[1])
	}
	if again := times(t, h, c, 1).Readings.Remains; len(again) != 1 || again[0].Count != 1 || again[0].Dir != temp {
		t.Errorf("the next block: %+v, want what is new since the last one", again)
	}
}

// Files in a folder that all programs share may be those of any of them.
func TestFilesInASharedFolderAreNotNamed(t *testing.T) {
	h, temp := commander(t), t.TempDir()
	c := script(t, `echo > "$TMPDIR/left.$$"; echo > same.txt`, func(c *wire.Command) { c.Env = []string{"TMPDIR=" + temp} })
	if err := os.Chmod(temp, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if got := times(t, h, c, 6).Readings.Remains; len(got) != 1 || got[0].Dir != c.Dir {
		t.Errorf("remains %+v, want those of %s", got, c.Dir)
	}
}

func TestAFolderWithTooMuchInItIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "0")
	write(t, first)
	for i := range mostEntries { // links, because a file takes ten times as long
		if err := os.Link(first, filepath.Join(dir, strconv.Itoa(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := entries(dir); ok {
		t.Error("it was looked at")
	}
	if _, ok := entries(filepath.Join(dir, "missing")); ok {
		t.Error("one that is missing was looked at")
	}
}

func write(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
}
