package build

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"example.com/suite/internal/reach"
)

// compiled is a package in the output of go list -export.
type compiled struct {
	ImportPath, Name, Export, BuildID string
	Standard                          bool
	Deps                              []string
	Dir                               string
	GoFiles, CgoFiles                 []string // of a variant for a test also the files of the test
}

// compilation lists the packages of the host of a request, or of all its test binaries, once.
type compilation struct {
	once  sync.Once
	found map[string]*compiled // by import path; variants for a test have a suffix: "p [p.test]"
	err   error
}

// Binary is a program whose compiled packages can be listed: a host, or a test binary.
type Binary interface {
	// Archives returns the compiled packages of which go linked the binary when they were first asked for: see
	// Changed. They are in the cache of go, so this takes 0.2 to 0.5 s, once for the host or all test binaries of a
	// request.
	Archives(ctx context.Context) ([]reach.Archive, error)
	// Changed builds the binary again. The error explains that it is another one now, or why it does not build; it is
	// nil if it is the same. That takes 0.2 s.
	Changed(ctx context.Context) error
	// Split compiles a package of the binary once more, with a function for each initialiser of a variable.
	Split(ctx context.Context, pkg string) (reach.Units, error)
	// Allocated returns how many bytes the initialisers of each package allocate when the binary starts.
	Allocated(ctx context.Context) (map[string]int, error)

	linkedBy() (b *building, path string)
}

