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
// what is counted: all packages that are linked into the binary but the toolchain's. Code in files of tests is
// not counted. No other packages are linked than into the binary itself, because their initialisers would run too. The
// first time takes as long as to compile all these packages.
func (t *Test) Covered(ctx context.Context) (covered *Test, sources []reach.Source, err error) {
	b := t.request
	found, err := b.compiled.list(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	main, err := mainOf(found, t.Package+".test")
	if err != nil {
		return nil, nil, err
	}
	made, sources, err := b.covered(ctx, main, found, t.Package)
	return &Test{Package: t.Package, Name: t.Name, Dir: t.Dir, Path: made.path, Hash: made.hash}, sources, err
}

// coveredMain makes a test binary of a host: package testing writes the profile, and go cover does not read the main
// that is generated.
var coveredMain = `package main

import (
	"testing"

	"` + suiteModule + `/runner/host"
)

func TestMain(m *testing.M) {
	host.Main(host.Real())
	m.Run()
}
`

// CoveredArgv is the command that starts a host that Covered has built. At its end the host writes a coverage profile.
func (p *Program) CoveredArgv(profile string) []string {
	return []string{p.Path, "-test.coverprofile=" + profile}
}

// Covered is like Covered of a test binary. What every host contains is not counted: it depends on the time.
func (p *Program) Covered(ctx context.Context) (covered *Program, sources []reach.Source, err error) {
	b := p.request
	found, err := b.compiled.list(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	main, err := mainOf(found, "")
	if err != nil {
		return nil, nil, err
	}
	serves := found[suiteModule+"/runner/host"]
	counted := *main
	counted.Deps = slices.DeleteFunc(slices.Clone(main.Deps), func(of string) bool {
		return of == serves.ImportPath || slices.Contains(serves.Deps, of)
	})
	file := filepath.Join(b.slot, "overlay.json")
	shown, err := readOverlay(file)
	if err != nil {
		return nil, nil, unwritable(err)
	}
	shown.Replace[filepath.Join(b.tree.root, b.main, "main_test.go")] = filepath.Join(b.slot, "main_test.go")
	file = filepath.Join(b.slot, "covered.json")
	if err := errors.Join(put(filepath.Join(b.slot, "main_test.go"), []byte(coveredMain)),
		shown.write(file)); err != nil {
		return nil, nil, unwritable(err)
	}
	made, sources, err := b.covered(ctx, &counted, found, "-overlay="+file, b.main)
	for i := range sources {
		sources[i].AsTest = true
	}
	return &Program{Path: made.path, Hash: made.hash}, sources, err
}

// covered builds a test binary that counts what is executed of the packages on which a main package depends.
func (b *building) covered(
	ctx context.Context, main *compiled, found map[string]*compiled, last ...string,
) (made binary, sources []reach.Source, err error) {
	var paths []string
	for _, of := range main.Deps {
		k := found[of]
		if k == nil || k.Standard {
			continue
		}
		sources = append(sources, reach.Source{Path: plain(of), Dir: k.Dir,
			Files: slices.Concat(k.GoFiles, k.CgoFiles)})
		if !strings.HasSuffix(k.Name, "_test") && len(k.GoFiles)+len(k.CgoFiles) > 0 {
			paths = append(paths, plain(of))
		}
	}
	if len(paths) == 0 {
		return made, nil, errors.New("nothing but the toolchain is linked into it")
	}
	counting := []string{"-cover", "-coverpkg=" + strings.Join(paths, ",")}
	defer func(own string) { b.slot = own }(b.slot)
	b.slot = filepath.Join(b.Cache, "test", usercache.Key(b.tree.root, main.ImportPath, strings.Join(b.flags, "\n"),
		strings.Join(b.Env, "\n"), "covered"))
	if err := os.MkdirAll(b.slot, 0o755); err != nil {
		return made, nil, unwritable(err)
	}
	usercache.Touch(b.slot)
	if last, err = b.ofCounting(last); err != nil {
		return made, nil, unwritable(err)
	}
	if last, err = recordTypes(b, last); err != nil {
		return made, nil, unwritable(err)
	}
	made, err = b.binary(ctx, "test", slices.Concat(buildTest, counting), last...)
	return made, sources, err
}
