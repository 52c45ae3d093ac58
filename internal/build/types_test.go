package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/reach"
)

func TestNotedTypes(t *testing.T) {
	const text = `package x

func f() {
	a := t.Elem()
	b := (*ptrType)(unsafe.Pointer(v.typ())).Elem
	pp.Elem, n = b, 1
	pp.Elem.n = tt.Elem.Size() + t.Elem().Elem().n
	c := abi.TypeFor[T]()
	TypeFor[T]()
	elem := elem(t)
	if p.Elem != q {
	}
	d := t.t.Uncommon()
	e := len(toRType(v.typ()).NumMethod()) + ptr.Elem.Uncommon().n
}
`
	const want = `package x

func f() {
	a := suiteElement(t.Elem())
	b := suiteElement((*ptrType)(unsafe.Pointer(v.typ())).Elem)
	pp.Elem, n = b, 1
	suiteElement(pp.Elem).n = suiteElement(tt.Elem).Size() + suiteElement(suiteElement(t.Elem()).Elem()).n
	c := suiteElement(abi.TypeFor[T]())
	TypeFor[T]()
	elem := elem(t)
	if suiteElement(p.Elem) != q {
	}
	d := suiteLooked(t.t.Uncommon(), t.t)
	e := len(suiteLooked(toRType(v.typ()).NumMethod(), toRType(v.typ()))) + suiteLooked(suiteElement(ptr.Elem).Uncommon(), ptr.Elem).n
}
`
	got, err := noteTypes([]byte(text))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	for _, unknown := range []string{"package x\n\nvar a = &p.Elem\n", "package x\n\nvar a = p.(\n", "package x\n\nvar a = p.Uncommon\n"} {
		if _, err := noteTypes([]byte(unknown)); err == nil {
			t.Errorf("no error: %s", unknown)
		}
	}
}

// TestTypesOfTheToolchain finds each use of the type of elements, or of methods, in the packages of this toolchain that look at types,
// and whether it is noted.
func TestTypesOfTheToolchain(t *testing.T) {
	out, err := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export"}, reach.Lookers...)...).Output()
	if err != nil {
		t.Skip(err)
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	all := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var l listed
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		all[l.ImportPath] = l
	}
	for _, pkg := range reach.Lookers {
		set := token.NewFileSet()
		var trees []*ast.File
		noted := map[string][]byte{}
		for _, name := range all[pkg].GoFiles {
			file := filepath.Join(all[pkg].Dir, name)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if noted[file], err = noteTypes(text); err != nil {
				t.Error(err)
			}
			tree, err := parser.ParseFile(set, file, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(all[path].Export)
		})}
		if _, err := config.Check(pkg, set, trees, info); err != nil {
			t.Fatal(err)
		}
		elements, methods := map[string]int{}, map[string]int{} // by file and line
		for id, of := range info.Uses {
			if of.Pkg() == nil || of.Pkg().Path() != "internal/abi" {
				continue
			}
			at := set.Position(id.Pos())
			key := fmt.Sprintf("%s:%d", at.Filename, at.Line)
			switch of.Name() {
			case "Elem", "TypeFor":
				elements[key]++
			case "Uncommon", "ExportedMethods", "NumMethod":
				methods[key]++
			}
		}
		for function, lines := range map[string]map[string]int{"suiteElement(": elements, "suiteLooked(": methods} {
			for at, n := range lines {
				file, line := at[:strings.LastIndexByte(at, ':')], 0
				_, _ = fmt.Sscan(at[len(file)+1:], &line)
				text := string(bytes.Split(noted[file], []byte("\n"))[line-1])
				assigns := regexp.MustCompile(`^\s*\w+\.Elem = `).MatchString(text)
				if !assigns && strings.Count(text, function) < n {
					t.Errorf("%s: not noted: %s", at, text)
				}
			}
			if len(lines) < 5 {
				t.Errorf("package %s has %d places for %s", pkg, len(lines), function)
			}
		}
	}
}

// TestFollowersOfTheToolchain finds the packages of this toolchain that know the descriptors of pointers and slices. The
// runtime follows them for values that exist, unique for one that it is given; arena is known to make values.
func TestFollowersOfTheToolchain(t *testing.T) {
	known := append([]string{"internal/abi", "runtime", "unique"}, reach.Lookers...)
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	root, knows := filepath.Join(strings.TrimSpace(string(out)), "src"), regexp.MustCompile(`\babi\.(PtrType|SliceType|TypeFor)\b`)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "cmd" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		pkg, _ := filepath.Rel(root, filepath.Dir(path))
		if knows.Match(text) && !slices.Contains(known, filepath.ToSlash(pkg)) {
			t.Errorf("package %s knows descriptors of pointers and slices", pkg)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
