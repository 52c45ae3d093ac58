// Package tree makes another tree available beside the user's own: the base of
// a comparison. It takes a git revision or a folder and gives the root of a tree
// in which files stand where they stand in the user's. It knows git and folders,
// nothing of suite files.
//
// A revision is checked out into a cache folder, as a repository of its own that
// borrows the objects of the user's (objects/info/alternates). Of the user's
// folder, index and .git nothing is ever written. For 5,000 files, 20 MB, Open
// takes 0.26 s, where the tree is there and intact 0.12 s. What else there is was
// tried: `git worktree add` takes as long and writes into .git/worktrees, which
// may be read-only in a container and lists trees that a lost cache took along;
// `git archive` leaves no repository, so that git describe fails in a build, and
// obeys export-ignore; `git clone --shared` copies every ref, and all objects
// where the clone is shallow, as most are in CI.
//
// What builds leave in the tree is kept for the next run or removed, by one
// rule: see Options.Recipe.
package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/paths"
)

// Options say which tree, beside which.
type Options struct {
	Dir     string // a folder in the user's tree, that of the suite file; empty: the current one
	Against string // a git revision, or a folder relative to the current one; ./NAME is always a folder
	Exact   bool   // the revision itself, not where HEAD has left it; nothing to a folder
	Cache   string // folder; empty: suite in os.UserCacheDir, as package build has it

	// Recipe is anything that tells how the tree is going to be built: commands,
	// environment, the programs they start. What a build has left in the tree
	// stays there, so that the next one has little to do, if the recipe is the
	// same text again, Built was called after that build, files of the revision
	// are as they were, and the first of the builds that way is at most a day
	// old: make does not notice that a compiler was replaced. Else the tree is
	// that of a fresh clone. Empty: always as a fresh clone.
	Recipe string
}

// Tree is another tree beside the user's.
type Tree struct {
	Root      string   // of the other tree, absolute
	Own       string   // folder of the user's tree that Root stands for, absolute, links resolved
	Asked     string   // Options.Against
	Revision  string   // full hash of the commit; empty for a folder
	MergeBase bool     // Revision is where HEAD left the revision that was asked for, and not that itself
	Dirty     bool     // the user's tree has changes that HEAD has not; known for revisions only
	Kept      bool     // what an earlier build has left is still there
	Notes     []string // what a reader of the comparison has to know, a sentence each

	slot       *slot       // nil for a folder
	repository *repository // likewise
	cache      string      // folder, links resolved; empty for a folder
}

