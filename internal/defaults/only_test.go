package defaults

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/gosource"
)

// values by the word that the name of a second default would end with.
var values = map[string]float64{"family": Family, "tolerance": Tolerance, "floor": Floor, "confidence": Confidence}

// fallbacks returns the places of a file at which a name that ends with one of the words,
// a constant, a variable or a field, is given the value of the default as a number.
func fallbacks(name, text string) (found []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	pair := func(name, value ast.Expr) {
		id, isName := name.(*ast.Ident)
		if selector, isSelector := name.(*ast.SelectorExpr); isSelector {
			id, isName = selector.Sel, true
		}
		number, isNumber := value.(*ast.BasicLit)
		if !isName || !isNumber {
			return
		}
		x, err := strconv.ParseFloat(number.Value, 64)
		for word, standard := range values {
			if err == nil && x == standard && strings.HasSuffix(strings.ToLower(id.Name), word) {
				found = append(found, fmt.Sprintf("%s: %s is %s", set.Position(id.Pos()), id.Name, number.Value))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i := range min(len(n.Names), len(n.Values)) {
				pair(n.Names[i], n.Values[i])
			}
		case *ast.AssignStmt:
			for i := range min(len(n.Lhs), len(n.Rhs)) {
				pair(n.Lhs[i], n.Rhs[i])
			}
		case *ast.KeyValueExpr:
			pair(n.Key, n.Value)
		}
		return true
	})
	return found, nil
}

// elsewhere are folders with code that is only part of tests, and the list itself.
var elsewhere = []string{"report/reporttest/", "internal/defaults/"}

func TestThereIsOneListOfDefaults(t *testing.T) {
	for _, path := range gosource.Paths(t, false) {
		if slices.ContainsFunc(elsewhere, func(folder string) bool { return strings.HasPrefix(path, folder) }) {
			continue
		}
		found, err := fallbacks(path, gosource.Text(t, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range found {
			t.Errorf("%s: take it from internal/defaults", place)
		}
	}
}

// The forms in which defaults once stood in several packages are found.
func TestASecondDefaultIsFound(t *testing.T) {
	for _, planted := range []string{
		"const usualTolerance = 0.03",
		"const DefaultFamily = 0.01",
		"const (\n\tother = 1\n\tfloor = 2e-2\n)",
		"var d = Settings{Confidence: 0.95}",
		"func f(s *Settings) { s.Tolerance = 0.03 }",
		"func f() { confidence := 0.95; _ = confidence }",
	} {
		if found, err := fallbacks("a.go", "package a\n\n"+planted+"\n"); err != nil || len(found) != 1 {
			t.Errorf("%s: found %v, %v", planted, found, err)
		}
	}
	if found, err := fallbacks("a.go", "package a\n\nconst memoryShare, family = 0.01, 0.5\n"); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
}
