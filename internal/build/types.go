package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
)

// A binary with coverage records which types package reflect gets as those of the elements of others, and at the methods
// of which types it looks: each expression in reach.Lookers that may be such a type is passed through suiteElement, and
// what may be the methods of one through suiteLooked. These set an entry in tables of internal/unsafeheader, a package
// that the two import, and not the runtime. The tables are written to the end of the coverage profile.
//
// Go covers files as they are, and not those that an overlay shows in their place, so reach.Lookers are not covered.

// notes is a file of a package of reach.Lookers, after its package clause. A type is given by itself or by its address,
// which may have one of several kinds. Of others it is not known what they are.
const notes = `

import (
	"internal/abi"
	"internal/unsafeheader"
	"unsafe"
)

//go:norace
func suiteElement[T any](e T) T {
	if _, isType := any((*T)(nil)).(**abi.Type); isType {
		if t := *(**abi.Type)(unsafe.Pointer(&e)); t != nil {
			unsafeheader.SuiteFollowed[t.Hash%%uint32(len(unsafeheader.SuiteFollowed))] = true
		}
	}
	return e
}

//go:norace
func suiteLooked[R, T any](r R, x T) R {
	var t *abi.Type
	switch any((*T)(nil)).(type) {
	case *abi.Type:
		t = (*abi.Type)(unsafe.Pointer(&x))
	case **abi.Type, **interfaceType, %s:
		t = *(**abi.Type)(unsafe.Pointer(&x))
	case *Value, *Type, **uncommonType: // they ask a type, or belong to one that was asked
		return r
	}
	if t == nil {
		unsafeheader.SuiteUnknown = true
		return r
	}
	unsafeheader.SuiteLooked[t.Hash%%uint32(len(unsafeheader.SuiteLooked))] = true
	return r
}
`

// addresses are more kinds in which packages have the address of a type.
var addresses = map[string]string{"internal/reflectlite": "*rtype", "reflect": "**rtype, **ptrType"}

// tables and writesTables are files of the packages that have the tables, and that write coverage.
const (
	tables = `package unsafeheader

// They have an entry for the ends of hashes.
var SuiteFollowed, SuiteLooked [%d]bool

var SuiteUnknown bool
`
	writesTables = `package cfile

import (
	"fmt"
	"internal/unsafeheader"
	"os"
	"strings"
)

func suiteRecorded(profile *os.File, err error) error {
	if unsafeheader.SuiteUnknown || err != nil {
		return err
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "%s %%d\n", len(unsafeheader.SuiteFollowed))
	for i := range unsafeheader.SuiteFollowed {
		if unsafeheader.SuiteFollowed[i] {
			fmt.Fprintf(&lines, "%s %%d\n", i)
		}
		if unsafeheader.SuiteLooked[i] {
			fmt.Fprintf(&lines, "%s %%d\n", i)
		}
	}
	_, err = profile.WriteString(lines.String())
	return err
}
`
)

// writesProfile matches how package cfile writes a coverage profile.
var writesProfile = lazy.Regexp(`\bts\.cf\.EmitTextual\((?:selpkgs, )?tf\)`)

// recordTypes returns the last arguments of a command that builds a binary with coverage, with an overlay by which it
// records at which types package reflect looks. If the toolchain is not as it is known, go reads its own files, and that
// is not known.
func recordTypes(b *building, last []string) ([]string, error) {
	seen, shown, err := shownBy(b, last)
	if err != nil {
		return nil, err
	}
	source := filepath.Join(goroot(b), "src")
	files := map[string][]byte{ // by the path of the package and their names
		"internal/unsafeheader/suite.go": fmt.Appendf(nil, tables, reach.TypesRecorded),
		"internal/coverage/cfile/suite.go": fmt.Appendf(nil, writesTables, reach.RecordedMark, reach.FollowedMark,
			reach.LookedMark),
	}
	const writer = "internal/coverage/cfile/testsupport.go"
	own, err := seen.read(filepath.Join(source, filepath.FromSlash(writer)))
	if err != nil || len(writesProfile().FindAll(own, -1)) != 1 {
		return last, nil
	}
	files[writer] = writesProfile().ReplaceAll(own, []byte("suiteRecorded(tf, $0)"))
	for _, pkg := range reach.Lookers {
		folder := filepath.Join(source, filepath.FromSlash(pkg))
		found, err := os.ReadDir(folder)
		if err != nil {
			return last, nil
		}
		files[pkg+"/suite.go"] = fmt.Appendf([]byte("package "+path.Base(pkg)), notes, addresses[pkg])
		for _, f := range found {
			if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			own, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				return last, nil
			}
			if files[pkg+"/"+f.Name()], err = noteTypes(own); err != nil {
				return last, nil
			}
		}
	}
	dir := filepath.Join(b.Cache, "testing", usercache.Key("types", source, shown))
	for name, text := range files {
		copied := filepath.Join(dir, filepath.FromSlash(name))
		if err := put(copied, text); err != nil {
			return nil, err
		}
		seen.Replace[filepath.Join(source, filepath.FromSlash(name))] = copied
	}
	usercache.Touch(dir)
	file := filepath.Join(dir, "overlay.json")
	args := []string{"-overlay=" + file}
	for _, arg := range last {
		if !strings.HasPrefix(arg, "-overlay=") {
			args = append(args, arg)
		}
	}
	return args, seen.write(file)
}