// Archives lists, for each package of a request that has benchmarks, the compiled packages of which go links
// its test binary. It compiles them if the cache of go does not have them, and links nothing.
func Archives(ctx context.Context, r Request) (map[string][]reach.Archive, error) {
	b, err := beginTests(ctx, r)
	if err != nil {
		return nil, err
	}
	all := map[string][]reach.Archive{}
	for _, k := range b.packages {
		if all[k.ImportPath], err = b.archives(ctx, k.ImportPath); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Archives returns the compiled packages of the test binary.
func (t *Test) Archives(ctx context.Context) ([]reach.Archive, error) {
	return t.request.archives(ctx, t.Package)
}

// Changed returns why go does not build the same test binary now.
func (t *Test) Changed(ctx context.Context) error {
	made, err := t.request.testBinary(ctx, t.Package)
	return changed(err, err == nil && made.hash == t.Hash)
}

// changed is the error of a binary that was built again.
func changed(err error, isSame bool) error {
	switch {
	case err != nil:
		first, _, _ := strings.Cut(err.Error(), "\n")
		return fmt.Errorf("it does not build again: %s", first)
	case !isSame:
		return errors.New("its source has changed since it was built")
	}
	return nil
}

func (t *Test) linkedBy() (*building, string) { return t.request, t.Path }

// Archives returns the compiled packages of the host.
func (p *Program) Archives(ctx context.Context) ([]reach.Archive, error) {
	found, main, err := p.compiled(ctx)
	if err != nil {
		return nil, err
	}
	return archivesOf(found, main)
}

// compiled returns the packages of the host and its main package, neither of which the caller may change.
func (p *Program) compiled(ctx context.Context) (found map[string]*compiled, main *compiled, err error) {
	c := &p.request.compiled
	c.once.Do(func() { c.found, c.err = p.request.listCompiled(ctx, p.overlay, p.request.main) })
	if c.err != nil {
		return nil, nil, c.err
	}
	for _, k := range c.found {
		if k.Name == "main" {
			return c.found, k, nil
		}
	}
	return nil, nil, errors.New("go list names no main package")
}

// Changed returns why go does not build the same host now.
func (p *Program) Changed(ctx context.Context) error {
	made, err := p.request.link(ctx)
	return changed(err, err == nil && made.Hash == p.Hash)
}

func (p *Program) linkedBy() (*building, string) { return p.request, p.Path }

func (b *building) archives(ctx context.Context, of string) ([]reach.Archive, error) {
	b.compiled.once.Do(func() {
		b.compiled.found, b.compiled.err = b.listCompiled(ctx, []string{"-test"}, importPaths(b.packages)...)
	})
	if b.compiled.err != nil {
		return nil, b.compiled.err
	}
	main := b.compiled.found[of+".test"]
	if main == nil {
		return nil, fmt.Errorf("go list knows no test binary of %s", of)
	}
	return archivesOf(b.compiled.found, main)
}

// archivesOf returns the archives of a main package and of all that it needs.
func archivesOf(found map[string]*compiled, main *compiled) (list []reach.Archive, err error) {
	for _, path := range append(slices.Clone(main.Deps), main.ImportPath) {
		k := found[path]
		switch {
		case path == "unsafe":
			continue
		case k == nil || k.Export == "":
			return nil, fmt.Errorf("go list names no archive of %s", path)
		}
		a := reach.Archive{Path: plain(path), File: k.Export, Standard: k.Standard,
			Content: k.BuildID[strings.LastIndexByte(k.BuildID, '/')+1:]}
		if k == main {
			a.Path = reach.MainPackage
		}
		for _, need := range k.Deps {
			if need != "unsafe" {
				a.Needs = append(a.Needs, plain(need))
			}
		}
		list = append(list, a)
	}
	return list, nil
}

// plain returns an import path without the name of the test for which the package was compiled.
func plain(path string) string {
	path, _, _ = strings.Cut(path, " [")
	return path
}

func (b *building) listCompiled(ctx context.Context, flags []string, targets ...string) (map[string]*compiled, error) {
	args := slices.Concat([]string{"list", "-deps", "-export",
		"-json=ImportPath,Name,Export,BuildID,Standard,Deps,Dir,GoFiles,CgoFiles"}, b.flags, flags,
		[]string{"--"}, targets)
	out, text, err := b.tool.run(ctx, args...)
	if err != nil {
		return nil, b.tree.failed(text, err)
	}
	found := map[string]*compiled{}
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		k := new(compiled)
		if err := d.Decode(k); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		found[k.ImportPath] = k
	}
}

// File is the path of a binary, as go has linked it.
func File(of Binary) string {
	_, path := of.linkedBy()
	return path
}

// LinkedAlike returns an error if two binaries were linked with other flags or settings: a change of the go
// line in go.mod changes what GODEBUG is by default, and is in no package.
func LinkedAlike(a, b Binary) error {
	one, path := a.linkedBy()
	two, other := b.linkedBy()
	x, err1 := buildinfo.ReadFile(path)
	y, err2 := buildinfo.ReadFile(other)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for i, s := range [][]string{one.Flags, one.Tags, one.Env, {one.vars["GOFLAGS"], x.GoVersion}, settings(x)} {
		if other := [][]string{two.Flags, two.Tags, two.Env, {two.vars["GOFLAGS"], y.GoVersion},
			settings(y)}[i]; !slices.Equal(s, other) {
			return fmt.Errorf("the binaries are linked in different ways: %s", unlike(s, other))
		}
	}
	return nil
}

// unlike names what only one of two lists of flags or settings has, up to three of them.
func unlike(a, b []string) string {
	const most = 3
	a, b = single(a), single(b)
	lacks := func(list []string) func(string) bool { return func(s string) bool { return slices.Contains(list, s) } }
	all := slices.Concat(slices.DeleteFunc(slices.Clone(a), lacks(b)), slices.DeleteFunc(slices.Clone(b), lacks(a)))
	switch n := len(all) - most; {
	case len(all) == 0:
		return "the order of " + strings.Join(a, " ")
	case n > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), n)
	}
	return strings.Join(all, ", ")
}

// single splits a setting that is a list, such as DefaultGODEBUG, into settings of one value.
func single(list []string) (all []string) {
	for _, s := range list {
		key, values, found := strings.Cut(s, "=")
		if !found || !strings.Contains(values, "=") {
			all = append(all, s)
			continue
		}
		for _, v := range strings.Split(values, ",") {
			all = append(all, key+" "+v)
		}
	}
	return all
}

func settings(info *buildinfo.BuildInfo) (all []string) {
	for _, s := range info.Settings {
		all = append(all, s.Key+"="+s.Value)
	}
	return all
}
