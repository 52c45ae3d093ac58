package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// diskVariable names the folder of the disks of this process, in which each is mounted.
const diskVariable = "SUITE_TEST_DISKS"

// disks are the folders of disks that no script uses.
var disks = make(chan string, 4)

// isMounted is set if there are disks.
var isMounted bool

// ownMounts starts this program again with mounts that no other process sees or changes, among them the disks. Every Go
// program reads the mounts when it starts, so one that another test mounts, or unmounts, changes what a benchmark was
// observed to read. Only root may do that: elsewhere there are no disks.
func ownMounts() {
	if os.Getenv(diskVariable) != "" {
		return
	}
	runtime.LockOSThread() // which alone has the mounts until it becomes the new program
	if unix.Unshare(unix.CLONE_NEWNS) != nil || unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") != nil {
		runtime.UnlockOSThread()
		return
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	root, err := os.MkdirTemp("", "suite-disks-")
	if err != nil {
		panic(err)
	}
	for i := range cap(disks) {
		dir := filepath.Join(root, strconv.Itoa(i))
		if err := errors.Join(os.Mkdir(dir, 0o777), unix.Mount("suite", dir, "tmpfs", 0, "size=256k")); err != nil {
			panic(err)
		}
	}
	panic(unix.Exec(self, os.Args, append(os.Environ(), diskVariable+"="+root)))
}

// withDisks are all tests, with the disks.
type withDisks struct{ *testing.M }

func (m withDisks) Run() int {
	root := os.Getenv(diskVariable)
	if root == "" {
		return m.M.Run()
	}
	os.Unsetenv(diskVariable) // tests start this program again, and it would remove the disks at its end
	isMounted = true
	dirs, _ := filepath.Glob(filepath.Join(root, "*")) // the pattern is no wrong one
	for _, dir := range dirs {
		disks <- dir
	}
	defer func() {
		for _, dir := range dirs {
			_ = unix.Unmount(dir, unix.MNT_DETACH)
		}
		_ = os.RemoveAll(root)
	}()
	return m.M.Run()
}

// hasDisk is the condition [disk].
func hasDisk() bool { return isMounted }

// disk FOLDER makes a folder that is a disk of 256 KiB.
func disk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: disk FOLDER")
	}
	dir := <-disks
	ts.Defer(func() {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
		disks <- dir
		if err != nil {
			ts.Logf("%s is not empty for the next script: %v", dir, err)
		}
	})
	ts.Check(os.Symlink(dir, ts.MkAbs(args[0])))
}
