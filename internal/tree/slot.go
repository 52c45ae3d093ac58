package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/lock"
)

// slot is a folder of the cache for one tree of a commit, locked while it is in
// use. Suites that compare with one commit at once get a slot each: waiting
// would last as long as a suite does, and for ever where one measures another.
//
//	lock       who uses it
//	slot.json  what the tree is, see record
//	tree/NAME  the tree, NAME being that of the user's folder
//	new-*      a tree that is being checked out
type slot struct {
	dir  string
	name string // of the tree's folder
	lock *lock.Lock
	now  record
	hash string // of the recipe of this run; empty for none
}

// record is what stands in slot.json. Without one the tree is worth nothing.
type record struct {
	Repository string    `json:"repository"` // for a person who looks around
	Commit     string    `json:"commit"`
	Recipe     string    `json:"recipe,omitempty"` // hash of the one whose outputs are whole
	Since      time.Time `json:"since,omitzero"`   // the first build of that recipe
}

const (
	slots    = 16 // of one commit
	attempts = 3  // at a slot that is removed while we take it
)

// claim takes the first slot of a commit that nobody uses. Work trees of one
// repository share slots where their folders have one name.
func claim(cache, top, repository, commit string) (*slot, error) {
	name := filepath.Base(top)
	if !filepath.IsLocal(name) { // the work tree is the whole disk
		name = "root"
	}
	for n := range slots {
		dir := filepath.Join(cache, "tree", key(repository, name, commit, strconv.Itoa(n)))
		l, err := take(dir)
		switch {
		case errors.Is(err, lock.ErrHeld):
			continue
		case err != nil:
			return nil, unwritable(err)
		}
		return &slot{dir: dir, name: name, lock: l, now: record{Repository: repository, Commit: commit}}, nil
	}
	return nil, fault(fmt.Sprintf("%d suites compare with %s already", slots, short([]string{commit})), "wait for one of them, or give this one a cache of its own: SUITE_CACHE=FOLDER")
}

// take locks a slot's folder, which is made where there is none.
func take(dir string) (l *lock.Lock, err error) {
	for range attempts {
		if err = os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		if l, _, err = lock.Try(filepath.Join(dir, "lock"), lock.Holder{PID: os.Getpid()}); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return l, err
}

func (s *slot) release() error { return s.lock.Release() }

// read gives what the slot holds, the zero record where that is not known.
func (s *slot) read() (r record) {
	text, err := os.ReadFile(filepath.Join(s.dir, "slot.json"))
	if err != nil || json.Unmarshal(text, &r) != nil {
		return record{}
	}
	return r
}

// write replaces the record in one step, which also marks the slot as used now.
func (s *slot) write() error {
	text, err := json.MarshalIndent(s.now, "", "\t")
	if err != nil {
		return err
	}
	file := filepath.Join(s.dir, "slot.json")
	if err := os.WriteFile(file+".new", append(text, '\n'), 0o600); err != nil {
		return unwritable(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return unwritable(err)
	}
	return nil
}

// built keeps what the recipe has left in the tree. A recipe that went on from
// what an earlier one left is as old as that.
func (s *slot) built() error {
	if s.hash == "" {
		return nil
	}
	if s.now.Since.IsZero() {
		s.now.Since = time.Now().UTC()
	}
	s.now.Recipe = s.hash
	return s.write()
}

// cacheFolder is the one that was asked for, or that of the user.
func cacheFolder(asked string) (string, error) {
	if asked == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", unwritable(err)
		}
		asked = filepath.Join(base, "suite")
	}
	return filepath.Abs(asked)
}

