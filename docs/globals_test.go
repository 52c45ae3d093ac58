package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/gosource"
	"example.com/suite/internal/testfile"
)

// CONTRIBUTING.md lists the packages whose package-level variables change.
func TestGlobalsAreListed(t *testing.T) {
	text := testfile.Read(t, filepath.Join(root, "CONTRIBUTING.md"))
	item := regexp.MustCompile(`(?s)The package-level variables that change are.*?\. The`).FindString(strings.Join(strings.Fields(string(text)), " "))
	var listed []string
	for _, m := range regexp.MustCompile("`([a-z/]+)`").FindAllStringSubmatch(item, -1) {
		listed = append(listed, m[1])
	}
	packages := map[string][]*ast.File{}
	set := token.NewFileSet()
	for _, file := range gosource.Paths(t, false) {
		parsed, err := parser.ParseFile(set, file, gosource.Text(t, file), 0)
		if err != nil {
			t.Fatal(err)
		}
		packages[path.Dir(file)] = append(packages[path.Dir(file)], parsed)
	}
	for folder, files := range packages {
		if name := changedGlobal(files); name != "" && !slices.Contains(listed, folder) {
			t.Errorf("%s changes its variable %s, and is not in the list of CONTRIBUTING.md: %q", folder, name, listed)
		}
	}
	for _, folder := range listed {
		if folder != "bench" && folder != "peg" && changedGlobal(packages[folder]) == "" { // bench fills internal/benchcase; the registry of peg is a pointer
			t.Errorf("%s changes no package-level variable, and is in the list of CONTRIBUTING.md", folder)
		}
	}
}

// changedGlobal names a package-level variable, or a part of one, to which a function assigns. It is
// "" if there is none.
func changedGlobal(files []*ast.File) (found string) {
	globals := map[string]*ast.ValueSpec{}
	for _, file := range files {
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						globals[name.Name] = spec.(*ast.ValueSpec)
					}
				}
			}
		}
	}
	delete(globals, "_")
	visit := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.Ident: // the parser knows the declarations of the same file, local ones too
				if spec := globals[x.Name]; spec != nil && (x.Obj == nil || x.Obj.Decl == any(spec)) {
					found = x.Name
				}
				return
			default:
				return
			}
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			if _, ok := decl.(*ast.FuncDecl); !ok {
				continue // what a function of an initial value does is done once
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				switch s := n.(type) {
				case *ast.AssignStmt:
					for _, to := range s.Lhs {
						if s.Tok != token.DEFINE {
							visit(to)
						}
					}
				case *ast.IncDecStmt:
					visit(s.X)
				}
				return true
			})
		}
	}
	return found
}
