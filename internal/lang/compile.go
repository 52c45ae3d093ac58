package lang

import (
	"errors"
	"math"
	"reflect"
	"slices"

	"example.com/suite/internal/diag"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
	"github.com/expr-lang/expr/vm"
)

// DefaultBuiltins are the functions of expr-lang that every expression has. All others are
// refused: with now and date an outcome depends on the day, and map, filter and the like
// can run for seconds on small inputs.
var DefaultBuiltins = []string{"abs", "ceil", "floor", "round", "min", "max"}

// Options are what an expression may be.
type Options struct {
	Bool     bool     // the result must be true or false
	Builtins []string // functions of expr-lang that are allowed; nil: DefaultBuiltins
}

// Limits of one expression. The longest gate that we have seen in other tools has 200
// characters. A chain a < b < c is visited once for each use of b, so the work of nested
// chains doubles with each level; maxVisits limits that.
const (
	maxCharacters = 4096
	maxTokens     = 1000
	maxNesting    = 50
	maxVisits     = 2000
)

// Compile checks an expression against env: a struct whose exported fields (tag
// `expr:"name"`) and methods are the names of the language, or a types.Map. Only the type
// of env matters. All numbers are float64.
// The error is an *Error, placed in the file that text is from.
func Compile(text Text, env any, o Options) (*Program, error) {
	return newCompilation(text, env, o).program()
}

// compilation turns one expression into a Program. text is the part of whole that begins at
// character base.
type compilation struct {
	text    Text
	whole   Text
	base    int
	env     any
	options Options
	config  *conf.Config
	masked  masked
	tokens  []lexer.Token
	hint    string // for an unknown name that resembles no known name
}

func newCompilation(text Text, env any, o Options) *compilation {
	if o.Builtins == nil {
		o.Builtins = DefaultBuiltins
	}
	return &compilation{text: text, whole: text, env: env, options: o, config: configure(env, o.Builtins)}
}

func (c *compilation) program() (*Program, error) {
	if err := c.scan(); err != nil {
		return nil, err
	}
	written, err := c.parse()
	if err != nil {
		return nil, err
	}
	code, err := c.code()
	if err != nil {
		return nil, err
	}
	return &Program{Text: c.text, node: written.Node, code: code, from: c}, nil
}

// parse keeps the tree as written, with every literal in SI units.
func (c *compilation) parse() (*parser.Tree, error) {
	tree, err := parser.ParseWithConfig(c.masked.text, c.config)
	if err != nil {
		return nil, c.syntaxProblem(err)
	}
	w := &walk{c: c}
	w.node(&tree.Node)
	return tree, w.err
}

// code compiles a second tree, in which % is the remainder of floats, and every float that
// is read or calculated is checked to be finite.
func (c *compilation) code() (*vm.Program, error) {
	tree, err := c.parse()
	if err != nil {
		return nil, err
	}
	replace(&tree.Node, c.remainders)
	if err := c.checkTypes(tree); err != nil {
		return nil, err
	}
	replace(&tree.Node, c.guard)
	if err := c.checkTypes(tree); err != nil {
		return nil, err
	}
	code, err := compiler.Compile(tree, c.config)
	if err != nil {
		return nil, c.problem(0, plain(err.Error()), "")
	}
	return code, nil
}

// checkTypes finds the types in the tree and refuses a result that the options do not allow.
func (c *compilation) checkTypes(tree *parser.Tree) error {
	t, err := checker.Check(tree, c.config)
	if err != nil {
		return c.typeProblem(tree.Node, err)
	}
	if c.options.Bool && t.Kind() != reflect.Bool {
		f := Fault{}
		if article(t) == anyValue {
			f.Kind = NotTruth
		}
		return c.fault(0, f, "the expression is "+article(t)+", not true or false",
			"compare it with something: time.median < 2ms")
	}
	return nil
}

func configure(env any, builtins []string) *conf.Config {
	config := conf.New(env)
	config.MaxNodes = maxTokens
	for name := range config.Builtins {
		if !slices.Contains(builtins, name) {
			config.Disabled[name] = true
			delete(config.Builtins, name)
		}
	}
	addFunctions(config)
	return config
}

// Program is a compiled expression. Several goroutines may run it at once.
type Program struct {
	Text Text // as it was given to Compile
	node ast.Node
	code *vm.Program
	from *compilation
}

// Node is the tree as written, without types: literals, duration("…") and size("…") are
// FloatNodes in SI units, and so are whole numbers. Locations count characters of
// Text.Value. The tree must not be changed.
func (p *Program) Node() ast.Node { return p.node }

// Span is where a node is in Text.Value, with the brackets that its parts need: from
// its first character up to but not including to.
func (p *Program) Span(n ast.Node) (from, to int) { return p.from.span(n) }

// Source is the text of a node, as written.
func (p *Program) Source(n ast.Node) string { return p.from.source(n) }

// problem places a message at a character of the expression.
func (p *Program) problem(at int, message, hint string) diag.Problem {
	return p.from.whole.Problem(p.from.base+at, message, hint)
}

// Run evaluates the expression. env has the type that the expression was compiled with. The
// error is placed at the part that failed and has a diag.Problem in its chain; if a method
// of env failed, its error is in the chain too. A float64 result is finite.
func (p *Program) Run(env any) (any, error) {
	out, err := vm.Run(p.code, env)
	if err == nil {
		return out, nil
	}
	var e *file.Error
	if !errors.As(err, &e) {
		return nil, p.problem(0, plain(err.Error()), "")
	}
	return nil, runError{p.problem(e.From, plain(e.Message), ""), e.Prev}
}

// runError is a problem and its cause.
type runError struct {
	problem diag.Problem
	cause   error // may be nil
}

func (e runError) Error() string { return e.problem.Error() }

func (e runError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.problem}
	}
	return []error{e.problem, e.cause}
}

// Constant computes a number, a signed number or arithmetic on numbers. ok is false for
// every other node.
func Constant(n ast.Node) (x float64, ok bool) {
	switch n := n.(type) {
	case *ast.FloatNode:
		return n.Value, true
	case *ast.UnaryNode:
		x, ok := Constant(n.Node)
		switch n.Operator {
		case "-":
			return -x, ok
		case "+":
			return x, ok
		}
	case *ast.BinaryNode:
		a, okA := Constant(n.Left)
		b, okB := Constant(n.Right)
		x, known := calculate(n.Operator, a, b)
		return x, okA && okB && known && !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	return 0, false
}

func calculate(operator string, a, b float64) (x float64, known bool) {
	switch operator {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/":
		return a / b, true
	case "**", "^":
		return math.Pow(a, b), true
	}
	return 0, false
}

// Identifier is a name in an expression.
type Identifier struct {
	Name string
	At   int // in characters of the text
}

// Identifiers lists the names in an expression, in order, without those that follow a
// dot: time for time.median. It needs no types, so unknown names are included. It is
// nil if the text is not an expression.
func Identifiers(text Text) (names []Identifier) {
	c := &compilation{text: text, whole: text}
	if c.scan() != nil {
		return nil
	}
	for i, t := range c.tokens {
		if t.Kind == lexer.Identifier && (i == 0 || c.tokens[i-1].Value != ".") {
			names = append(names, Identifier{t.Value, t.From})
		}
	}
	return names
}
