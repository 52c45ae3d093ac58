package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/suite/internal/lazy"
)

// kept how long: a tree is as large as the user's, and cheap to make again.
const (
	keptIdle    = 7 * 24 * time.Hour // since somebody opened it
	keptOutputs = 24 * time.Hour     // since the first build, see Options.Recipe
)

// named are folders that are called by a key: nothing else in the cache, which
// the user may have chosen, is ours.
var named = lazy.Regexp(`^[0-9a-f]{32}$`)

// prune removes slots that nobody opened for long and nobody uses. What cannot
// be removed stays.
func prune(cache string) {
	entries, _ := os.ReadDir(filepath.Join(cache, "tree")) // unreadable: nothing to remove
	for _, e := range entries {
		dir := filepath.Join(cache, "tree", e.Name())
		if !e.IsDir() || !named().MatchString(e.Name()) || idle(dir) < keptIdle {
			continue
		}
		l, err := take(dir)
		if err != nil {
			continue
		}
		empty(dir)
		_ = os.Remove(filepath.Join(dir, "lock")) // last, so that nobody takes a slot that is half there
		_ = os.Remove(dir)
		_ = l.Release()
	}
}

// empty removes all of a slot but its lock.
func empty(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != "lock" {
			_ = remove(filepath.Join(dir, e.Name()))
		}
	}
}

// idle is how long ago a slot was used.
func idle(dir string) time.Duration {
	info, err := os.Stat(filepath.Join(dir, "slot.json"))
	if err != nil {
		info, err = os.Stat(dir) // killed before the first tree was there
	}
	if err != nil {
		return 0
	}
	return time.Since(info.ModTime())
}

// remove removes a folder with all in it, also with folders that cannot be
// written, as Go's module cache has them.
func remove(path string) error {
	err := os.RemoveAll(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(path)
}
