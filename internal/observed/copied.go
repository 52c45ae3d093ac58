package observed

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/suite/internal/observe"
)

// ofSystem are the folders of programs that a package manager installs.
var ofSystem = []string{"/bin", "/sbin", "/lib", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/libexec"}

// mostFiles of a tree are searched for the origin of a program.
const mostFiles = 50_000

// copied returns a program outside of both trees that was executed and that is, byte for byte, a file
// of the same name in one of them, where the other tree has another or none: somebody has installed it
// from there. It is "" if there is none. own are programs of suite.
func (o *Observer) copied(r *observe.Record, base, here string, own []string) string {
	trees := []string{real(base), real(here)}
	outside := func(a observe.Access) bool {
		in := func(folder string) bool { return isBelow(a.Path, folder) }
		return a.Use&observe.Exec != 0 && a.Use&observe.Written == 0 && !slices.ContainsFunc(trees, in) && !slices.ContainsFunc(ofSystem, in) && !slices.Contains(own, real(a.Path))
	}
	for _, a := range r.Files {
		if !outside(a) {
			continue
		}
		for i, tree := range trees {
			for _, path := range o.named(tree)[filepath.Base(a.Path)] {
				if other := filepath.Join(trees[1-i], path); sameContent(a.Path, filepath.Join(tree, path)) && !sameContent(a.Path, other) {
					return a.Path
				}
			}
		}
	}
	return ""
}

// named lists the files of a tree by their names, as paths relative to it.
func (o *Observer) named(tree string) map[string][]string {
	if found, ok := o.names[tree]; ok {
		return found
	}
	found, n := map[string][]string{}, 0
	_ = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error { // what cannot be read has no copy that is known
		n++
		switch {
		case n > mostFiles:
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			if rel, err := filepath.Rel(tree, path); err == nil {
				found[d.Name()] = append(found[d.Name()], rel)
			}
		}
		return nil
	})
	if o.names == nil {
		o.names = map[string]map[string][]string{}
	}
	o.names[tree] = found
	return found
}

// sameContent reports whether two files can be read and are equal.
func sameContent(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	if err != nil || err2 != nil || !x.Mode().IsRegular() || !y.Mode().IsRegular() || x.Size() != y.Size() {
		return false
	}
	one, err := os.ReadFile(a)
	two, err2 := os.ReadFile(b)
	return err == nil && err2 == nil && bytes.Equal(one, two)
}
