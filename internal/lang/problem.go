package lang

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
)

// problem places a message at a character of the expression.
func (c *compilation) problem(at int, message, hint string) error {
	return c.whole.Problem(c.base+at, message, hint)
}

// typeProblem translates an error of expr-lang's type checker.
func (c *compilation) typeProblem(root ast.Node, err error) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return c.problem(0, plain(err.Error()), "")
	}
	switch {
	case strings.HasPrefix(e.Message, "unknown name "):
		return c.unknown(e.From, strings.TrimPrefix(e.Message, "unknown name "))
	case strings.Contains(e.Message, "has no field"), strings.Contains(e.Message, "has no method"),
		strings.HasPrefix(e.Message, "unknown field"):
		if m := findMember(root, e.From); m != nil {
			return c.unknownField(m, e.From)
		}
	case strings.HasSuffix(e.Message, "is not callable"):
		return c.problem(e.From, fmt.Sprintf("%q is not a function", c.words(e.From, e.To)), "")
	}
	message := plain(e.Message)
	return c.fault(e.From, typeFault(message), message, "")
}

// unknown answers a name that the language does not have.
func (c *compilation) unknown(at int, name string) error {
	known := append(names(reflect.TypeOf(c.env), c.env), c.options.Builtins...)
	known = append(known, "duration", "size")
	f, hint := Fault{Kind: UnknownName, Name: name}, c.hint
	if near, ok := diag.Nearest(name, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if hint == "" {
		f.Listed = true
		slices.Sort(known)
		hint = "known names: " + strings.Join(slices.Compact(known), ", ")
	}
	return c.fault(at, f, fmt.Sprintf("unknown name %q", name), hint)
}

func (c *compilation) unknownField(m *ast.MemberNode, at int) error {
	name := m.Property.(*ast.StringNode).Value
	base := c.source(m.Node)
	if id, ok := m.Node.(*ast.IdentifierNode); ok {
		base = id.Value
	}
	known := names(m.Node.Type(), nil)
	if env, ok := c.env.(types.Map); ok {
		known = mapNames(env[base])
	}
	hint := ""
	if near, ok := diag.Nearest(name, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if len(known) > 0 {
		hint = "known fields: " + strings.Join(known, ", ")
	}
	return c.fault(at, Fault{Kind: UnknownField, Name: name, Of: base},
		fmt.Sprintf("unknown field %q of %q", name, base), hint)
}

// names lists the fields and methods of a type that expressions can use.
func names(t reflect.Type, env any) (known []string) {
	if m, ok := env.(types.Map); ok {
		return mapNames(m)
	}
	if t == nil {
		return nil
	}
	for i := range t.NumMethod() {
		known = append(known, t.Method(i).Name)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return known
	}
	for _, f := range reflect.VisibleFields(t) {
		switch tag := f.Tag.Get("expr"); {
		case !f.IsExported() || tag == "-" || f.Anonymous:
		case tag != "":
			known = append(known, tag)
		default:
			known = append(known, f.Name)
		}
	}
	return known
}

func mapNames(t types.Type) (known []string) {
	if m, ok := t.(types.Map); ok {
		for name := range m {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	return known
}

// findMember finds the field access whose name is at an offset.
func findMember(n ast.Node, at int) (found *ast.MemberNode) {
	look := func(n ast.Node) {
		if m, ok := n.(*ast.MemberNode); ok && found == nil {
			if s, ok := m.Property.(*ast.StringNode); ok && (m.Location().From == at || s.Location().From == at) {
				found = m
			}
		}
	}
	var visit func(*ast.Node)
	visit = func(n *ast.Node) {
		if call, ok := (*n).(*ast.CallNode); ok {
			look(call.Callee)
		}
		look(*n)
		children(*n, visit)
	}
	visit(&n)
	return found
}

// goTypes replace names of Go types, which users do not know.
var goTypes = []struct {
	pattern func() *regexp.Regexp
	word    string
}{
	{lazy.Regexp(`\s*\(type [^)]*\)`), ""},
	{lazy.Regexp(`\binterface ?\{\}|<nil>`), "unknown"},
	{lazy.Regexp(`\b(float|int|uint)(8|16|32|64)?\b`), "number"},
	{lazy.Regexp(`\bstring\b`), "text"},
	{lazy.Regexp(`\bbool\b`), "true/false"},
	{lazy.Regexp(`\*?\b[a-z]\w*\.(\w+)`), "$1"},
	{lazy.Regexp(`\[\]`), "list of "},
	{lazy.Regexp(`\bmap\[[^\]]*\]\S*`), "names"},
}

// plain removes the names of Go types from a message of expr-lang.
func plain(message string) string {
	quoted := strings.Split(message, `"`)
	for i := 0; i < len(quoted); i += 2 { // text in quotes is the user's
		for _, t := range goTypes {
			quoted[i] = t.pattern().ReplaceAllString(quoted[i], t.word)
		}
	}
	return strings.TrimSpace(strings.Join(quoted, `"`))
}

// article puts the article before the name of a type.
func article(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64, reflect.Int:
		return "a number"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "a list"
	}
	return anyValue
}

// anyValue is how a sentence names what is neither a number, a text nor a list.
const anyValue = "a value"
