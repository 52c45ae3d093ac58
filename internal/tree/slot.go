package tree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/git"
	"example.com/suite/internal/lock"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// slot is a folder of the cache for one tree of a commit, locked while it is in use. Suites
// that compare with the same commit at the same time get a slot each: waiting would last as
// long as the other suite, and for ever if one suite measures another.
//
//	lock       the lock
//	slot.json  what the tree is, see record
//	tree/NAME  the tree; NAME is the name of the user's folder
//	new-*      a tree that is being checked out
//	twin/NAME  a copy of the tree, see Twin
type slot struct {
	dir  string
	name string // name of the tree's folder
	lock *lock.Lock
	now  record
	hash string // of the recipe of this run; empty for none

	opened time.Time
}

// record is the content of slot.json. A tree without a record is never used.
type record struct {
	Repository string    `json:"repository"` // for people who look into the cache
	Commit     string    `json:"commit"`
	Recipe     string    `json:"recipe,omitempty"` // hash of the recipe whose outputs are complete
	Since      time.Time `json:"since,omitzero"`   // when the tree was opened for the first build of that recipe
	Builds     []Span    `json:"builds,omitempty"` // see Builds.Spans
}

const (
	slots    = 16 // of one commit
	attempts = 3  // to lock a slot that another process is removing
)

const folderOfSlots = "tree" // in the cache

// Home returns the folder in a cache that contains the tree of a revision and nothing else, or the root of another
// tree. Both are without links.
func Home(cache, root string) string {
	slots := filepath.Join(cache, folderOfSlots)
	rest, err := filepath.Rel(slots, root)
	if err != nil || !filepath.IsLocal(rest) || rest == "." {
		return root
	}
	slot, _, _ := strings.Cut(filepath.ToSlash(rest), "/")
	return filepath.Join(slots, slot)
}

// claim takes the first slot of a commit that nobody uses. Work trees of one repository
// share slots if their folders have the same name.
func claim(cache, top, repository, commit string) (*slot, error) {
	name := filepath.Base(top)
	if !filepath.IsLocal(name) { // the work tree is the whole disk
		name = "root"
	}
	for n := range slots {
		dir := filepath.Join(cache, folderOfSlots, usercache.Key(repository, name, commit, strconv.Itoa(n)))
		l, err := take(dir)
		switch {
		case errors.Is(err, lock.ErrHeld):
			continue
		case err != nil:
			return nil, unwritable(err)
		}
		return &slot{dir: dir, name: name, lock: l, now: record{Repository: repository, Commit: commit},
			opened: time.Now().UTC()}, nil
	}
	return nil, fault(fmt.Sprintf("%d suites compare with %s already", slots, short([]string{commit})),
		"wait for one of them, or give this one a cache of its own: SUITE_CACHE=FOLDER")
}

// take locks a slot's folder, and creates it if there is none.
func take(dir string) (l *lock.Lock, err error) {
	for range attempts {
		err = os.MkdirAll(dir, 0o700)
		if err != nil {
			return nil, err
		}
		l, _, err = lock.Try(filepath.Join(dir, "lock"), lock.Holder{PID: os.Getpid()})
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return l, err
}

func (s *slot) release() error { return s.lock.Release() }

// A slot without a record has the zero record.
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
	if err := atomicfile.Write(file, append(text, '\n'), 0o600); err != nil {
		return unwritable(err)
	}
	return nil
}

// built records that the tree has the outputs of the recipe. If they are based on earlier
// outputs of the same recipe, they are as old as those.
func (s *slot) built() error {
	if s.hash == "" {
		return nil
	}
	if s.now.Since.IsZero() {
		s.now.Since = s.opened
	}
	s.now.Recipe = s.hash
	return s.write()
}

// cacheFolder returns the folder that was asked for, or suite's folder in the user's cache.
func cacheFolder(asked string) (string, error) {
	folder, err := usercache.Folder(asked)
	if err != nil {
		return "", unwritable(err)
	}
	return folder, nil
}

func (s *slot) root() string { return filepath.Join(s.dir, "tree", s.name) }

// git returns a git for the tree. It names the tree's folders, because in a damaged tree git
// would otherwise find a repository that contains the cache. It may write the index, which
// records the files that were found unchanged.
func (s *slot) git() git.Git { return gitAt(s.root()) }

func gitAt(root string) git.Git {
	return git.Git{Dir: root, Args: []string{"--git-dir=" + filepath.Join(root, ".git"), "--work-tree=" + root},
		Env: []string{"GIT_OPTIONAL_LOCKS=1"}}
}

