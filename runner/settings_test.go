package runner

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// notStated are the settings that a result states elsewhere.
var notStated = map[string]string{
	"Tolerance": "it is in the expression of its gate",
}

// Every setting is in the result, and either hosts receive it or the runner reads it. A field that is forgotten on the way has no effect.
func TestSettingsReachTheResultAndTheHosts(t *testing.T) {
	read := selectorsOf(t, ".", "target", "sample", "review")
	fields := reflect.TypeFor[spec.Settings]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		other := spec.Defaults()
		change(t, name, reflect.ValueOf(&other).Elem().Field(i))
		isStated, isSent := false, false
		for _, kind := range []result.Kind{result.KindGo, result.KindCommand, result.KindGoTest} {
			usual, changed := trackWith(kind, spec.Defaults()), trackWith(kind, other)
			isStated = isStated || !reflect.DeepEqual(usual.result.Settings, changed.result.Settings)
			isSent = isSent || asJSON(t, usual.own.request()) != asJSON(t, changed.own.request())
		}
		if isStated == (notStated[name] != "") {
			t.Errorf("%s is stated in the result: %t", name, isStated)
		}
		if !isSent && !read[name] && notStated[name] == "" {
			t.Errorf("%s reaches no host, and package runner does not read it", name)
		}
	}
}

// change sets a setting to another value.
func change(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch {
	case v.Type() == reflect.TypeFor[spec.Benchtime]():
		v.Set(reflect.ValueOf(spec.Benchtime{N: 7}))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() + 5)
	case v.CanFloat():
		v.SetFloat(v.Float() + 0.01)
	case v.Kind() == reflect.String:
		v.SetString("other")
	default:
		t.Fatalf("%s has the type %s, which this test does not know", name, v.Type())
	}
}

func trackWith(kind result.Kind, s spec.Settings) *track {
	c := &spec.Case{Name: "x", Kind: kind, Function: "f", Argv: []string{"true"}, Unit: "op", Work: 1, Settings: s}
	if kind == result.KindGoTest {
		c.GoTest = &spec.GoTest{Pattern: "./p", Package: "m/p", Benchmark: "BenchmarkX", Dir: "/p", Program: "/x"}
	}
	return newTrack(&spec.Plan{Suite: "test"}, c)
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func selectorsOf(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	var files []string
	for _, folder := range folders {
		more, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(more) == 0 {
			t.Fatalf("%s has %d files, error %v", folder, len(more), err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				names[s.Sel.Name] = true
			}
			return true
		})
	}
	return names
}
