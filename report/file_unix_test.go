//go:build !windows

package report

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Anything but a regular file is written to, not replaced. The test uses a pipe of
// its own: with /dev/null and a broken guard, a test run by root would replace the
// machine's device.
func TestWriteFileLeavesPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // both ends, so that neither waits
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := WriteFile(path, writes("through")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Fatalf("the pipe is %v, %v", info, err)
	}
	got := make([]byte, 16)
	if n, err := pipe.Read(got); err != nil || string(got[:n]) != "through" {
		t.Errorf("read %q, %v", got[:n], err)
	}
}

// A path that names a descriptor appends to its file and leaves it in place.
func TestWriteFileAppendsToDescriptors(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("before ")
	path := fmt.Sprintf("/dev/fd/%d", f.Fd())
	if !isDescriptor(path) {
		t.Fatalf("%s is no descriptor", path) // and must not be replaced
	}
	if err := WriteFile(path, writes("after")); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, f.Name()); !strings.HasSuffix(got, "after") {
		t.Errorf("got %q", got)
	}
}
