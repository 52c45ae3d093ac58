package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
)

// Split compiles a package of the test binary once more, with a function for each initialiser of a variable. The result
// is empty if the binary does not contain the package.
func (t *Test) Split(ctx context.Context, pkg string) (reach.Units, error) {
	return t.linked.split(ctx, t, t.Package+".test", "", pkg)
}

// Split is like Split of a test binary.
func (p *Program) Split(ctx context.Context, pkg string) (reach.Units, error) {
	return p.linked.split(ctx, p, "", filepath.Join(p.request.slot, "overlay.json"), pkg)
}

// splitVersion is increased when the same package would be split in another way.
const splitVersion = "1"

// split splits a package of a binary with a main package, or returns what was kept when the same compiled package was
// split before. overlay is as for building.split.
func (l *linked) split(ctx context.Context, of Binary, main, overlay, pkg string) (units reach.Units, err error) {
	archives, err := l.archives(ctx, of, main)
	if err != nil {
		return units, err
	}
	at := slices.IndexFunc(archives, func(a reach.Archive) bool { return a.Path == pkg })
	if at < 0 || pkg == reach.MainPackage {
		return units, nil
	}
	b := l.request
	folder := filepath.Join(b.Cache, "split", usercache.Key(splitVersion, archives[at].File, archives[at].Content))
	usercache.Touch(folder)
	place := filepath.Join(folder, "units.json")
	if text, err := paths.ReadRegular(place); err == nil {
		if json.Unmarshal(text, &units) == nil && paths.Exists(units.Archive) {
			return units, nil
		}
	}
	units, err = b.split(ctx, main, archives, overlay, pkg)
	if err == nil {
		err = of.Changed(ctx) // the source was read now
	}
	if text, failed := json.Marshal(units); err == nil && failed == nil && units.Archive != "" {
		_ = put(place, text) // if it fails, the package is split again
	}
	return units, err
}

// Splits returns a function that splits a package of the test binary of one of a request's packages, named first. It
// links nothing.
func Splits(ctx context.Context, r Request) (split func(of, pkg string) (reach.Units, error), err error) {
	b, err := beginTests(ctx, r)
	if err != nil {
		return nil, err
	}
	found, err := b.listPackages(ctx, true, b.programs()...)
	return func(of, pkg string) (reach.Units, error) {
		archives, err := archivesOf(found, of+".test")
		if err != nil {
			return reach.Units{}, err
		}
		return b.split(ctx, of+".test", archives, "", pkg)
	}, err
}

// noticeable is how many bytes the initialisers of a package may allocate more in one program than in another: the
// runtime first collects garbage when 4 MiB are in use, so this is half a percent of what is left.
const noticeable = 16 << 10

// Split splits a package of two programs. Both are started, so initialisers that panic are found. The error explains
// why the package cannot be split, or that its initialisers allocate so much more in one of the programs that they may
// collect garbage at other times.
func Split(ctx context.Context, a, b Binary, pkg string) (both [2]reach.Units, err error) {
	var bytes [2]int
	for i, one := range []Binary{a, b} {
		if both[i], err = one.Split(ctx, pkg); err != nil {
			return both, err
		}
		allocated, err := one.Allocated(ctx)
		if err != nil {
			return both, err
		}
		bytes[i] = allocated[pkg]
	}
	if n := bytes[0] - bytes[1]; max(n, -n) > noticeable {
		return both, fmt.Errorf("the initialisers of %s allocate %d bytes in one program and %d in the other", pkg,
			bytes[0], bytes[1])
	}
	return both, nil
}

