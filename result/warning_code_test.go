package result_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// The schema allows the codes of the list and no others, in the same order.
func TestSchemaHasEveryWarningCode(t *testing.T) {
	data := testfile.Read(t, schemaFile)
	var schema struct {
		Defs struct {
			Warning struct {
				Properties struct {
					Code struct {
						Enum []result.WarningCode `json:"enum"`
					} `json:"code"`
				} `json:"properties"`
			} `json:"warning"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(result.WarningCodes(), schema.Defs.Warning.Properties.Code.Enum); diff != "" {
		t.Errorf("-list +schema:\n%s", diff)
	}
}

// A constant that the list lacks would be refused by the schema.
func TestEveryWarningCodeIsListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "warning_code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed := result.WarningCodes()
	constants := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type == nil {
			return true
		}
		constants++
		code := literal(spec.Values[0])
		if !slices.Contains(listed, result.WarningCode(code)) {
			t.Errorf("%s, %q, is not in the list", spec.Names[0], code)
		}
		return true
	})
	if constants != len(listed) {
		t.Errorf("%d constants, and %d codes in the list", constants, len(listed))
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(listed))); len(distinct) != len(listed) {
		t.Errorf("%d codes, of which %d are different", len(listed), len(distinct))
	}
}

// Whoever makes a warning, or looks for one, names a constant.
func TestWarningCodesAreNoLiterals(t *testing.T) {
	fileset := token.NewFileSet()
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(fileset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		ast.Inspect(file, func(n ast.Node) bool {
			code := codeOf(n)
			if literal(code) != "" {
				t.Errorf("%s: %s is a literal", fileset.Position(code.Pos()), literal(code))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("only %d files were read", files)
	}
}

// codeOf returns the expression of a code in the ways in which a warning is made or looked
// for: Code: x, w.Code == x, t.warn(x, …). It is nil for any other node.
func codeOf(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
			return n.Value
		}
	case *ast.BinaryExpr:
		if field, ok := n.X.(*ast.SelectorExpr); ok && field.Sel.Name == "Code" {
			return n.Y
		}
	case *ast.CallExpr:
		method, ok := n.Fun.(*ast.SelectorExpr)
		makers := []string{"warn", "warnOnce", "doubt", "lacks", "Warning"}
		if ok && slices.Contains(makers, method.Sel.Name) && len(n.Args) > 1 {
			return n.Args[0]
		}
	}
	return nil
}

// literal is the text of a string literal, "" for any other expression.
func literal(e ast.Expr) string {
	basic, ok := e.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(basic.Value) // the parser has accepted it
	return text
}
