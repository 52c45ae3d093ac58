package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/paths"
)

// Changed lists the files that differ between the two trees or exist in only one of
// them, as slash-separated paths relative to the roots, in alphabetical order. For a
// revision these are the files that git knows and files that it neither knows nor
// ignores; for a folder, all files except git's own. What suite writes is left out. If the
// context ends, the error is its cause.
func (t *Tree) Changed(ctx context.Context) ([]string, error) {
	if t.repository == nil {
		return t.changedFiles(ctx)
	}
	known, err := t.repository.Run(ctx, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=none", t.Revision, "--", ":/")
	if err != nil {
		return nil, asError(err, "")
	}
	unknown, err := t.repository.Run(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", ":/")
	if err != nil {
		return nil, asError(err, "")
	}
	var all []string
	for _, name := range strings.Split(known, "\x00") {
		if !t.mine.hasNamed(name) {
			all = append(all, name)
		}
	}
	for _, name := range strings.Split(unknown, "\x00") {
		if !t.mine.hasUnknown(name) {
			all = append(all, name)
		}
	}
	all = slices.DeleteFunc(all, func(name string) bool {
		_, inside := paths.Within(t.cache, filepath.Join(t.Own, filepath.FromSlash(name)))
		return name == "" || inside
	})
	slices.Sort(all)
	return slices.Compact(all), nil
}

// mostFiles is how many files of a folder are compared. A folder with more files is not a
// source tree.
const mostFiles = 200_000

// errManyFiles means that two folders were not compared file by file.
var errManyFiles = errors.New("there are more than 200,000 files")

// changedFiles compares two folders file by file.
func (t *Tree) changedFiles(ctx context.Context) ([]string, error) {
	here, err := filesIn(ctx, t.Own)
	if err != nil {
		return nil, err
	}
	there, err := filesIn(ctx, t.Root)
	if err != nil {
		return nil, err
	}
	var all []string
	for name := range there {
		if _, both := here[name]; !both {
			all = append(all, name)
		}
	}
	for name, info := range here {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		other, both := there[name]
		if !both || info.Mode().Type() != other.Mode().Type() || info.Size() != other.Size() ||
			!t.sameContent(name, info) {
			all = append(all, name)
		}
	}
	all = slices.DeleteFunc(all, t.mine.hasNamed)
	slices.Sort(all)
	return all, nil
}

// filesIn finds the files below a folder, by their slash-separated paths.
func filesIn(ctx context.Context, root string) (map[string]fs.FileInfo, error) {
	all := map[string]fs.FileInfo{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir() || d.Name() == ".git":
			return nil
		case len(all) == mostFiles:
			return errManyFiles
		}
		rel, _ := filepath.Rel(root, path) // no error: it is below root
		info, err := d.Info()
		all[filepath.ToSlash(rel)] = info
		return err
	})
	return all, err
}

// sameContent reports whether a file with one size in both trees has the same content. A
// file that cannot be read counts as different.
func (t *Tree) sameContent(name string, info fs.FileInfo) bool {
	here, there := filepath.Join(t.Own, filepath.FromSlash(name)), filepath.Join(t.Root, filepath.FromSlash(name))
	if info.Mode()&fs.ModeSymlink != 0 {
		a, err1 := os.Readlink(here)
		b, err2 := os.Readlink(there)
		return err1 == nil && err2 == nil && a == b
	}
	return info.Mode().IsRegular() && paths.SameContent(here, there)
}
