package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
)

// Covered builds the test binary once more, so that it counts which of its code is executed, and returns the source of
// what is counted: all packages that are linked into the binary but those of the toolchain. Code in files of tests is not
// counted. No other packages are linked than into the binary itself, because their initialisers would run too. The first
// time takes as long as to compile all these packages.
func (t *Test) Covered(ctx context.Context) (covered *Test, sources []reach.Source, err error) {
	b := t.request
	if _, err := b.archives(ctx, t.Package); err != nil { // lists what is compiled
		return nil, nil, err
	}
	main := b.compiled.found[t.Package+".test"]
	var paths []string
	for _, of := range main.Deps {
		k := b.compiled.found[of]
		if k == nil || k.Standard {
			continue
		}
		sources = append(sources, reach.Source{Path: plain(of), Dir: k.Dir, Files: slices.Concat(k.GoFiles, k.CgoFiles)})
		if !strings.HasSuffix(k.Name, "_test") && len(k.GoFiles)+len(k.CgoFiles) > 0 {
			paths = append(paths, plain(of))
		}
	}
	if len(paths) == 0 {
		return nil, nil, errors.New("nothing but the toolchain is linked into it")
	}
	counting := []string{"-cover", "-coverpkg=" + strings.Join(paths, ",")}
	b.slot = filepath.Join(b.Cache, "test", usercache.Key(b.root, t.Package, strings.Join(b.flags, "\n"), strings.Join(b.Env, "\n"), "covered"))
	if err := os.MkdirAll(b.slot, 0o755); err != nil {
		return nil, nil, unwritable(err)
	}
	usercache.Touch(b.slot)
	made, err := b.binary(ctx, "test", slices.Concat(buildTest, counting), t.Package)
	if err != nil {
		return nil, nil, err
	}
	return &Test{Package: t.Package, Name: t.Name, Dir: t.Dir, Path: made.path, Hash: made.hash}, sources, nil
}
