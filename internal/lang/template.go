package lang

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"
)

// Template is text with expressions in it: "sha256/${size}". Only ${ starts an
// expression, $${ is a literal ${, and every other $ stands for itself.
type Template struct {
	Text  Text
	parts []part
}

// part is literal text, a parameter by its name, or an expression.
type part struct {
	offset  int    // of its first character in the template's text
	literal string // set where name and program are not
	name    string
	program *Program
	env     []reference // environment variables that the program reads
}

// reference is env.NAME in an expression.
type reference struct {
	name   string
	offset int // in the template's text
}

// Names are what a template may speak of, besides env and suite.
type Names struct {
	Params []string
	Shell  bool // the text is a shell's, where ${NAME} has a meaning of its own
}

// Scope holds the values of one expansion.
type Scope struct {
	Params map[string]Value
	Env    func(string) (string, bool)
	Suite  string // name
	Dir    string // absolute path of the folder of the suite file
}

// builtins of templates: those of every expression, and a few for texts.
var templateBuiltins = append([]string{"upper", "lower", "trim", "trimPrefix", "trimSuffix", "replace", "len"}, DefaultBuiltins...)

// shellHint answers an unknown name where the shell was meant.
const shellHint = "for the shell's own variable write $${NAME} or $NAME"

// variable is a name that people give to variables of the environment.
var variable = regexp.MustCompile(`^[A-Z_][A-Z0-9_]+$`)

// ParseTemplate checks a template. Its expressions speak of the parameters that
// names lists, of env (the environment: env.HOME) and suite (suite.name,
// suite.dir). The error is a diag.Problem.
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
		case prefix(rs, i, "$${"): // a part of its own, since one $ of it is gone
			flush(i + 1)
			literal.WriteString("${")
			i += 3
		case prefix(rs, i, "${"):
			flush(i)
			end := expressionEnd(rs, i+2)
			if end < 0 {
				return t.Text.Problem(i, `"${" has no closing "}"`, "for a literal ${ write $${")
			}
			p, err := t.expression(i, end, names)
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

// expressionEnd is the offset of the } that closes an expression, −1 where
// there is none. A } in quotes closes nothing.
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

var identifier = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// expression compiles what stands between the ${ at offset and the } at end.
func (t *Template) expression(offset, end int, names Names) (part, error) {
	text := t.Text.Slice(offset+2, end)
	if name := strings.TrimSpace(text.Value); identifier.MatchString(name) {
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
	case variable.MatchString(name):
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

// references lists the environment variables of an expression. A name that is
// calculated is refused: it could not be checked before the run.
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

// Literal says that the template has no expression.
func (t *Template) Literal() bool {
	for _, p := range t.parts {
		if p.name != "" || p.program != nil {
			return false
		}
	}
	return true
}

// Uses lists the names of parameters (and env and suite) that the template
// speaks of, in order of appearance, each once.
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

// Number expands a template that stands for a number: ${size} gives the number
// of the parameter, and other text is read as ParseQuantity does. The error is
// a diag.Problem.
func (t *Template) Number(s Scope) (float64, error) {
	if len(t.parts) == 1 && t.parts[0].literal == "" {
		v, err := t.value(t.parts[0], s)
		if err != nil {
			return 0, err
		}
		if v.Kind == Number {
			return v.Number, nil
		}
		return 0, t.Text.Problem(0, fmt.Sprintf("%q is not a number", v.Text), "units are "+UnitNames)
	}
	text, err := t.Expand(s)
	if err != nil {
		return 0, err
	}
	if x, ok := ParseQuantity(text.Value); ok {
		return x, nil
	}
	return 0, t.Text.Problem(0, fmt.Sprintf("%q is not a number", text.Value), "units are "+UnitNames)
}
