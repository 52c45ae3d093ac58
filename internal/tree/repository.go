package tree

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
)

// repository is that of the user. All of it is only read.
type repository struct {
	git
	top        string // of the work tree
	common     string // folder of what all work trees share; it tells repositories apart
	objects    string // folder
	format     string // of hashes: sha1 or sha256
	shallow    bool   // its history is cut off
	boundary   string // file that says where
	attributes string // file beside those in the tree
}

// facts are what discover asks, a line each.
var facts = []string{"--path-format=absolute", "--is-inside-work-tree", "--git-common-dir", "--git-path", "objects",
	"--git-path", "shallow", "--git-path", "info/attributes", "--is-shallow-repository", "--show-object-format"}

// discover finds the repository that dir lies in.
func discover(ctx context.Context, dir string) (*repository, error) {
	if !isFolder(dir) {
		return nil, fault(fmt.Sprintf("no folder %q", dir), "")
	}
	r := &repository{git: git{dir: dir, env: frugal}}
	out, err := r.run(ctx, append([]string{"rev-parse"}, facts...)...)
	if err != nil {
		return nil, undiscovered(err, dir)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 7 || strings.HasPrefix(lines[0], "-") { // an old one repeats what it does not know
		return nil, fault("this git is too old to be asked for its folders", "git 2.31 or later; git version tells which one this is")
	}
	if lines[0] != "true" {
		return nil, fault(dir+" belongs to a repository, but to no work tree of it", "start in a work tree: git worktree list")
	}
	r.common, r.objects, r.boundary, r.attributes = lines[1], lines[2], lines[3], lines[4]
	r.shallow, r.format = lines[5] == "true", lines[6]
	if out, err = r.run(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return nil, undiscovered(err, dir)
	}
	r.top = filepath.FromSlash(strings.TrimSuffix(out, "\n"))
	r.dir = r.top // pathspecs and relative folders start there
	return r, nil
}

var dubious = lazy.Regexp(`dubious ownership in repository at '(.*)'`)

// undiscovered says why git knows no repository in dir.
func undiscovered(err error, dir string) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	if m := dubious().FindStringSubmatch(f.stderr); m != nil {
		return &Error{Message: fmt.Sprintf("git does not trust %s: it belongs to another user", m[1]), Hint: "git config --global --add safe.directory " + quoted(m[1]), Err: err}
	}
	if strings.Contains(f.stderr, "not a git repository") {
		return &Error{Message: fmt.Sprintf("%s lies in no git repository, so it has no revisions", dir), Hint: "a folder is a base too: --against ../old", Err: err, kind: noRepository}
	}
	return &Error{Message: f.Error(), Hint: "git -C " + quoted(dir) + " status", Err: err}
}

// plainWord needs no quotes in any shell.
var plainWord = lazy.Regexp(`^[\pL\pN_@%+=:,./~^\\-]+$`)

// quoted is a word for a command that the user may copy.
func quoted(word string) string {
	if plainWord().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// dirty says whether the work tree has what HEAD has not: changes, or files that
// are neither known nor ignored. What lies in cache does not count.
func (r *repository) dirty(ctx context.Context, cache string) (bool, error) {
	args := []string{"status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames", "--"}
	out, err := r.run(ctx, append(args, r.all(cache)...)...)
	return out != "", asError(err, "")
}

// all is the whole work tree but for cache, as git status takes it.
func (r *repository) all(cache string) []string {
	if rel, inside := within(r.top, paths.Resolved(cache)); inside && rel != "." {
		return []string{":/", ":(top,exclude,literal)" + filepath.ToSlash(rel)}
	}
	return []string{":/"}
}

// asError makes an *Error of what git has said, and leaves all else as it is.
func asError(err error, hint string) error {
	var f *failure
	if errors.As(err, &f) {
		return &Error{Message: f.Error(), Hint: hint, Err: err}
	}
	return err
}
