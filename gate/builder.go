package gate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

type builder struct {
	source  Source
	program *lang.Program
	rule    *rule

	functions Functions
	problems  diag.Problems
}

func (b *builder) compile(text lang.Text, truth bool) (*lang.Program, error) {
	text.Value = b.named(text.Value)
	program, err := lang.Compile(text, reflect.New(b.rule.env).Interface(), lang.Options{Bool: truth})
	var e *lang.Error
	var p diag.Problem
	if errors.As(err, &e) {
		b.problems = append(b.problems, b.worded(e.Problem, &e.Fault))
	} else if errors.As(err, &p) {
		b.problems = append(b.problems, p)
	} else if err != nil {
		b.problem(0, err.Error(), "")
	}
	for i := range b.problems {
		b.problems[i] = restored(b.problems[i])
	}
	return program, err
}

// worded improves a problem with knowledge about metrics, which the language lacks.
func (b *builder) worded(p diag.Problem, f *lang.Fault) diag.Problem {
	if f.Kind == lang.UnknownName {
		p.Unknown = f.Name
		if lang.FindWord(f.Name).Later {
			p.Unknown, f.Listed = "", false
			p.Message = fmt.Sprintf("%q is not available in this version of suite", f.Name)
			p.Hint = "compare a statistic of a metric with a limit: time.median < 2ms"
		}
		if i := slices.IndexFunc(b.functions, func(row *Function) bool { return row.Field == f.Name }); i >= 0 {
			p.Hint, f.Listed = b.functions[i].Usage, false
		}
		if hint := b.source.Declared.hintOfOwner(f.Name); hint != "" {
			p.Hint = hint
			f.Listed = false
		}
	}
	if f.Kind == lang.EndsTooEarly && p.Hint == "" && b.functions.opens(b.source.Expr.Value) {
		p.Hint = "in […] and {…} YAML ends a value at the comma: put the expression in quotes"
	}
	if message, hint, ok := b.wrongCall(f); ok {
		p.Message = message
		p.Hint = hint
		p.Unknown = ""
		return p
	}
	if f.Kind == lang.UnknownName && perOp().MatchString(b.source.Expr.Value) {
		p.Hint = "ns/op is time.median, B/op is heap.median, allocs/op is allocs.median and MB/s is " +
			"throughput.median; units are written 200ns, 64KiB, 100MB"
		return p
	}
	switch {
	case f.Listed:
		p.Hint = "known names: " + strings.Join(b.source.names(b.functions), ", ")
	case f.Kind == lang.UnknownName, f.Kind == lang.UnknownField:
	case f.Signature != "":
		p.Message, p.Hint = "case takes the name of a case in quotes", `case("sha256/64").time.median`
	case f.Kind == lang.Undefined: // time[params.x]
		p.Message, p.Hint = "brackets must contain a name in quotes", "write it after a dot: time.median"
	case f.Mentions("Metric"), f.Mentions("Metrics"):
		p.Message, p.Hint = "a metric is not a value", "it has statistics: time.median, time.p99, time.max"
	}
	return p
}

// perOp matches what go test prints after a number.
var perOp = lazy.Regexp(`(?:\b(?:ns|B|allocs)\s*/\s*op|[0-9]\s*[kMG]?i?B\s*/\s*s|\bMB\s*/\s*s)\b`)

func (b *builder) problem(at int, message, hint string) {
	b.problems = append(b.problems, b.source.Expr.Problem(at, message, hint))
}

// inspect collects what the expression mentions. It refuses anything that hides which
// statistic of which metric is read: (a ? time : wall).median would be judged as if
// it were exact.
func (b *builder) inspect(n ast.Node) {
	if m, ok := b.mention(n); ok {
		b.note(m)
		return
	}
	switch n := n.(type) {
	case *ast.CallNode:
		b.badCall(n)
		return
	case *ast.IdentifierNode:
		b.badName(n)
		return
	}
	for _, part := range parts(n) {
		b.inspect(part)
	}
}