// Open makes the tree of a git revision, or an existing folder, available. The
// tree of a revision belongs to the caller alone until Close. A revision that
// does not exist, a folder that is no repository and the like are an *Error; an
// ended context is its cause, and leaves no half tree.
func Open(ctx context.Context, o Options) (*Tree, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if o.Against == "" || strings.ContainsAny(o.Against, "\x00\r\n") {
		return nil, fault(fmt.Sprintf("%q names no revision and no folder", o.Against), "a revision such as main, v1.2 or HEAD~1, or a folder such as ../old")
	}
	if o.Dir = dir; isPath(o.Against) {
		return openFolder(ctx, o)
	}
	r, err := discover(ctx, dir)
	if isFolder(o.Against) && (isKind(err, noGit) || isKind(err, noRepository)) {
		return openFolder(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	found, err := r.find(ctx, o.Against)
	switch {
	case isKind(err, unknown) && isFolder(o.Against):
		return openFolder(ctx, o)
	case err != nil:
		return nil, err
	case isFolder(o.Against):
		found.note("%s is the revision; the folder of that name is ./%[1]s", o.Against)
	}
	return r.open(ctx, o, found)
}

// Path gives the place in the other tree of a file in the user's, whether there
// is one or not. A relative name starts at the current folder. The error is that
// of a file outside of Own.
func (t *Tree) Path(file string) (string, error) {
	whole, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	rel, inside := within(t.Own, whole)
	if !inside {
		rel, inside = within(t.Own, paths.Resolved(whole))
	}
	if !inside {
		return "", fault(fmt.Sprintf("%s lies outside of %s, which is compared", file, t.Own), "only what stands below that folder has a counterpart in "+t.Asked)
	}
	return filepath.Join(t.Root, rel), nil
}

// Holds says whether a folder of the user's belongs to this pair of trees: it lies in
// Own and, where the other tree is that of a revision, in no repository within it, as
// a submodule is one. That has revisions of its own.
func (t *Tree) Holds(ctx context.Context, dir string) bool {
	if _, err := t.Path(dir); err != nil || t.Revision == "" {
		return err == nil
	}
	r, err := discover(ctx, dir)
	return err == nil && r.top == t.Own
}

// Close lets others use the tree. It stays in the cache: the next comparison
// finds it there, and one that nobody opened for a week is removed.
func (t *Tree) Close() error {
	if t.slot == nil {
		return nil
	}
	s := t.slot
	t.slot = nil
	return s.release()
}

// Built says that the recipe has been followed to its end, so that what it left
// in the tree is worth keeping. For a folder it does nothing.
func (t *Tree) Built() error {
	if t.slot == nil {
		return nil
	}
	return t.slot.built()
}

func (t *Tree) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// within gives the path of file in dir, and whether it lies in it.
func within(dir, file string) (string, bool) {
	rel, err := filepath.Rel(dir, file)
	return rel, err == nil && filepath.IsLocal(rel)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Error says why there is no other tree, and what to do.
type Error struct {
	Message string // lower case, no full stop
	Hint    string // may be empty
	Err     error  // what the system said; may be nil

	kind kind
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

// kind tells errors apart that Open goes on after.
type kind int

const (
	other kind = iota
	noGit
	noRepository
	unknown // revision
)

func isKind(err error, k kind) bool {
	var e *Error
	return errors.As(err, &e) && e.kind == k
}

func fault(message, hint string) *Error { return &Error{Message: message, Hint: hint} }

// unwritable is a cache that cannot be used.
func unwritable(err error) *Error {
	return &Error{Message: "cannot keep the other tree: " + err.Error(), Hint: "SUITE_CACHE=FOLDER in the environment names a place that can be written", Err: err}
}

// some lists at most three of many names.
func some(names []string) string {
	if len(names) > 3 {
		names = append(names[:3:3], "…")
	}
	return strings.Join(names, ", ")
}

// isPath says that a text is written as a path. Everything else may be a
// revision: feature/x is one, more often than a folder.
func isPath(against string) bool {
	slashed := filepath.ToSlash(against)
	return filepath.IsAbs(against) || slashed == "." || slashed == ".." ||
		strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || strings.HasSuffix(slashed, "/")
}

// openFolder takes a folder as it is.
func openFolder(ctx context.Context, o Options) (*Tree, error) {
	info, err := os.Stat(o.Against)
	switch {
	case err != nil:
		return nil, &Error{Message: fmt.Sprintf("no folder %q", o.Against), Hint: "a folder is relative to the current one; a revision is written without ./", Err: err}
	case !info.IsDir():
		return nil, fault(fmt.Sprintf("%q is a file", o.Against), "the base is a folder or a git revision")
	case !isFolder(o.Dir):
		return nil, fault(fmt.Sprintf("no folder %q", o.Dir), "")
	}
	root, err := filepath.Abs(o.Against)
	if err != nil {
		return nil, err
	}
	t := &Tree{Root: root, Own: counterpart(ctx, paths.Resolved(o.Dir), root), Asked: o.Against}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if paths.Resolved(root) == t.Own {
		t.note("%s is compared with itself", t.Own)
	} else {
		t.note("%s stands for %s", root, t.Own)
	}
	return t, nil
}

// counterpart gives the folder of the user's tree that root stands for: the
// outermost one above dir that has the way down to dir in both. Where the user's
// tree is a repository it is not left, and if root is one too they are a pair.
func counterpart(ctx context.Context, dir, root string) string {
	top := ""
	if r, err := discover(ctx, dir); err == nil {
		top = r.top
	}
	if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil && top != "" {
		return top
	}
	own := dir
	for up := dir; ; up = filepath.Dir(up) {
		if rel, err := filepath.Rel(up, dir); err == nil && isFolder(filepath.Join(root, rel)) {
			own = up
		}
		if up == top || up == filepath.Dir(up) {
			return own
		}
	}
}
