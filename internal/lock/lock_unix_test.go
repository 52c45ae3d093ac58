//go:build unix

package lock

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A process that is being started has a copy of the descriptor until it executes its
// program. The copy must not keep the lock.
func TestReleaseDoesNotWaitForCopies(t *testing.T) {
	path := fresh(t)
	l, _, err := Try(path, Holder{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	duplicate, err := unix.Dup(int(l.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(duplicate)
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	again, who, err := Try(path, Holder{PID: 1})
	if err != nil {
		t.Fatalf("%v, held by %+v", err, who)
	}
	again.Release()
}