func (b *builder) badCase(n *ast.CallNode) {
	from, _ := b.program.Span(n)
	if _, ok := b.caseName(n); ok {
		b.problem(from, "case needs a metric and its statistic right after it", `case("sha256/64").time.median`)
		return
	}
	b.problem(from, "case takes the name of a case in quotes", `case("sha256/64").time.median`)
}

func (b *builder) badName(n *ast.IdentifierNode) {
	from, _ := b.program.Span(n)
	if _, ok := b.metric(n.Value, nil); ok {
		b.problem(from, fmt.Sprintf("metric %q needs its statistic right after it", n.Value), n.Value+".median")
	} else if n.Value == "base" {
		b.problem(from, "base needs a metric and its statistic right after it", "base.time.median")
	} else if n.Value != "host" && n.Value != "params" {
		b.problem(from, fmt.Sprintf("unknown name %q", n.Value), "")
		b.problems[len(b.problems)-1].Unknown = n.Value
	}
}

// note records a mention, and adds a problem if the case never has its metric.
func (b *builder) note(m mention) {
	if special, is := m.by.(noting); is {
		special.noted(b, m)
		return
	}
	own := m.other == nil || m.other.base // the base is of the same kind
	if own && !slices.Contains(m.metric.Kinds, b.source.Kind) {
		b.problem(m.at, fmt.Sprintf("metric %q is not collected for %s", m.metric.Name, kindNames[b.source.Kind]),
			"metrics that are: "+strings.Join(b.source.metricNames(), ", "))
		return
	}
	if m.other == nil && !b.source.has(m.metric) {
		b.problem(m.at, fmt.Sprintf("%s is not measured in this case", m.metric.Name), "add "+m.metric.OptIn)
		return
	}
	if own && !m.metric.Sampled && (m.stat == "low" || m.stat == "high") && b.source.Kind == result.KindGo {
		b.problem(m.at, fmt.Sprintf("%s has no interval: it is counted in a pass of its own", m.metric.Name),
			m.metric.Name+".median, min and max are the same number")
		return
	}
	if !own {
		b.rule.cases = append(b.rule.cases, *m.other)
	}
	b.rule.versus = b.rule.versus || m.compares()
	b.mentions(m)
}

func (b *builder) mentions(m mention) {
	if !slices.ContainsFunc(b.rule.mentions, func(o mention) bool { return o.text == m.text }) {
		b.rule.mentions = append(b.rule.mentions, m)
	}
}

var kindNames = map[result.Kind]string{
	result.KindGo:      "Go functions",
	result.KindCommand: "external commands",
	result.KindShell:   "external commands",
	result.KindGoTest:  "existing Go benchmarks",
}

// names lists the names for hints. It leaves out the ten metrics that the case would
// have to ask for.
func (s *Source) names(functions Functions) []string {
	names := append(s.metricNames(), lang.DefaultBuiltins...)
	for _, w := range lang.Words {
		if f := functions.find(w.Name); !w.Later && (f == nil || f.IsFor == nil || f.IsFor(s)) {
			names = append(names, w.Name)
		}
	}
	slices.Sort(names)
	return names
}

// metric finds a metric that an expression names, and reports whether the case has
// it. other is the case in the expression, nil for the gate's own.
func (b *builder) metric(name string, other *reference) (result.Metric, bool) {
	if m, known := metrics[name]; known {
		if b.source.Callgrind {
			m = m.InRuns()
		}
		return m, true
	}
	if other == nil {
		d, _ := b.source.Declared.find(name, b.source.Case)
		return d.Metric(b.source.Kind), b.source.Declared.has(name, b.source.Case)
	}
	d, known := b.source.Declared.find(name, b.source.nameOf(other))
	return d.Metric(b.source.Kind), known
}

