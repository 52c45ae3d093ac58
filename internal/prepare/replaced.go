package prepare

import (
	"os"
	"path/filepath"

	"example.com/suite/internal/paths"
	"example.com/suite/result"
	"example.com/suite/spec"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// replaced returns the folder of this tree from which go builds the program of a case in the other tree,
// nil if there is none: a replace directive, or a workspace, names it by its absolute path. Both sides
// would have that code.
func (u *unchanged) replaced(c *spec.Case) *result.Evidence {
	dir := u.plan.Other.Dir
	switch {
	case c.GoTest != nil:
		dir = c.Other.Case.GoTest.Dir
	case c.Kind != result.KindGo || u.plan.Other.Packages == nil:
		return nil
	}
	root, here, there := paths.Real(dir), paths.Real(u.root(u.other)), paths.Real(u.other.Root)
	for {
		for _, folder := range localModules(root) {
			folder = paths.Real(folder)
			if _, ofBase := within(there, folder); ofBase {
				continue
			}
			if rel, ofHere := within(here, folder); ofHere {
				return &result.Evidence{Cause: result.EvidenceReadsHere, Subject: rel}
			}
		}
		if _, inside := within(there, filepath.Dir(root)); !inside || filepath.Dir(root) == root {
			return nil
		}
		root = filepath.Dir(root)
	}
}

// localModules returns the absolute folders that go.mod and go.work in a folder name.
func localModules(dir string) (folders []string) {
	var replaces []*modfile.Replace
	if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
		if file, err := modfile.Parse("go.mod", text, nil); err == nil {
			replaces = file.Replace
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "go.work")); err == nil {
		if file, err := modfile.ParseWork("go.work", text, nil); err == nil {
			replaces = append(replaces, file.Replace...)
			for _, use := range file.Use {
				replaces = append(replaces, &modfile.Replace{New: module.Version{Path: use.Path}})
			}
		}
	}
	for _, r := range replaces {
		if r.New.Version == "" && filepath.IsAbs(r.New.Path) {
			folders = append(folders, r.New.Path)
		}
	}
	return folders
}

// within returns a path relative to a folder, with slashes, if it is the folder or below it.
func within(folder, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(folder, path)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}
