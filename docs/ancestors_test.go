// Package docs_test keeps the documents of this folder true.
package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/gosource"
	"example.com/suite/internal/testfile"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// root is the folder of the module, seen from this one.
const root = ".."

// row of a table: id, there, here, tests.
type row struct {
	line  int
	cells []string
}

// rows of all tables of a document whose first cell is an id such as M01.
func rows(t *testing.T, path string) (all []row) {
	t.Helper()
	text := testfile.Read(t, path)
	for i, line := range strings.Split(string(text), "\n") {
		line, isRow := strings.CutPrefix(line, "| ")
		cells := strings.Split(strings.TrimSuffix(line, " |"), " | ")
		if isRow && cells[0] != "id" {
			all = append(all, row{i + 1, cells})
		}
	}
	return all
}

// ids in order, of each kind so many.
func ids(kind, format string, count int) (all []string) {
	for i := range count {
		all = append(all, fmt.Sprintf(kind+format, i+1))
	}
	return all
}

func TestEveryFeatureOfTheAncestorsHasARow(t *testing.T) {
	want := slices.Concat(ids("M", "%02d", 43), ids("B", "%02d", 18), ids("T", "%02d", 25),
		ids("L", "%d", 12), ids("U", "%d", 12), ids("P", "%d", 11), ids("D", "%d", 6))
	var got []string
	for _, r := range rows(t, "evidence/ancestors.md") {
		got = append(got, r.cells[0])
		if len(r.cells) != 4 || slices.Contains(r.cells, "") {
			t.Errorf("line %d has %d cells, want four that are not empty", r.line, len(r.cells))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows are %v, want %v", got, want)
	}
}

// word is what stands between backquotes.
var (
	word     = regexp.MustCompile("`([^`]+)`")
	testCell = regexp.MustCompile("^`[^`]+`(, `[^`]+`)*$")
)

func words(cell string) (all []string) {
	for _, m := range word.FindAllStringSubmatch(cell, -1) {
		all = append(all, m[1])
	}
	return all
}

func TestEveryTestThatIsNamedExists(t *testing.T) {
	d := declarations{}
	for _, r := range rows(t, "evidence/ancestors.md") {
		d.hold(t, r)
	}
}

// hold checks that the tests in the last cell of a row exist.
func (d declarations) hold(t *testing.T, r row) {
	t.Helper()
	cell := r.cells[len(r.cells)-1]
	if !testCell.MatchString(cell) {
		t.Errorf("line %d: the tests %s are not written as `folder: name`, `folder: name`", r.line, cell)
	}
	for _, w := range words(cell) {
		folder, name, _ := strings.Cut(w, ": ")
		if !d.isTest(t, folder, name) {
			t.Errorf("line %d: there is no %s", r.line, w)
		}
	}
}

// held gives the ids of a document whose rows have so many cells, an exit status in the
// last but one and tests in the last.
func held(t *testing.T, path string, cells int) (seen []string) {
	t.Helper()
	d := declarations{}
	for _, r := range rows(t, path) {
		if r.cells[0] == "--" {
			continue
		}
		if len(r.cells) != cells || slices.Contains(r.cells, "") {
			t.Errorf("line %d has %d cells, want %d that are not empty", r.line, len(r.cells), cells)
			continue
		}
		if at := r.cells[cells-2]; !exits.MatchString(at) {
			t.Errorf("line %d: %q are no exit statuses", r.line, at)
		}
		d.hold(t, r)
		seen = append(seen, r.cells[0])
	}
	return seen
}

func (d declarations) isTest(t *testing.T, folder, name string) bool {
	if script, ok := strings.CutPrefix(name, "testdata/"); ok {
		text, err := os.ReadFile(filepath.Join(root, folder, "testdata", script))
		return folder == "cmd/suite" && err == nil && len(text) > 0
	}
	return regexp.MustCompile("^(Test|Fuzz|Example|Benchmark)").MatchString(name) && d.of(t, folder, true)[name]
}

func TestEveryWordOfTheAncestorsExists(t *testing.T) {
	known := vocabulary(t)
	for _, r := range rows(t, "evidence/ancestors.md") {
		for _, w := range words(r.cells[2]) {
			if problem := known.check(t, w); problem != "" {
				t.Errorf("line %d: `%s`: %s", r.line, w, problem)
			}
		}
	}
}

// known words of suite.
type known struct {
	keys, subtimers []string
	commands        string // the sources of the command line
	variables       string // the sources of all who read the environment
	d               declarations
}

func vocabulary(t *testing.T) known {
	return known{
		keys:      slices.Concat(spec.SuiteKeys(), spec.BenchmarkKeys(), spec.TimerKeys(), spec.SamplesKeys(), spec.RejectKeys(), spec.GateKeys()),
		subtimers: append(timer.Names(timer.KindClock), timer.Names(timer.KindCycle)...),
		commands:  sources(t, "cmd/suite"), variables: sources(t, "spec") + sources(t, "host") + sources(t, "peg"), d: declarations{},
	}
}

var (
	goName   = regexp.MustCompile(`^([a-z]+)((\.[A-Z]\w*)+)$`)
	key      = regexp.MustCompile(`([a-z_]+):`)
	command  = regexp.MustCompile(`^suite ([a-z]+)$`)
	flag     = regexp.MustCompile(`^--([a-z-]+)$`)
	variable = regexp.MustCompile(`^(SUITE_[A-Z_]+)(=.*)?$`)
)

// check says what is wrong with a word of the column "here".
func (k known) check(t *testing.T, w string) string {
	missing := func(ok bool, what string) string {
		if ok {
			return ""
		}
		return "there is no such " + what
	}
	switch {
	case slices.Contains(k.subtimers, w) || w == "clock=wall cycle=null":
		return ""
	case goName.MatchString(w):
		m := goName.FindStringSubmatch(w)
		return missing(k.d.of(t, m[1], false)[m[2][1:]], "name in package "+m[1])
	case command.MatchString(w):
		return missing(strings.Contains(k.commands, `Use: "`+command.FindStringSubmatch(w)[1]), "command")
	case flag.MatchString(w):
		return missing(strings.Contains(k.commands, `"`+flag.FindStringSubmatch(w)[1]+`"`), "flag")
	case variable.MatchString(w):
		return missing(strings.Contains(k.variables, `"`+variable.FindStringSubmatch(w)[1]+`"`), "variable")
	}
	found := key.FindAllStringSubmatch(w, -1)
	for _, m := range found {
		if !slices.Contains(k.keys, m[1]) {
			return "there is no key " + m[1]
		}
	}
	return missing(found != nil, "key, Go name, subtimer, command, flag or variable")
}

// sources are the texts of a folder, without tests.
func sources(t *testing.T, folder string) (all string) {
	for _, path := range goFiles(t, folder, false) {
		text := testfile.Read(t, path)
		all += string(text)
	}
	return all
}

// goFiles returns the Go files of a package and of the packages in its folder, for all
// systems: test files or the others. The package is named by its path from the root
// ("cmd/suite"), or by the last folder of it ("host").
func goFiles(t *testing.T, name string, tests bool) (paths []string) {
	t.Helper()
	for _, path := range gosource.Paths(t, tests) {
		if strings.Contains("/"+path, "/"+name+"/") {
			paths = append(paths, filepath.Join(root, path))
		}
	}
	if len(paths) == 0 {
		t.Errorf("package %q has no Go files", name)
	}
	return paths
}

// declarations of folders, each read once: T, F and T.M of methods and fields.
type declarations map[string]map[string]bool

func (d declarations) of(t *testing.T, folder string, tests bool) map[string]bool {
	t.Helper()
	id := fmt.Sprint(folder, tests)
	if d[id] != nil {
		return d[id]
	}
	d[id] = map[string]bool{}
	for _, name := range goFiles(t, folder, tests) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if !tests && file.Name.Name != path.Base(folder) {
			continue // peg.Other is not in package peg/pegfile
		}
		for _, decl := range file.Decls {
			declare(d[id], decl)
		}
	}
	return d[id]
}

func declare(names map[string]bool, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		names[receiver(decl)+decl.Name.Name] = true
	case *ast.GenDecl:
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names[name.Name] = true
				}
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				members(names, s)
			}
		}
	}
}

// receiver is "T." for methods of T and *T, empty for functions.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return name.Name + "."
	}
	return "?." // of a type with parameters
}

// members are the fields of a struct and the methods of an interface.
func members(names map[string]bool, s *ast.TypeSpec) {
	var list *ast.FieldList
	switch kind := s.Type.(type) {
	case *ast.StructType:
		list = kind.Fields
	case *ast.InterfaceType:
		list = kind.Methods
	default:
		return
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			names[s.Name.Name+"."+name.Name] = true
		}
	}
}
