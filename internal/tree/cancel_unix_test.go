//go:build unix

package tree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A filter of the user's stands for a checkout that takes long.
func TestAnEndedContextLeavesNoHalfTree(t *testing.T) {
	r := history(t)
	asleep := filepath.Join(folder(t), "asleep")
	slow := program(t, filepath.Join(folder(t), "slow"), "sleep 600 & echo $! > "+asleep+"; wait")
	r.write(t, ".gitattributes", "which filter=slow\n")
	r.commit(t, "slow")
	o := Options{Dir: string(r), Against: "HEAD", Cache: folder(t)}
	for _, there := range []bool{false, true} { // a first checkout, then one that is mended
		r.git(t, "config", "filter.slow.smudge", "cat")
		if there {
			got := open(t, o)
			write(t, filepath.Join(got.Root, "which"), "damaged")
			run(t, got.Root, "config", "filter.slow.smudge", slow)
			got.Close()
		}
		r.git(t, "config", "filter.slow.smudge", slow)
		why := errors.New("no longer wanted")
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error)
		go func() {
			got, err := Open(ctx, o)
			if got != nil {
				err = errors.New("a tree")
			}
			done <- err
		}()
		pid := pidIn(t, asleep)
		cancel(why)
		if err := <-done; err != why {
			t.Errorf("there %v: %v", there, err)
		}
		dies(t, pid)
		os.Remove(asleep)
		if left, _ := filepath.Glob(filepath.Join(o.Cache, "tree", "*", "new-*")); len(left) > 0 {
			t.Errorf("there %v: left %v", there, left)
		}
		r.git(t, "config", "filter.slow.smudge", "cat")
		ours, _ := filepath.Glob(filepath.Join(o.Cache, "tree", "*", "tree", "*"))
		if there && len(ours) != 1 {
			t.Error("the tree that was there is gone")
		}
		for _, root := range ours {
			run(t, root, "config", "filter.slow.smudge", "cat")
		}
		got := open(t, o)
		same(t, "which", content(t, filepath.Join(got.Root, "which")), "slow")
		got.Close()
	}
}

func TestAContextThatHasEnded(t *testing.T) {
	r := history(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, against := range []string{"main", "./bench"} {
		t.Chdir(string(r))
		if got, err := Open(ctx, Options{Against: against, Cache: folder(t)}); got != nil || !errors.Is(err, context.Canceled) {
			t.Error(against, got, err)
		}
	}
}

// pidIn waits for a file that holds the number of a process, at most a minute.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	for range 6000 {
		text, _ := os.ReadFile(file)
		if pid, err := strconv.Atoi(strings.TrimSuffix(string(text), "\n")); err == nil && strings.HasSuffix(string(text), "\n") {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s never came", file)
	return 0
}

// dies waits for the end of a process, at most a minute. One that nobody reaps
// stays as a zombie.
func dies(t *testing.T, pid int) {
	t.Helper()
	for range 6000 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}
