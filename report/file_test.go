package report

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"example.com/suite/internal/testfile"
)

func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	return string(testfile.Read(t, path))
}

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	for _, text := range []string{"first", "second", ""} {
		if err := WriteFile(path, writes(text)); err != nil {
			t.Fatal(err)
		}
		if got := contents(t, path); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

// An error leaves the old file as it was and no other file.
func TestWriteFileKeepsTheOldOnError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	if err := WriteFile(path, writes("old")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new", 1<<16))
		return boom
	})
	if !errors.Is(err, boom) || contents(t, path) != "old" {
		t.Errorf("%v, %q", err, contents(t, path))
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

func TestWriteFilePermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it has no such permissions
	}
	path := filepath.Join(t.TempDir(), "out.json")
	if err := WriteFile(path, writes("x")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&^0o644 != 0 {
		t.Errorf("a new file has %v", info.Mode())
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, writes("y")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("an existing file has %v afterwards", info.Mode())
	}
}

func TestWriteFileFollowsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // links need a privilege there
	}
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	os.WriteFile(real, []byte("old"), 0o644)
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, writes("new")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); info.Mode()&fs.ModeSymlink == 0 || contents(t, real) != "new" {
		t.Errorf("link %v, target %q", info.Mode(), contents(t, real))
	}
	os.Mkdir(filepath.Join(dir, "folder"), 0o755)
	os.Symlink("folder", filepath.Join(dir, "way"))
	os.Symlink("../second", filepath.Join(dir, "folder", "first"))
	if err := WriteFile(filepath.Join(dir, "way", "first"), writes("made")); err != nil { // of a link to nothing the target is made
		t.Fatal(err)
	}
	if info, _ := os.Lstat(filepath.Join(dir, "folder", "first")); info.Mode()&fs.ModeSymlink == 0 || contents(t, filepath.Join(dir, "second")) != "made" {
		t.Errorf("link to nothing %v, target %q", info.Mode(), contents(t, filepath.Join(dir, "second")))
	}
	os.Symlink("loop", filepath.Join(dir, "loop"))
	if err := WriteFile(filepath.Join(dir, "loop"), writes("x")); err == nil {
		t.Error("a link to itself was written to")
	}
}

func TestWriteFileErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "a b", "c", "out.json")
	err := WriteFile(missing, writes("x"))
	if err == nil || !strings.Contains(err.Error(), "there is no folder") || !strings.Contains(err.Error(), "\n\thint: mkdir -p "+quoted(filepath.Dir(missing))) {
		t.Errorf("got %v", err)
	}
	if err := WriteFile(dir, writes("x")); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("got %v", err)
	}
	// Permission is asked of explain alone: root may write anywhere.
	err = explain(filepath.Join(dir, "out.json"), &fs.PathError{Op: "open", Path: "/tmp/.out123", Err: fs.ErrPermission})
	if want := `no permission to write in folder "` + dir + `"`; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	err = explain(filepath.Join(dir, "out.json"), &fs.PathError{Op: "write", Path: "/tmp/.out123", Err: errors.New("it is broken")})
	if !strings.HasSuffix(err.Error(), `out.json": it is broken`) || strings.Contains(err.Error(), ".out123") {
		t.Errorf("got %v", err)
	}
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT} {
		err = explain(filepath.Join(dir, "out.json"), &fs.PathError{Op: "write", Path: "/tmp/.out123", Err: full})
		if want := `out.json": ` + full.Error() + "\n\thint: make room there, or name a file on another disk"; !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