// key identifies a list of texts: 32 hexadecimal digits, so that no name of a
// user becomes a part of a path.
func key(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		one := sha256.Sum256([]byte(part))
		sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// root is the tree's own folder.
func (s *slot) root() string { return filepath.Join(s.dir, "tree", s.name) }

// git runs git on the tree. Named folders keep it from finding the repository
// that the cache may lie in where the tree is damaged. Here it may write down
// what it found unchanged.
func (s *slot) git() git { return gitAt(s.root()) }

func gitAt(root string) git {
	return git{dir: root, args: []string{"--git-dir=" + filepath.Join(root, ".git"), "--work-tree=" + root}, env: []string{"GIT_OPTIONAL_LOCKS=1"}}
}

// fill makes the slot hold the tree, and says whether an earlier build's outputs
// are in it. The tree that is there is used, else mended, else made anew.
func (s *slot) fill(ctx context.Context, r *repository, recipe string) (root string, kept bool, err error) {
	old := s.read()
	if recipe != "" {
		s.hash = key(recipe)
	}
	s.sweep()
	if old.Commit == s.now.Commit && isFolder(s.root()) {
		if err := s.write(); err != nil { // without a recipe: a build that is killed leaves outputs that are not whole
			return "", false, err
		}
		if kept, ok := s.reuse(ctx, old); ok {
			return s.root(), kept, nil
		}
	}
	if ctx.Err() != nil {
		return "", false, context.Cause(ctx)
	}
	return s.root(), false, s.anew(ctx, r)
}

// sweep removes what a suite that was killed has left: we have the lock.
func (s *slot) sweep() {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "new-") {
			_ = remove(filepath.Join(s.dir, e.Name())) // in nobody's way
		}
	}
}

// reuse says whether the tree is that of the commit, or can be made so, and
// whether outputs were kept in it.
func (s *slot) reuse(ctx context.Context, old record) (kept, ok bool) {
	found, err := s.state(ctx)
	switch {
	case err != nil:
		return false, false
	case found == pristine:
		return false, true
	case found == built && s.hash != "" && old.Recipe == s.hash && fresh(old.Since):
		s.now.Since = old.Since
		return true, true
	}
	return false, s.restore(ctx)
}

// fresh says that outputs are young enough. Those of tomorrow come from a clock
// that was put back.
func fresh(since time.Time) bool {
	age := time.Since(since)
	return age >= 0 && age < keptOutputs
}

// restore makes the tree that of a fresh clone.
func (s *slot) restore(ctx context.Context) bool {
	for _, command := range [][]string{{"reset", "--quiet", "--hard", s.now.Commit}, {"clean", "-ffdxq"}} {
		if _, err := s.git().run(ctx, command...); err != nil {
			return false
		}
	}
	found, err := s.state(ctx)
	return err == nil && found == pristine
}

// state is what a tree looks like.
type state int

const (
	pristine state = iota // as in a fresh clone
	built                 // there are files that git does not know
	changed               // files of the revision are not as they were, or HEAD is another
)

// state compares times and sizes, as git does: 0.05 s for 5,000 files.
func (s *slot) state(ctx context.Context) (state, error) {
	out, err := s.git().run(ctx, "status", "--porcelain=v2", "--branch", "-z", "--ignored", "--untracked-files=normal", "--ignore-submodules=all", "--no-renames")
	if err != nil {
		return changed, err
	}
	found := pristine
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		switch {
		case strings.HasPrefix(line, "# branch.oid ") && line != "# branch.oid "+s.now.Commit:
			found = changed
		case strings.HasPrefix(line, "? "), strings.HasPrefix(line, "! "):
			found = max(found, built)
		case !strings.HasPrefix(line, "# "):
			found = changed
		}
	}
	return found, nil
}

// anew checks the commit out beside the tree and puts it in its place.
func (s *slot) anew(ctx context.Context, r *repository) error {
	_ = os.Remove(filepath.Join(s.dir, "slot.json")) // from here on there is no tree, whatever happens
	if err := remove(filepath.Join(s.dir, "tree")); err != nil {
		return unwritable(err)
	}
	temp, err := os.MkdirTemp(s.dir, "new-")
	if err != nil {
		return unwritable(err)
	}
	if err := r.clone(ctx, filepath.Join(temp, s.name), s.now.Commit); err != nil {
		_ = remove(temp) // else by the next sweep
		return err
	}
	if err := os.Rename(temp, filepath.Join(s.dir, "tree")); err != nil {
		return unwritable(err)
	}
	return s.write()
}

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
