//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package record

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A process that is being started has the files of this one until it executes its program. A
// second descriptor of the journal is the same to the kernel.
func TestAClosedJournalIsUnlockedWhileAProcessIsStarted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	first, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := unix.Dup(int(first.lock.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(inherited)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Create(path, header())
	if err != nil {
		t.Fatalf("the next run: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}