// split compiles a package of a program with a main package, see mainOf. overlay is the file that shows go other files
// for this program, "" if there is no other than the request's.
func (b *building) split(
	ctx context.Context, of string, archives []reach.Archive, overlay, pkg string,
) (made reach.Units, err error) {
	found, err := b.compiled.list(ctx, b)
	if err != nil {
		return made, err
	}
	main, err := mainOf(found, of)
	if err != nil {
		return made, err
	}
	at := slices.IndexFunc(main.Deps, func(path string) bool { return plain(path) == pkg })
	if at < 0 || found[main.Deps[at]] == nil {
		return made, nil
	}
	k := found[main.Deps[at]]
	switch {
	case k.Standard && slices.Contains(reach.QuietStandard, pkg):
		return made, nil
	case k.Standard || len(k.CgoFiles) > 0:
		return made, fmt.Errorf("package %s cannot be split", pkg)
	}
	if made.Builtins, err = builtins(b.vars["GOROOT"]); err != nil {
		return made, err
	}
	source, err := readInitialisers(k, archives, b.vars["GOARCH"])
	if err != nil {
		return made, err
	}
	made.List = source.units
	if made.Archive, err = b.compileSplit(ctx, k, overlay, source); err != nil {
		return made, err
	}
	return made, nil
}

// compileSplit compiles a package with more functions in its files, and returns the archive.
func (b *building) compileSplit(
	ctx context.Context, k *compiled, overlay string, source *initialisers,
) (archive string, err error) {
	for _, flag := range b.flags {
		if file, ok := strings.CutPrefix(flag, "-overlay="); ok && overlay == "" {
			overlay = file
		}
	}
	seen, err := readOverlay(overlay)
	if err != nil {
		return "", unwritable(err)
	}
	dir := filepath.Join(b.Cache, "split", usercache.Key(b.tree.root, k.ImportPath, strings.Join(b.flags, "\n"),
		strings.Join(b.Env, "\n")))
	for file, text := range source.files {
		copied := filepath.Join(dir, filepath.Base(file))
		if err := put(copied, text); err != nil {
			return "", unwritable(err)
		}
		seen.Replace[file] = copied
	}
	file := filepath.Join(dir, "overlay.json")
	if err := seen.write(file); err != nil {
		return "", unwritable(err)
	}
	usercache.Touch(dir)
	last := []string{"-overlay=" + file, "--", k.ImportPath}
	if _, of, isVariant := strings.Cut(k.ImportPath, " ["); isVariant {
		last = []string{"-overlay=" + file, "-test", "--", strings.TrimSuffix(of, ".test]")}
	}
	found, err := b.listPackages(ctx, true, last...)
	if err != nil {
		return "", err
	}
	if found[k.ImportPath] == nil || found[k.ImportPath].Export == "" {
		return "", fmt.Errorf("go list names no archive of %s", k.ImportPath)
	}
	return found[k.ImportPath].Export, nil
}

// initialisers are the initialisers of the variables of a package.
type initialisers struct {
	units []reach.Unit
	files map[string][]byte // files of the package by path, with a function for each initialiser at their ends
}

