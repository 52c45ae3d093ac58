package observed

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
)

// ofSystem are the folders of programs that a package manager installs.
var ofSystem = []string{"/bin", "/sbin", "/lib", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64",
	"/usr/libexec"}

// mostFiles of a tree are searched for the origin of a program.
const mostFiles = 50_000

// copied returns a file outside of both trees that was used and that is, byte for byte, a file of one of
// them, if the other tree has another or none, and it is no file that both have: somebody has installed it
// from there. A program may have got another name; what is only read, such as a library, has its own. It is
// "" if there is none. known are programs of suite.
func (o *Observer) copied(r *observe.Record, base, here string, known []string) string {
	trees := []string{real(base), real(here)}
	folders := slices.Concat(trees, ofSystem)
	for _, a := range r.Files {
		if a.Use&(observe.Exec|observe.Read) == 0 || a.Use&observe.Written != 0 || !isOutside(a.Path, folders, known) {
			continue
		}
		info, err := os.Stat(a.Path)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		one, both := false, false
		for i, tree := range trees {
			for _, path := range o.sized(tree)[info.Size()] {
				mayBe := a.Use&observe.Exec != 0 || filepath.Base(path) == filepath.Base(a.Path)
				if mayBe && paths.SameContent(a.Path, filepath.Join(tree, path)) {
					same := paths.SameContent(a.Path, filepath.Join(trees[1-i], path))
					one, both = one || !same, both || same
				}
			}
		}
		if one && !both {
			return a.Path
		}
	}
	return ""
}

// sized lists the files of a tree by their sizes, as paths relative to it.
func (o *Observer) sized(tree string) map[int64][]string {
	if found, ok := o.sizes[tree]; ok {
		return found
	}
	found, n := map[int64][]string{}, 0
	// What cannot be read has no copy that is known.
	_ = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		n++
		switch {
		case n > mostFiles:
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			rel, err := filepath.Rel(tree, path)
			info, err2 := d.Info()
			if err == nil && err2 == nil {
				found[info.Size()] = append(found[info.Size()], rel)
			}
		}
		return nil
	})
	if o.sizes == nil {
		o.sizes = map[string]map[int64][]string{}
	}
	o.sizes[tree] = found
	return found
}
