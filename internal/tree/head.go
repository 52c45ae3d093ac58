package tree

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/paths"
)

// Head is the commit that a work tree is at.
type Head struct {
	Commit string // full hash
	Dirty  bool   // the work tree has what the commit has not: see Tree.Dirty
}

// HeadOf asks git for the commit of the work tree that a folder lies in. What lies
// in cache, which is empty for that of the user, makes no tree dirty. It is nil
// where there is no repository and where a repository has no commit; the error is
// that of git, or an ended context's cause.
func HeadOf(ctx context.Context, dir, cache string) (*Head, error) {
	top := topOf(dir)
	if top == "" {
		return nil, nil
	}
	cache, err := cacheFolder(cache)
	if err != nil {
		return nil, err
	}
	args := []string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames", "--"}
	r := &repository{git: git{dir: top, env: frugal}, top: top}
	out, err := r.run(ctx, append(args, r.all(cache)...)...)
	if err != nil {
		return nil, undiscovered(err, top)
	}
	head := &Head{}
	for line := range strings.SplitSeq(out, "\x00") {
		hash, is := strings.CutPrefix(line, "# branch.oid ")
		switch {
		case is && hash == "(initial)":
			return nil, nil
		case is:
			head.Commit = hash
		case line != "" && !strings.HasPrefix(line, "# "):
			head.Dirty = true
		}
	}
	return head, nil
}

// topOf finds the folder above dir, or dir itself, that holds a repository; empty
// where there is none. That takes no git, which needs milliseconds.
func topOf(dir string) string {
	for dir = paths.Resolved(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}