// readInitialisers reads the source of a package. The initialisers are in the order of package go/types, which is that
// of the compiler.
func readInitialisers(k *compiled, archives []reach.Archive, arch string) (*initialisers, error) {
	all := &initialisers{files: map[string][]byte{}}
	set := token.NewFileSet()
	var trees []*ast.File
	for _, name := range k.GoFiles {
		file := name
		if !filepath.IsAbs(file) {
			file = filepath.Join(k.Dir, name)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		all.files[file] = text
		trees = append(trees, tree)
	}
	files := map[string]string{}
	for _, a := range archives {
		files[a.Path] = a.File
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{
		Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(files[path])
		}),
		Sizes: types.SizesFor("gc", arch),
	}
	if _, err := config.Check(plain(k.ImportPath), set, trees, info); err != nil {
		return nil, err
	}
	declared := map[ast.Expr]*ast.ValueSpec{}
	for _, tree := range trees {
		for _, d := range tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, value := range spec.(*ast.ValueSpec).Values {
						declared[value] = spec.(*ast.ValueSpec)
					}
				}
			}
		}
	}
	for i, one := range info.InitOrder {
		if err := all.add(set, i, one, declared[one.Rhs], info); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// add adds the function of an initialiser to the end of its file, where it sees the same imports. It has the lines of
// the initialiser.
func (all *initialisers) add(
	set *token.FileSet, i int, one *types.Initializer, spec *ast.ValueSpec, info *types.Info,
) error {
	if spec == nil {
		return errors.New("an initialiser without a declaration")
	}
	u := reach.Unit{Plain: isPlain(one.Rhs, info)}
	var left []string
	for _, v := range one.Lhs {
		left = append(left, v.Name())
		if v.Name() != "_" {
			u.Vars = append(u.Vars, v.Name())
		}
	}
	u.Function = reach.UnitPrefix + strings.Join(left, "_")
	if len(u.Vars) == 0 { // a blank has no name to be known by, so its place counts
		u.Function += strconv.Itoa(i)
	}
	from, to := set.PositionFor(one.Rhs.Pos(), false), set.PositionFor(one.Rhs.End(), false)
	source := all.files[from.Filename]
	text := strings.Join(left, ", ") + " = " + string(source[from.Offset:to.Offset])
	if len(u.Vars) == 0 && spec.Type != nil { // _ = nil needs its type
		of := source[set.PositionFor(spec.Type.Pos(), false).Offset:set.PositionFor(spec.Type.End(), false).Offset]
		text = "var _ " + string(of) + " = " + string(source[from.Offset:to.Offset])
	}
	shown := set.Position(one.Rhs.Pos())
	all.files[from.Filename] = fmt.Appendf(slices.Clip(source), "\n\nfunc %s() {\n//line %s:%d\n%s\n}\n", u.Function,
		shown.Filename, shown.Line, text)
	all.units = append(all.units, u)
	return nil
}

// isPlain reports whether an expression calls no function and receives from no channel: it computes a value, and
// changes nothing. Functions of the language that only make a value are none.
func isPlain(e ast.Expr, info *types.Info) bool {
	plain := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // a value, which is not called
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.ARROW
		case *ast.CallExpr:
			called := info.Types[n.Fun]
			name, _ := ast.Unparen(n.Fun).(*ast.Ident)
			plain = plain && (called.IsType() || info.Types[ast.Expr(n)].Value != nil ||
				called.IsBuiltin() && name != nil && slices.Contains(makers, name.Name))
		}
		return plain
	})
	return plain
}

// makers are the functions of the language that change nothing.
var makers = []string{"make", "new", "len", "cap", "min", "max", "complex", "real", "imag"}

// builtins lists the functions of the runtime that object files have numbers for, as the source of the toolchain has
// them.
func builtins(goroot string) (names []string, err error) {
	file := filepath.Join(goroot, "src", "cmd", "internal", "goobj", "builtinlist.go")
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		entry, ok := n.(*ast.CompositeLit)
		if !ok || len(entry.Elts) != 2 {
			return true
		}
		name, isName := entry.Elts[0].(*ast.BasicLit)
		if number, ok := entry.Elts[1].(*ast.BasicLit); isName && ok && name.Kind == token.STRING &&
			number.Kind == token.INT {
			text, _ := strconv.Unquote(name.Value)
			names = append(names, text)
		}
		return true
	})
	if len(names) == 0 {
		return nil, fmt.Errorf("no functions in %s", file)
	}
	return names, nil
}

// Allocated starts the binary, and returns how many bytes the initialisers of each package have allocated, by import
// path. Packages without initialisers are left out. The error explains why the binary does not start.
func (t *Test) Allocated(ctx context.Context) (map[string]int, error) {
	out, err := t.Run(ctx, patience, traced(), "-test.list=^$")
	if err == nil {
		err = out.Err
	}
	return allocations(out.Stderr), err
}

// Allocated is like Allocated of a test binary.
func (p *Program) Allocated(ctx context.Context) (map[string]int, error) {
	// It has no pipes, so it ends.
	out, err := Run(ctx, patience, Start{Path: p.Path, Args: []string{hostArgument}, Env: traced()})
	return allocations(out.Stderr), err
}

func traced() []string {
	setting := "GODEBUG=inittrace=1"
	if own := os.Getenv("GODEBUG"); own != "" {
		setting += "," + own
	}
	return []string{setting}
}

// initTrace is a line of GODEBUG=inittrace=1.
var initTrace = lazy.Regexp(`(?m)^init (\S+) @\S+ ms, \S+ ms clock, (\d+) bytes, \d+ allocs$`)

func allocations(text string) map[string]int {
	all := map[string]int{}
	for _, m := range initTrace().FindAllStringSubmatch(text, -1) {
		all[m[1]], _ = strconv.Atoi(m[2])
	}
	return all
}
