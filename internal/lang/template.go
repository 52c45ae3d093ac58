package lang

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"
)

// Template is text with expressions in it: "sha256/${size}". Only ${ begins an expression,
// $${ is a literal ${, and every other $ is literal.
type Template struct {
	Text  Text
	parts []part
}

// part is literal text, a parameter by its name, or an expression.
type part struct {
	offset  int    // of its first character in the template's text
	literal string // set if name and program are not
	name    string
	program *Program
	env     []reference // environment variables that the program reads
}

// reference is env.NAME in an expression.
type reference struct {
	name   string
	offset int // in the template's text
}

// Names are what a template may refer to, in addition to env and suite.
type Names struct {
	Params []string
	Shell  bool // the text is for a shell, in which ${NAME} has a meaning of its own
}

// Scope has the values for one expansion.
type Scope struct {
	Params map[string]Value
	Env    func(string) (string, bool)
	Suite  string // name
	Dir    string // absolute path of the folder of the suite file
}

// templateBuiltins are the functions of every expression, and a few for text.
var templateBuiltins = append([]string{"upper", "lower", "trim", "trimPrefix", "trimSuffix", "replace", "len"},
	DefaultBuiltins...)

// shellHint is for an unknown name that may be a variable of the shell.
const shellHint = "for the shell's own variable write $${NAME} or $NAME"

// variable matches names that people give to environment variables.
var variable = lazy.Regexp(`^[A-Z_][A-Z0-9_]+$`)

// ParseTemplate checks a template. Its expressions may refer to the parameters in names, to
// env (the environment: env.HOME) and to suite (suite.name, suite.dir). The error is a
// diag.Problem or an *Error.
func ParseTemplate(text Text, names Names) (*Template, error) {
	t := &Template{Text: text}
	if !strings.Contains(text.Value, "${") {
		t.parts = []part{{literal: text.Value}}
		return t, nil
	}
	return t, t.parse([]rune(text.Value), names)
}

func (t *Template) parse(rs []rune, names Names) error {
	var literal strings.Builder
	start := 0
	flush := func(next int) {
		if literal.Len() > 0 {
			t.parts = append(t.parts, part{offset: start, literal: literal.String()})
			literal.Reset()
		}
		start = next
	}
	for i := 0; i < len(rs); {
		switch {
		case prefix(rs, i, "$${"): // a part of its own, because it loses a $
			flush(i + 1)
			literal.WriteString("${")
			i += 3
		case prefix(rs, i, "${"):
			flush(i)
			end := expressionEnd(rs, i+2)
			if end < 0 {
				return t.Text.Problem(i, `"${" has no closing "}"`, "for a literal ${ write $${")
			}
			p, err := t.expression(rs, i, end, names)
			if err != nil {
				return err
			}
			t.parts = append(t.parts, p)
			i, start = end+1, end+1
		default:
			literal.WriteRune(rs[i])
			i++
		}
	}
	flush(len(rs))
	return nil
}

func prefix(rs []rune, i int, p string) bool {
	return i+len(p) <= len(rs) && string(rs[i:i+len(p)]) == p
}

// expressionEnd is the offset of the } that closes an expression, −1 if there is none.
// A } in quotes closes nothing.
func expressionEnd(rs []rune, i int) int {
	for i < len(rs) {
		switch rs[i] {
		case '}':
			return i
		case '"', '\'', '`':
			i = stringEnd(rs, i)
		default:
			i++
		}
	}
	return -1
}

var identifier = lazy.Regexp(`^[\pL_][\pL\pN_]*$`)

// expression compiles the text between the ${ at offset and the } at end.
func (t *Template) expression(rs []rune, offset, end int, names Names) (part, error) {
	text := t.Text.slice(rs, offset+2, end)
	if name := strings.TrimSpace(text.Value); identifier().MatchString(name) {
		for _, p := range names.Params {
			if p == name {
				return part{offset: offset, name: name}, nil
			}
		}
	}
	c := newCompilation(text, templateEnv(names.Params), Options{Builtins: templateBuiltins})
	c.whole, c.base = t.Text, offset+2
	switch name := strings.TrimSpace(text.Value); {
	case names.Shell:
		c.hint = shellHint
	case variable().MatchString(name):
		c.hint = fmt.Sprintf("for the value of an environment variable write ${env.%s}", name)
	}
	program, err := c.program()
	if err != nil {
		return part{}, err
	}
	env, err := references(program, c)
	return part{offset: offset, program: program, env: env}, err
}