// shownBy returns the files that the arguments of a command show go in place of others, and the name of their list.
func shownBy(b *building, last []string) (seen overlay, list string, err error) {
	for _, flag := range slices.Concat(b.flags, last) {
		if file, ok := strings.CutPrefix(flag, "-overlay="); ok {
			list = file
		}
	}
	seen, err = readOverlay(list)
	return seen, list, err
}

// goroot is the folder of the toolchain under the name by which go is run, see apart.
func goroot(b *building) string {
	root := b.vars["GOROOT"]
	for _, entry := range b.tool.env {
		if link, ok := strings.CutPrefix(entry, "GOROOT="); ok {
			root = link
		}
	}
	return root
}

// noteTypes passes each expression of a file through suiteElement that may be the type of elements: all fields Elem, all
// that methods Elem return, and all that abi.TypeFor returns. What may have read the methods of a type goes through
// suiteLooked. No lines are moved. The error explains what is not known of the file.
func noteTypes(text []byte) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	source := func(e ast.Expr) string {
		return string(text[set.Position(e.Pos()).Offset:set.Position(e.End()).Offset])
	}
	type edit struct {
		at   int
		text string
	}
	var edits []edit
	pass := func(e ast.Expr, begin, end string) {
		// What is within e comes later and begins at the same place: it is put there before.
		edits = append([]edit{{set.Position(e.End()).Offset, end}}, edits...)
		edits = append([]edit{{set.Position(e.Pos()).Offset, begin}}, edits...)
	}
	done := map[ast.Expr]bool{} // what is called, or assigned to
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				done[left] = true
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && isElement(n.X) {
				err = fmt.Errorf("%s: the address of a type of elements", set.Position(n.Pos()))
			}
		case *ast.CallExpr:
			done[n.Fun] = true
			if isElement(n.Fun) {
				pass(n, "suiteElement(", ")")
			} else if of := looksAt(n.Fun); of != nil {
				pass(n, "suiteLooked(", ", "+source(of)+")")
			}
		case *ast.SelectorExpr:
			if isElement(n) && !done[n] {
				pass(n, "suiteElement(", ")")
			} else if looksAt(n) != nil && !done[n] {
				err = fmt.Errorf("%s: a function that looks at methods is no call", set.Position(n.Pos()))
			}
		}
		return true
	})
	slices.SortStableFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		text = slices.Concat(text[:e.at], []byte(e.text), text[e.at:])
	}
	return text, err
}

// isElement reports whether an expression is a field or a method Elem, or abi.TypeFor with its argument.
func isElement(e ast.Expr) bool {
	if index, ok := e.(*ast.IndexExpr); ok {
		of, ok := index.X.(*ast.SelectorExpr)
		return ok && of.Sel.Name == "TypeFor"
	}
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Elem"
}

// looksAt returns what an expression selects a method of that reads the methods of types, nil if it does not.
func looksAt(e ast.Expr) ast.Expr {
	if s, ok := e.(*ast.SelectorExpr); ok &&
		slices.Contains([]string{"Uncommon", "ExportedMethods", "NumMethod"}, s.Sel.Name) {
		return s.X
	}
	return nil
}
