package tree

import (
	"context"
	"path/filepath"
	"strings"

	"example.com/suite/internal/git"
	"example.com/suite/internal/paths"
)

// submodule is a commit of another repository that a commit records at a path. The path is
// slash-separated.
type submodule struct{ path, commit string }

// submodulesOf returns the submodules of the commit that a work tree has checked out.
func submodulesOf(ctx context.Context, g git.Git) (all []submodule, err error) {
	files, err := g.Run(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, asError(err, "")
	}
	for entry := range strings.SplitSeq(files, "\x00") { // mode, hash and stage, a tab, the path
		if meta, path, ok := strings.Cut(entry, "\t"); ok && strings.HasPrefix(meta, "160000 ") {
			all = append(all, submodule{path, strings.Fields(meta)[1]})
		}
	}
	return all, nil
}

// checkOutSubmodules checks the submodules of the tree in root out, and the submodules of those,
// unless they are there already. Like the tree they borrow the objects of the user's
// repositories, and nothing is fetched. absent lists the paths of the others, and added
// reports whether one was checked out.
func (r *repository) checkOutSubmodules(ctx context.Context, root string) (absent []string, added bool, err error) {
	all, err := submodulesOf(ctx, gitAt(root))
	if err != nil {
		return nil, false, err
	}
	for _, m := range all {
		own, folder := filepath.Join(r.top, filepath.FromSlash(m.path)), filepath.Join(root, filepath.FromSlash(m.path))
		theirs, err := discover(ctx, own)
		if err == nil && theirs.top == own {
			_, err = theirs.Run(ctx, "cat-file", "-e", m.commit+"^{commit}")
		}
		switch {
		case ctx.Err() != nil:
			return nil, false, context.Cause(ctx)
		case isCheckedOut(folder):
		case err != nil || theirs.top != own: // the folder of a submodule that is not checked out belongs to r
			absent = append(absent, m.path)
			continue
		default:
			added = true
			if err := theirs.clone(ctx, folder, m.commit); err != nil {
				return nil, added, err
			}
		}
		if err != nil || theirs.top != own {
			continue
		}
		inner, more, err := theirs.checkOutSubmodules(ctx, folder)
		if err != nil {
			return nil, added, err
		}
		added = added || more
		for _, path := range inner {
			absent = append(absent, m.path+"/"+path)
		}
	}
	return absent, added, nil
}

// isCheckedOut reports whether a submodule has a repository of its own. Without one its folder
// is empty, and git would find the repository around it.
func isCheckedOut(folder string) bool { return paths.Exists(filepath.Join(folder, ".git")) }
