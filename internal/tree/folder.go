package tree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/paths"
)

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
