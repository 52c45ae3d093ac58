package build

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/paths"
)

// join finds the module, or the workspace, of all patterns, and makes go see it with
// suite's own timing code.
func (b *building) join(ctx context.Context) error {
	if err := b.locate(ctx); err != nil {
		return err
	}
	all := b.wanted
	switch work := b.vars["GOWORK"]; {
	case work != "" && work != "off":
		return b.joinWorkspace(ctx, work, all)
	case len(rootsOf(all)) > 1:
		return several(b.Dir, all)
	case moduleRoot(b.tree.root) == "":
		return fault(all[0].text,
			fmt.Sprintf("%q is looked up in the module of the suite file, which is in none: there is no go.mod in "+
				"its folder or above it", all[0].text),
			"in the folder of the suite file: go mod init NAME")
	}
	return b.joinModule(ctx)
}

// locate finds the folder in which go is run: the module of the first pattern that is a path,
// else the module of the suite file. It asks for the variables of go there.
func (b *building) locate(ctx context.Context) error {
	all, problems := b.patterns()
	if len(problems) > 0 {
		return &Error{problems}
	}
	b.tree.root = cmp.Or(moduleRoot(b.Dir), b.Dir)
	if roots := rootsOf(all); len(roots) > 0 {
		b.tree.root = roots[0]
	}
	b.tool.dir = b.tree.root
	var text string
	var err error
	b.vars, text, err = b.tool.variables(ctx)
	if err != nil {
		return b.tree.failed(text, err)
	}
	b.tool.temp = b.vars["GOTMPDIR"]
	if err := b.surroundings(); err != nil {
		return err
	}
	for i := range all {
		all[i].relative(b.tree.root)
	}
	b.wanted = all
	return nil
}

func rootsOf(all []pattern) (roots []string) {
	for _, p := range all {
		if p.base != "" && !slices.Contains(roots, p.root) {
			roots = append(roots, p.root)
		}
	}
	return roots
}

// several refuses packages of several modules, because a program has one go.mod.
func several(dir string, all []pattern) error {
	roots := rootsOf(all)
	common := roots[0]
	for _, root := range roots[1:] {
		for _, inside := paths.Within(common, root); !inside &&
			filepath.Dir(common) != common; _, inside = paths.Within(common, root) {
			common = filepath.Dir(common)
		}
	}
	var folders, named []string
	odd := ""
	for _, root := range roots {
		i := slices.IndexFunc(all, func(p pattern) bool { return p.root == root })
		odd = all[i].text
		named = append(named, fmt.Sprintf("%q is in the module of %s/go.mod", odd, shown(dir, root)))
		folders = append(folders, shown(common, root))
	}
	return fault(odd, "packages of several modules, and a host is built in one: "+strings.Join(named, ", "),
		fmt.Sprintf("join them, in %s: go work init %s", shown(dir, common), strings.Join(folders, " ")))
}

// shown formats a folder as a go command in dir takes it.
func shown(dir, folder string) string {
	rel, err := filepath.Rel(dir, folder)
	if err != nil {
		return folder
	}
	rel = filepath.ToSlash(rel)
	if rel == "." || strings.HasPrefix(rel, "..") {
		return rel
	}
	return "./" + rel
}
