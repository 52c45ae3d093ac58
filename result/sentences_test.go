package result_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/gosource"
)

// sentences are the fields that hold words for a reader, and expressions of suite files.
var sentences = []string{"Reason", "Message", "Hint", "Detail", "Rule", "Expr"}

// searches are functions that look for something in a text, by package or by method.
var searches = map[string]bool{
	"strings.Contains": true, "strings.ContainsAny": true, "strings.HasPrefix": true, "strings.HasSuffix": true, "strings.Index": true, "strings.Cut": true,
	"strings.CutPrefix": true, "strings.CutSuffix": true, "strings.Split": true, "strings.Fields": true, "strings.EqualFold": true,
	"MatchString": true, "FindString": true, "FindStringSubmatch": true, "FindStringIndex": true, "FindAllString": true, "FindAllStringSubmatch": true,
}

// allowed are the places, by name of the file and field, that search in words which have no other form.
var allowed = map[string]string{
	"problem.go: Message": "what expr-lang reports is words alone",
	"output.go: Message":  "what the go command prints is words alone",
	"crash.go: Detail":    "the standard error of a host that died",
	"explain.go: Message": "of a host: its failures have no field for what is missing",
	"service.go: Message": "of a host: its failures have no field for what is missing",
	"failure.go: Message": "so that the end of a process is not printed twice",
	"builder.go: Expr":    "a list that YAML has cut has no tree",
	"function.go: Expr":   "an expression with a fault has no tree",
	"source.go: Expr":     "gates about other cases are left out before anything is compiled",
}

// searched returns the searches in the sentences of a file, as "field at line".
func searched(file *ast.File, set *token.FileSet) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		function, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := function.Sel.Name
		if from, isPackage := function.X.(*ast.Ident); isPackage && from.Name == "strings" {
			name = "strings." + name
		}
		if !searches[name] || len(call.Args) == 0 {
			return true
		}
		ast.Inspect(call.Args[0], func(n ast.Node) bool {
			if field, ok := n.(*ast.SelectorExpr); ok && slices.Contains(sentences, field.Sel.Name) {
				found = append(found, fmt.Sprintf("%s at line %d", field.Sel.Name, set.Position(field.Pos()).Line))
			}
			return true
		})
		return true
	})
	return found
}

// Words are for people: no code searches in a sentence that other code wrote. What it needs
// is a field of its own, such as Cause, Reads or Values.
func TestNobodySearchesInSentences(t *testing.T) {
	used := map[string]bool{}
	for _, name := range gosource.Paths(t, false) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, gosource.Text(t, name), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, where := range searched(file, set) {
			field, _, _ := strings.Cut(where, " ")
			key := path.Base(name) + ": " + field // so that a file can move
			used[key] = true
			if allowed[key] == "" {
				t.Errorf("%s searches in %s: give what it looks for a field", name, where)
			}
		}
	}
	for key := range allowed {
		if !used[key] {
			t.Errorf("%s is allowed and not there: take it out of the list", key)
		}
	}
}

// A search that is planted is found, and what only prints a sentence is not.
func TestAPlantedSearchIsFound(t *testing.T) {
	const source = `package p
func f(g *Gate, p Problem) {
	_ = strings.Contains(g.Reason, "unfit")
	_ = strings.HasPrefix(clean(p.Message), "unknown name ")
	_ = compares().MatchString(g.Expr)
	_ = strings.Contains(name, g.Reason)
	_ = fmt.Sprint(g.Reason) + strings.TrimSpace(p.Hint)
}`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(searched(file, set), ", "), "Reason at line 3, Message at line 4, Expr at line 5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
