package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/git"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/shellword"
)

// repository is the user's repository. It is only read.
type repository struct {
	git.Git
	top        string // top folder of the work tree
	common     string // folder shared by all work trees; it identifies the repository
	objects    string // folder
	format     string // format of hashes: sha1 or sha256
	shallow    bool   // its history is incomplete
	boundary   string // file that lists the commits at which the history ends
	attributes string // file, in addition to the files in the tree
}

// facts are the arguments with which discover calls git rev-parse. The answer has a line for
// each fact. The last is an error of git outside of work trees, after the other facts.
var facts = []string{"--path-format=absolute", "--is-inside-work-tree", "--git-common-dir", "--git-path", "objects",
	"--git-path", "shallow", "--git-path", "info/attributes", "--is-shallow-repository", "--show-object-format",
	"--show-toplevel"}

// discover finds the repository that contains dir.
func discover(ctx context.Context, dir string) (*repository, error) {
	if !paths.IsFolder(dir) {
		return nil, fault(fmt.Sprintf("no folder %q", dir), "")
	}
	r := &repository{Git: git.Git{Dir: dir, Env: git.Frugal}}
	out, err := r.Run(ctx, append([]string{"rev-parse"}, facts...)...)
	lines := strings.SplitN(strings.TrimSuffix(out, "\n"), "\n", 8) // names of folders may have line ends
	outside := lines[0] == "false"
	switch {
	case err != nil && !outside:
		return nil, undiscovered(err, dir)
	case outside:
		return nil, fault(dir+" belongs to a repository, but to no work tree of it",
			"start in a work tree: git worktree list")
	case len(lines) != 8 || strings.HasPrefix(lines[0], "-"): // an old one repeats what it does not know
		return nil, fault("this git is too old to be asked for its folders",
			"install git 2.31 or later; git version prints the version")
	}
	r.common = lines[1]
	r.objects = lines[2]
	r.boundary = lines[3]
	r.attributes = lines[4]
	r.shallow, r.format = lines[5] == "true", lines[6]
	r.top = filepath.FromSlash(lines[7])
	r.Dir = r.top // pathspecs and relative folders start there
	return r, nil
}

var dubious = lazy.Regexp(`dubious ownership in repository at '(.*)'`)

// undiscovered explains why git finds no repository in dir.
func undiscovered(err error, dir string) error {
	var f *git.Failure
	if !errors.As(err, &f) {
		return asError(err, "")
	}
	if m := dubious().FindStringSubmatch(f.Stderr); m != nil {
		return &Error{Message: fmt.Sprintf("git does not trust %s: it belongs to another user", m[1]),
			Hint: "git config --global --add safe.directory " + shellword.Quote(m[1]), Err: err}
	}
	if strings.Contains(f.Stderr, "not a git repository") {
		return &Error{Message: fmt.Sprintf("%s is in no git repository, so it has no revisions", dir),
			Hint: "a folder is a base too: --against ../old", Err: err, kind: noRepository}
	}
	return &Error{Message: f.Error(), Hint: "git -C " + shellword.Quote(dir) + " status", Err: err}
}

// all returns the pathspecs, as git status accepts them, of the whole work tree except cache
// and OwnFolder.
func (r *repository) all(cache string) []string {
	all := []string{":/", ":(top,exclude,literal)" + OwnFolder}
	if rel, inside := paths.Within(r.top, paths.Resolved(cache)); inside && rel != "." {
		all = append(all, ":(top,exclude,literal)"+filepath.ToSlash(rel))
	}
	return all
}

// asError turns an error of git into an *Error and returns all other errors as they are.
func asError(err error, hint string) error {
	var f *git.Failure
	var n *git.NotRun
	switch {
	case errors.As(err, &f):
		return &Error{Message: f.Error(), Hint: hint, Err: err}
	case errors.As(err, &n) && n.IsMissing():
		return &Error{Message: "revisions are checked out by git, and there is no git in PATH",
			Hint: "install git, or name a folder in place of the revision", Err: err, kind: noGit}
	case errors.As(err, &n):
		return &Error{Message: n.Error(), Hint: "git version", Err: err}
	}
	return err
}

// Head is the commit of a work tree.
type Head struct {
	Commit string // full hash
	Dirty  bool   // the work tree differs from the commit: see Tree.Dirty
	// Changes identifies what differs, sha256:…; empty if nothing does.
	Changes string
}

// HeadOf finds the commit of the work tree that contains a folder. Files in cache
// (empty: the user's cache folder), what this run writes, and other files of suite's own do not
// make it dirty. The head is nil if there is no repository, or no commit. If the context ends,
// the error is its cause.
func HeadOf(ctx context.Context, dir, cache string, written []string) (*Head, error) {
	top := TopOf(dir)
	if top == "" {
		return nil, nil
	}
	cache, err := cacheFolder(cache)
	if err != nil {
		return nil, err
	}
	r := &repository{Git: git.Git{Dir: top, Env: git.Frugal}, top: top}
	head, err := r.state(ctx, cache, written)
	switch {
	case err != nil:
		return nil, undiscovered(err, top)
	case head.Commit == "":
		return nil, nil
	}
	return head, nil
}

// TopOf finds the nearest folder above dir, or dir itself, that has a repository. It is
// "" if there is none. It does not start git, which takes milliseconds.
func TopOf(dir string) string {
	for dir = paths.Real(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}