func templateEnv(params []string) types.Map {
	env := types.Map{
		"env":   types.TypeOf(map[string]string{}),
		"suite": types.Map{"name": types.String, "dir": types.String},
	}
	for _, p := range params {
		env[p] = types.Any
	}
	return env
}

// references finds the environment variables in an expression. A calculated name is
// refused, because it could not be checked before the run.
func references(p *Program, c *compilation) (found []reference, err error) {
	var visit func(*ast.Node)
	visit = func(at *ast.Node) {
		if m, ok := (*at).(*ast.MemberNode); ok && isEnv(m.Node) {
			if s, ok := m.Property.(*ast.StringNode); ok {
				found = append(found, reference{s.Value, c.base + m.Location().From})
				return
			}
		}
		if isEnv(*at) && err == nil {
			err = c.problem((*at).Location().From, `"env" is not a value of its own`, "write env.NAME")
		}
		children(*at, visit)
	}
	visit(&p.node)
	return found, err
}

func isEnv(n ast.Node) bool {
	id, ok := n.(*ast.IdentifierNode)
	return ok && id.Value == "env"
}

// Literal reports whether the template has no expression.
func (t *Template) Literal() bool {
	for _, p := range t.parts {
		if p.name != "" || p.program != nil {
			return false
		}
	}
	return true
}

// Uses lists the names of parameters (and env and suite) in the template, in order of
// appearance, each once.
func (t *Template) Uses() (names []string) {
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	var visit func(*ast.Node)
	visit = func(at *ast.Node) {
		if id, ok := (*at).(*ast.IdentifierNode); ok {
			add(id.Value)
		}
		children(*at, visit)
	}
	for _, p := range t.parts {
		if p.name != "" {
			add(p.name)
		} else if p.program != nil {
			visit(&p.program.node)
		}
	}
	return names
}

// Number expands a template that means a number: ${size} is the number of the parameter,
// and other text is read as parseQuantity reads it. The error is a diag.Problem.
func (t *Template) Number(s Scope) (float64, error) {
	if len(t.parts) == 1 && t.parts[0].literal == "" {
		v, err := t.value(t.parts[0], s)
		if err != nil {
			return 0, err
		}
		if v.Kind == Number {
			return v.Number, nil
		}
		return 0, t.Text.Problem(0, fmt.Sprintf("%q is not a number", v.Text), "units are "+unitNames)
	}
	text, err := t.Expand(s)
	if err != nil {
		return 0, err
	}
	if x, ok := parseQuantity(text.Value); ok {
		return x, nil
	}
	return 0, t.Text.Problem(0, fmt.Sprintf("%q is not a number", text.Value), "units are "+unitNames)
}

// mostExpanded bounds a text after its expansion, in bytes: Linux starts no program with an
// argument of 128 KiB, and all arguments together are at most 2 MiB.
const mostExpanded = 2 << 20

// Expand replaces every expression with its value: a parameter with its spelling, a
// calculated number with its shortest form. All characters of a value have the place of the
// ${. The error is a diag.Problem.
func (t *Template) Expand(s Scope) (Text, error) {
	if len(t.parts) == 1 && t.parts[0].literal == t.Text.Value {
		return t.Text, nil
	}
	out := Text{Place: t.Text.Place}
	var b strings.Builder
	at, next := 0, 0 // characters before this part, and before the next one
	for _, p := range t.parts {
		at = next
		if p.literal != "" {
			out.Marks = append(out.Marks, t.literalMarks(p, at)...)
			b.WriteString(p.literal)
			next += utf8.RuneCountInString(p.literal)
			continue
		}
		v, err := t.value(p, s)
		if err != nil {
			return Text{}, err
		}
		out.Marks = append(out.Marks, Mark{at, t.Text.At(p.offset), true})
		if b.Len()+len(v.Text) > mostExpanded {
			return Text{}, t.Text.Problem(p.offset,
				fmt.Sprintf("the text is longer than %d characters with the value of this expression", mostExpanded),
				"put long values into a file")
		}
		b.WriteString(v.Text)
		next += utf8.RuneCountInString(v.Text)
	}
	out.Value = b.String()
	return out, nil
}