// logic adds a problem if worse or better is used in any other way than alone or joined by and,
// or, not and ?:. In any other term an undecided call would have to be true or false.
func (b *builder) logic(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryNode:
		if slices.Contains([]string{"and", "&&", "or", "||"}, n.Operator) {
			b.logic(n.Left)
			b.logic(n.Right)
			return
		}
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			b.logic(n.Node)
			return
		}
	case *ast.ConditionalNode:
		b.logic(n.Cond)
		b.logic(n.Exp1)
		b.logic(n.Exp2)
		return
	}
	if k, ok := b.function(n); ok {
		k.checkCall(b, n)
		return
	}
	b.inspect(n)
}

// node splits an expression into leaves at and, or, not and ?:.
func (b *builder) node(n ast.Node) node {
	switch n := n.(type) {
	case *ast.BinaryNode:
		switch n.Operator {
		case "and", "&&":
			return and{b.node(n.Left), b.node(n.Right)}
		case "or", "||":
			return or{b.node(n.Left), b.node(n.Right)}
		}
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return not{b.node(n.Node)}
		}
	case *ast.ConditionalNode:
		return choice{conditional(b.node(n.Cond)), b.node(n.Exp1), b.node(n.Exp2)}
	}
	return b.leaf(n)
}

// conditional marks all leaves of the condition of ?:.
func conditional(n node) node {
	switch n := n.(type) {
	case and:
		conditional(n.left)
		conditional(n.right)
	case or:
		conditional(n.left)
		conditional(n.right)
	case not:
		conditional(n.part)
	case choice:
		conditional(n.condition)
		conditional(n.yes)
		conditional(n.no)
	case *leaf:
		n.condition = true
	}
	return n
}

func (b *builder) leaf(n ast.Node) *leaf {
	l := &leaf{text: b.written(n)}
	if k, ok := b.function(n); ok {
		l.kind, l.mentions = k, k.mentions()
		b.rule.kinds = append(b.rule.kinds, k)
		if t, is := k.(tolerant); is {
			b.rule.calls = append(b.rule.calls, t.asks())
		}
		return l
	}
	for _, part := range nodes(n) {
		if m, ok := b.mention(part); ok {
			l.mentions = append(l.mentions, m)
		}
	}
	if binary, ok := n.(*ast.BinaryNode); ok && len(l.mentions) == 1 {
		if c := b.comparison(binary); c != nil {
			l.kind = c
		}
	}
	if l.kind == nil {
		l.kind = &term{b.part(n, true)}
	}
	return l
}

// part compiles a part of the expression by itself.
func (b *builder) part(n ast.Node, truth bool) *lang.Program {
	if n == b.program.Node() && truth {
		return b.program
	}
	from, to := b.program.Span(n)
	program, _ := b.compile(b.source.Expr.Slice(from, to), truth)
	return program
}

// comparison returns a comparison of a mention with a limit, nil if neither side is a mention.
// The caller has checked that the leaf has one mention, so the other side has none.
func (b *builder) comparison(n *ast.BinaryNode) *comparison {
	back, ok := turned[n.Operator]
	if !ok {
		return nil
	}
	if m, ok := b.mention(n.Left); ok {
		return &comparison{m, n.Operator, b.limit(n.Right)}
	}
	if m, ok := b.mention(n.Right); ok {
		return &comparison{m, back, b.limit(n.Left)}
	}
	return nil
}

func (b *builder) limit(n ast.Node) limit {
	if x, ok := lang.Constant(n); ok {
		return limit{value: x}
	}
	return limit{program: b.part(n, false)}
}

// function recognises a leaf that is a call of a function, or the comparison of one.
func (b *builder) function(n ast.Node) (functionKind, bool) {
	for _, f := range b.functions {
		if f.Leaf != nil {
			if k, ok := f.Leaf(b, n); ok {
				return k, true
			}
		}
	}
	return nil, false
}