// fill makes the tree in the slot ready: it uses the tree that is in the slot, repairs it, or
// checks out a new one. kept reports whether the tree contains the output of an earlier build.
func (s *slot) fill(ctx context.Context, r *repository, recipe string) (root string, kept bool, err error) {
	old := s.read()
	if recipe != "" {
		s.hash = usercache.Key(recipe)
	}
	s.now.Builds = slices.DeleteFunc(old.Builds, func(b Span) bool { return !usercache.IsFresh(b.From, keptOutputs) })
	s.sweep()
	if old.Commit == s.now.Commit && paths.IsFolder(s.root()) {
		if err := s.write(); err != nil { // without a recipe: if the build is killed, its outputs are incomplete
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

// sweep removes unfinished trees of runs that were killed. The caller has the slot's lock, so
// no other run uses them.
func (s *slot) sweep() {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "new-") {
			_ = remove(filepath.Join(s.dir, e.Name())) // if it fails, the folder stays and is not used
		}
	}
}

// reuse makes the existing tree ready if that is possible, and reports whether it was. kept
// reports whether the tree contains the output of an earlier build.
func (s *slot) reuse(ctx context.Context, old record) (kept, ok bool) {
	found, err := s.state(ctx)
	switch {
	case err != nil:
		return false, false
	case found == pristine:
		return false, true
	case found == built && s.hash != "" && old.Recipe == s.hash && usercache.IsFresh(old.Since, keptOutputs):
		s.now.Since = old.Since
		return true, true
	}
	return false, s.restore(ctx)
}

// restore makes the tree like a fresh clone, and removes its submodules, which are then checked
// out again.
func (s *slot) restore(ctx context.Context) bool {
	for _, command := range [][]string{{"reset", "--quiet", "--hard", s.now.Commit}, {"clean", "-ffdxq"}} {
		if _, err := s.git().Run(ctx, command...); err != nil {
			return false
		}
	}
	modules, err := submodulesOf(ctx, s.git())
	if err != nil {
		return false
	}
	for _, m := range modules {
		if err := remove(filepath.Join(s.root(), filepath.FromSlash(m.path))); err != nil {
			return false
		}
	}
	found, err := s.state(ctx)
	return err == nil && found == pristine
}

// state is the condition of a tree.
type state int

const (
	pristine state = iota // as in a fresh clone
	built                 // git does not know some of the files
	changed               // files of the revision differ, or HEAD is another commit
)

// state is the worst condition of the tree and of its submodules that are checked out.
func (s *slot) state(ctx context.Context) (state, error) {
	return stateOf(ctx, s.root(), s.now.Commit)
}

// stateOf compares times and sizes, as git does. It takes 0.05 s for 5,000 files.
func stateOf(ctx context.Context, root, commit string) (state, error) {
	g := gitAt(root)
	out, err := g.Run(ctx, "status", "--porcelain=v2", "--branch", "-z", "--ignored", "--untracked-files=normal",
		"--ignore-submodules=all", "--no-renames")
	if err != nil {
		return changed, err
	}
	found := pristine
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		switch {
		case strings.HasPrefix(line, "# branch.oid ") && line != "# branch.oid "+commit:
			found = changed
		case strings.HasPrefix(line, "? "), strings.HasPrefix(line, "! "):
			found = max(found, built)
		case !strings.HasPrefix(line, "# "):
			found = changed
		}
	}
	modules, err := submodulesOf(ctx, g)
	if err != nil {
		return changed, err
	}
	for _, m := range modules {
		folder := filepath.Join(root, filepath.FromSlash(m.path))
		if !isCheckedOut(folder) {
			continue
		}
		inner, err := stateOf(ctx, folder, m.commit)
		if err != nil {
			return changed, err
		}
		found = max(found, inner)
	}
	return found, nil
}

// anew checks the commit out into a new folder and renames it to the tree.
func (s *slot) anew(ctx context.Context, r *repository) error {
	// without it no tree is used, so an interrupted checkout is harmless
	_ = os.Remove(filepath.Join(s.dir, "slot.json"))
	if err := remove(filepath.Join(s.dir, "tree")); err != nil {
		return unwritable(err)
	}
	temp, err := os.MkdirTemp(s.dir, "new-")
	if err != nil {
		return unwritable(err)
	}
	if err := r.clone(ctx, filepath.Join(temp, s.name), s.now.Commit); err != nil {
		_ = remove(temp) // if this fails, the next sweep removes it
		return err
	}
	if err := os.Rename(temp, filepath.Join(s.dir, "tree")); err != nil {
		return unwritable(err)
	}
	return s.write()
}

// How long trees and the output of builds are kept. A tree takes as much room as the user's
// and can be made again in a fraction of a second.
const (
	keptIdle    = 7 * 24 * time.Hour // since somebody opened it
	keptOutputs = 24 * time.Hour     // since the first build, see Options.Recipe
)

// prune removes slots that nobody uses and nobody has opened for long. Slots that cannot be
// removed stay.
func prune(cache string) {
	all := usercache.Entries(filepath.Join(cache, folderOfSlots), func(e fs.DirEntry) bool {
		return e.IsDir() && usercache.IsKey(e.Name())
	})
	for i, e := range all {
		if info, err := os.Stat(filepath.Join(e.Path, "slot.json")); err == nil {
			// none: the run was killed before it had a tree
			all[i].Used = info.ModTime()
		}
	}
	for _, e := range (usercache.Limit{Age: keptIdle}).Old(all) {
		l, err := take(e.Path)
		if err != nil {
			continue
		}
		empty(e.Path)
		_ = os.Remove(filepath.Join(e.Path, "lock")) // last, so that nobody locks a slot that is half removed
		_ = os.Remove(e.Path)
		_ = l.Release()
	}
}

// empty removes everything in a slot except its lock.
func empty(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != "lock" {
			_ = remove(filepath.Join(dir, e.Name()))
		}
	}
}

// remove removes a folder and everything in it, including read-only folders, such as those
// of Go's module cache.
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