// literalMarks moves the template's marks inside a literal part to the part's offset in
// the result.
func (t *Template) literalMarks(p part, at int) []Mark {
	marks := []Mark{{Offset: at, Place: t.Text.At(p.offset)}}
	end := p.offset + utf8.RuneCountInString(p.literal)
	for _, m := range t.Text.Marks {
		if m.Offset > p.offset && m.Offset < end {
			m.Offset += at - p.offset
			marks = append(marks, m)
		}
	}
	return marks
}

// value evaluates one expression.
func (t *Template) value(p part, s Scope) (Value, error) {
	if p.name != "" {
		return s.Params[p.name], nil
	}
	if p.program == nil {
		return StringValue(p.literal), nil
	}
	variables := map[string]string{}
	for _, r := range p.env {
		v, ok := s.lookup(r.name)
		if !ok {
			return Value{}, t.Text.Problem(r.offset, fmt.Sprintf("the environment variable %q is not set", r.name), "")
		}
		variables[r.name] = v
	}
	out, err := p.program.Run(s.env(variables))
	if err != nil {
		var problem diag.Problem
		errors.As(err, &problem)
		return Value{}, problem
	}
	return t.result(p, out)
}

func (s Scope) lookup(name string) (string, bool) {
	if s.Env == nil {
		return "", false
	}
	return s.Env(name)
}

// env has the names that the expressions of a template read.
func (s Scope) env(variables map[string]string) map[string]any {
	env := map[string]any{"env": variables, "suite": map[string]any{"name": s.Suite, "dir": s.Dir}}
	for name, v := range s.Params {
		switch v.Kind {
		case Number:
			env[name] = v.Number
		case Bool:
			env[name] = v.Bool
		default:
			env[name] = v.Text
		}
	}
	return env
}

func (t *Template) result(p part, out any) (Value, error) {
	switch x := out.(type) {
	case float64:
		return numberValue(x), nil
	case int: // len
		return numberValue(float64(x)), nil
	case string:
		return StringValue(x), nil
	case bool:
		return Value{Kind: Bool, Text: fmt.Sprint(x), Bool: x}, nil
	}
	return Value{}, t.Text.Problem(p.offset, "the expression is neither text nor a number", "")
}

// opaque replaces characters of suite's own language in Mask. It has no meaning in any
// other language.
const opaque = '\ue000'

// Mask replaces every ${…} and $${ of the text by as many opaque characters, so that a
// parser of another language finds nothing in them. ParseTemplate must have accepted
// the text.
func (t Text) Mask() string {
	rs := []rune(t.Value)
	for i := 0; i < len(rs); {
		end := i + 1
		switch {
		case prefix(rs, i, "$${"):
			end = i + 3
		case prefix(rs, i, "${"):
			end = expressionEnd(rs, i+2) + 1
			if end == 0 {
				end = len(rs)
			}
		default:
			i = end
			continue
		}
		for ; i < end; i++ {
			rs[i] = opaque
		}
	}
	return string(rs)
}

// IsOpaque reports whether a character is one that Mask put in place of another.
func IsOpaque(r rune) bool { return r == opaque }

// Span is a range of characters of a text: from From up to but not including To.
type Span struct{ From, To int }

// Pick makes a template for each word from the characters in the word's spans. Spans
// are in ascending order, and none cuts an expression. The templates share the text:
// their problems have the same places, and show the whole line.
func (t *Template) Pick(words [][]Span) (picked []*Template) {
	texts := make([][]rune, len(t.parts))
	for i, p := range t.parts {
		texts[i] = []rune(p.literal)
	}
	first := 0 // of the parts that may reach into the next span
	for _, spans := range words {
		word := &Template{Text: t.Text}
		for _, s := range spans {
			for first+1 < len(t.parts) && t.parts[first+1].offset <= s.From {
				first++
			}
			for i := first; i < len(t.parts) && t.parts[i].offset < s.To; i++ {
				word.parts = append(word.parts, t.parts[i].within(texts[i], s)...)
			}
		}
		if len(word.parts) == 0 {
			word.parts = []part{{}}
		}
		picked = append(picked, word)
	}
	return picked
}

// within selects the parts of a part that are in a span: the whole of an expression, or
// a piece of literal text. literal has the characters of the part.
func (p part) within(literal []rune, s Span) []part {
	if p.name != "" || p.program != nil {
		if p.offset >= s.From && p.offset < s.To {
			return []part{p}
		}
		return nil
	}
	from, to := max(s.From-p.offset, 0), min(s.To-p.offset, len(literal))
	if from >= to {
		return nil
	}
	return []part{{offset: p.offset + from, literal: string(literal[from:to])}}
}
