package build

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"example.com/suite/internal/reach"
)

// compiled is a package in the output of go list. Of a variant for a test the import path has a suffix: "p [p.test]".
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
	found map[string]*compiled // by import path
	err   error
}

// Binary is a program whose compiled packages can be listed: a host, or a test binary.
type Binary interface {
	// Archives returns the compiled packages of which go has linked the binary. Usually the build has named them; else
	// this takes two go commands, and the error may be that of Changed.
	Archives(ctx context.Context) ([]reach.Archive, error)
	// Changed builds the binary again. The error explains that it is another one now, or why it does not build; it is
	// nil if it is the same. That takes 0.2 s.
	Changed(ctx context.Context) error
	// Split compiles a package of the binary once more, with a function for each initialiser of a variable. That takes
	// three go commands, and none if the package was the same before.
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
	found, err := b.listPackages(ctx, true, b.programs()...)
	if err != nil {
		return nil, err
	}
	all := map[string][]reach.Archive{}
	for _, k := range b.packages {
		if all[k.ImportPath], err = archivesOf(found, k.ImportPath+".test"); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Archives returns the compiled packages of the test binary.
func (t *Test) Archives(ctx context.Context) ([]reach.Archive, error) {
	return t.linked.archives(ctx, t, t.Package+".test")
}

// Archives returns the compiled packages of the host.
func (p *Program) Archives(ctx context.Context) ([]reach.Archive, error) {
	return p.linked.archives(ctx, p, "")
}

// archives returns the compiled packages of a binary with a main package, see readGraph. If its build has not named
// them, go lists what it would link now, and the binary is built again to find out that it is the same.
func (l *linked) archives(ctx context.Context, of Binary, main string) ([]reach.Archive, error) {
	l.listing.Lock()
	defer l.listing.Unlock()
	if l.archived != nil {
		return l.archived, nil
	}
	list, err := l.linkedArchives(main)
	if err != nil {
		list, err = l.listArchives(ctx, main)
		if err == nil {
			err = of.Changed(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	l.archived = list
	return list, nil
}

// linkedArchives returns what the build has named.
func (l *linked) linkedArchives(main string) ([]reach.Archive, error) {
	g, err := readGraph(l.graph, main)
	if err != nil {
		return nil, err
	}
	b := l.request
	index := readIndex(b.Cache, b.vars["GOCACHE"])
	defer index.write()
	return g.archives(index, b.vars["GOROOT"])
}

// listArchives returns what go links now.
func (l *linked) listArchives(ctx context.Context, main string) ([]reach.Archive, error) {
	found, err := l.request.listPackages(ctx, true, l.request.programs()...)
	if err != nil {
		return nil, err
	}
	return archivesOf(found, main)
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

// Changed returns why go does not build the same host now.
func (p *Program) Changed(ctx context.Context) error {
	made, err := p.request.link(ctx)
	return changed(err, err == nil && made.Hash == p.Hash)
}

func (p *Program) linkedBy() (*building, string) { return p.request, p.Path }

// programs are the arguments of go list that name the host of a request, or its test binaries.
func (b *building) programs() []string {
	if b.tests {
		return append([]string{"-test", "--"}, importPaths(b.packages)...)
	}
	return []string{"-overlay=" + filepath.Join(b.slot, "overlay.json"), "--", b.main}
}

// list returns the packages of the host of a request, or of its test binaries, with their files. The caller may not
// change them.
func (c *compilation) list(ctx context.Context, b *building) (map[string]*compiled, error) {
	c.once.Do(func() { c.found, c.err = b.listPackages(ctx, false, b.programs()...) })
	return c.found, c.err
}

// listPackages lists packages with all that they need. If they are to be exported, they are compiled and have
// archives, which takes twice as long.
func (b *building) listPackages(ctx context.Context, export bool, last ...string) (map[string]*compiled, error) {
	args := []string{"list", "-deps", "-json=ImportPath,Name,Standard,Deps,Dir,GoFiles,CgoFiles"}
	if export {
		args[len(args)-1] += ",Export,BuildID"
		args = append(args, "-export")
	}
	args = slices.Concat(args, b.flags, last)
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

// mainOf returns the main package of a program, the only one if its import path is empty.
func mainOf(found map[string]*compiled, path string) (*compiled, error) {
	for _, k := range found {
		if k.Name == "main" && (path == "" || k.ImportPath == path) {
			return k, nil
		}
	}
	return nil, fmt.Errorf("go list names no main package %s", path)
}

// archivesOf returns the archives of a main package, see mainOf, and of all that it needs.
func archivesOf(found map[string]*compiled, of string) (list []reach.Archive, err error) {
	main, err := mainOf(found, of)
	if err != nil {
		return nil, err
	}
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

// File is the path of a binary, as go has linked it.
func File(of Binary) string {
	_, path := of.linkedBy()
	return path
}

// LinkedAlike returns an error if two binaries were linked with other flags or settings: a change of the go
// line in go.mod changes what GODEBUG is by default, and is in no package.
func LinkedAlike(a, b Binary) error {
	one, path := a.linkedBy()
	two, theirs := b.linkedBy()
	x, err1 := buildinfo.ReadFile(path)
	y, err2 := buildinfo.ReadFile(theirs)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for i, s := range [][]string{one.Flags, one.Tags, one.Env, {one.vars["GOFLAGS"], x.GoVersion}, settings(x)} {
		if other := [][]string{two.Flags, two.Tags, two.Env, {two.vars["GOFLAGS"], y.GoVersion},
			settings(y)}[i]; !slices.Equal(s, other) {
			return fmt.Errorf("the binaries are linked in different ways: %s", unlike(s, other))
		}
	}
	if s, other := modules(x), modules(y); !slices.Equal(s, other) && (readsModules(path) || readsModules(theirs)) {
		return fmt.Errorf("a program that may ask what it is built from (debug.ReadBuildInfo) is built from other "+
			"modules: %s", unlike(s, other))
	}
	return nil
}

// modules lists the modules of which a program is built, with their versions and sums. They are in a string of the
// program, and in no package.
func modules(info *buildinfo.BuildInfo) (all []string) {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		for ; m != nil; m = m.Replace {
			all = append(all, strings.TrimSpace(m.Path+" "+m.Version+" "+m.Sum))
		}
	}
	return append(all, info.Path)
}

// readsModules reports whether a program may read the list of modules: the linker has kept the only function that
// returns it, or nobody knows which it has kept.
func readsModules(program string) bool {
	symbols := reach.Symbols(program)
	return !symbols["main.main"] || symbols["runtime/debug.modinfo"]
}

// SamePackage reports whether a host of one package would be the same program in two trees, of which base and here are
// hosts with more packages: the package, all that it needs and what every host contains are compiled to the same, and
// the hosts are linked in the same way. It is false if alone, such a host of the second tree, was built from another
// source, and if one of the hosts cannot say what it consists of.
func SamePackage(ctx context.Context, base, here, alone *Program, pkg string) bool {
	x, err1 := buildinfo.ReadFile(base.Path)
	y, err2 := buildinfo.ReadFile(here.Path)
	if errors.Join(err1, err2, LinkedAlike(base, here)) != nil || x.String() != y.String() {
		return false
	}
	content := here.contents(ctx, pkg)
	return content != nil && maps.Equal(content, base.contents(ctx, pkg)) &&
		maps.Equal(content, alone.contents(ctx, pkg))
}

// contents returns the contents of a package, of what it needs, and of what every host contains, by import path; nil if
// one of them is not known.
func (p *Program) contents(ctx context.Context, pkg string) map[string]string {
	archives, err := p.Archives(ctx)
	if err != nil {
		return nil
	}
	all := map[string]string{}
	for _, a := range archives {
		all[a.Path] = a.Content
	}
	found := map[string]string{}
	for _, root := range []string{pkg, suiteModule + "/runner/host"} {
		at := slices.IndexFunc(archives, func(a reach.Archive) bool { return a.Path == root })
		if at < 0 {
			return nil
		}
		for _, path := range append(slices.Clone(archives[at].Needs), root) {
			if all[path] == "" {
				return nil
			}
			found[path] = all[path]
		}
	}
	return found
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
