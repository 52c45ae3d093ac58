package tree

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// lack notes what the tree has not, though the user's may have it: submodules,
// and the contents that git-lfs keeps elsewhere.
func (t *Tree) lack(ctx context.Context, g git) error {
	files, err := g.run(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return asError(err, "")
	}
	if modules := submodules(files); len(modules) > 0 {
		t.note("submodules are not checked out in the base: %s", some(modules))
	}
	files, err = g.run(ctx, "ls-files", "-z", "--", ":(attr:filter=lfs)")
	if err != nil {
		return asError(err, "")
	}
	if found := pointers(g.dir, files); len(found) > 0 {
		t.note("files of git-lfs are pointers in the base, without their contents: %s", some(found))
	}
	return nil
}

// submodules reads what git ls-files --stage -z prints: mode, hash and stage,
// a tab, the path.
func submodules(files string) (paths []string) {
	for entry := range strings.SplitSeq(files, "\x00") {
		if meta, path, ok := strings.Cut(entry, "\t"); ok && strings.HasPrefix(meta, "160000 ") {
			paths = append(paths, path)
		}
	}
	return paths
}

// pointers gives those of the files that hold no more than where their contents
// are.
func pointers(root, files string) (paths []string) {
	for path := range strings.SplitSeq(strings.TrimSuffix(files, "\x00"), "\x00") {
		if path != "" && isPointer(filepath.Join(root, filepath.FromSlash(path))) {
			paths = append(paths, path)
		}
	}
	return paths
}

func isPointer(file string) bool {
	const begin = "version https://git-lfs.github.com/spec/"
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	text := make([]byte, len(begin))
	_, err = io.ReadFull(f, text)
	return err == nil && string(text) == begin
}
