package main

import (
	"os"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// hasDisk is the condition [disk]. It reports whether this process may mount a small disk,
// which only root may.
var hasDisk = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "suite-disk-*")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	return mount(dir) == nil && unix.Unmount(dir, unix.MNT_DETACH) == nil
})

func mount(dir string) error { return unix.Mount("suite", dir, "tmpfs", 0, "size=256k") }

// disk FOLDER makes a folder and mounts a disk of 256 KiB on it.
func disk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: disk FOLDER")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.Mkdir(dir, 0o777))
	ts.Check(mount(dir))
	ts.Defer(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			ts.Logf("the disk stays mounted: %v", err)
		}
	})
}
