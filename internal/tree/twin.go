package tree

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// mostTwin is the size of a tree that Twin copies at most, bytes and files: 64 MB took 0.1 s here.
const (
	mostTwinBytes = 64 << 20
	mostTwinFiles = 5000
)

// Twin copies the tree of a revision, with what its builds have made, to a folder of its own that
// Close removes. It returns "" for a folder, and if the tree is too large or has files that cannot
// be copied.
func (t *Tree) Twin(ctx context.Context) string {
	if t.slot == nil || !t.isSmall(ctx) {
		return ""
	}
	to := t.slot.twin()
	if remove(filepath.Dir(to)) != nil || os.CopyFS(to, os.DirFS(t.Root)) != nil ||
		t.setTimes(to) != nil || ctx.Err() != nil {
		_ = remove(filepath.Dir(to)) // if it fails, Close or the next Twin tries it again
		return ""
	}
	return to
}

// setTimes gives the files of a copy the times of the tree, so that make finds in both what it
// finds in one.
func (t *Tree) setTimes(to string) error {
	return filepath.WalkDir(t.Root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.Root, path)
		if err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, rel), info.ModTime(), info.ModTime())
	})
}

func (t *Tree) isSmall(ctx context.Context) bool {
	bytes, files := int64(0), 0
	err := filepath.WalkDir(t.Root, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		bytes += info.Size()
		if files++; bytes > mostTwinBytes || files > mostTwinFiles || ctx.Err() != nil {
			return fs.SkipAll
		}
		return nil
	})
	return err == nil && bytes <= mostTwinBytes && files <= mostTwinFiles && ctx.Err() == nil
}

// twin has the name of the tree, so that paths in both are equally long as far as possible.
func (s *slot) twin() string { return filepath.Join(s.dir, "twin", s.name) }
