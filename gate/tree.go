package gate

import (
	"cmp"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// node is a part of a rule with a truth value: a leaf or an operator.
type node interface {
	// judge decides the part. negated is true if an odd number of nots enclose it, so
	// that a pass of the part counts against the gate.
	judge(j judge, negated bool) outcome
}

// judge decides leaves: final after sampling, live during it.
type judge interface {
	leaf(l *leaf, negated bool) outcome
}

// outcome is the verdict on a part of a gate, with its reasons.
type outcome struct {
	verdict result.Verdict
	cause   result.Cause // why the part is undecided or an error
	reasons []string
	notes   []string // shown with every verdict
	form    result.Form
	leaf    *leaf // the leaf that decided, the first of several
	negated bool  // whether an odd number of nots enclose that leaf
}

// givenUp is a verdict of live only: more samples are unlikely to help. During
// sampling, NotJudged is ignored, and Inconclusive means that the gate is still open.
const givenUp result.Verdict = "given up"

type (
	and    struct{ left, right node }
	or     struct{ left, right node }
	not    struct{ part node }
	choice struct{ condition, yes, no node }
)

// leaf is a part that logic does not divide further.
type leaf struct {
	text     string
	mentions []mention
	call     *call         // worse or better; nil for another shape
	growth   *ordering     // order(…) against a class; nil for another shape
	trend    *drifting     // trend(…).drift against a limit; nil for another shape
	compare  *comparison   // nil for another shape
	program  *lang.Program // nil for one of these shapes

	condition bool // the leaf is part of the condition of ?:
}

// comparison is `mention operator limit`. If the limit is on the left in the source,
// the operator is reversed.
type comparison struct {
	mention  mention
	operator string
	limit    limit
}

// limit is the side of a comparison that contains no metric.
type limit struct {
	value   float64
	program *lang.Program // nil if value is known
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
	if g, ok := b.growth(n); ok {
		l.growth = g
		return l
	}
	if d, ok := b.drift(n); ok {
		l.trend = d
		return l
	}
	if c, ok := b.call(n); ok {
		l.call, l.mentions = c, []mention{c.of(0)}
		b.rule.calls = append(b.rule.calls, c)
		return l
	}
	for _, part := range nodes(n) {
		if m, ok := b.mention(part); ok {
			l.mentions = append(l.mentions, m)
		}
	}
	if binary, ok := n.(*ast.BinaryNode); ok && len(l.mentions) == 1 {
		l.compare = b.comparison(binary)
	}
	if l.compare == nil {
		l.program = b.part(n, true)
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

// turned maps an operator to the one with exchanged sides.
var turned = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

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

func (l *leaf) judge(j judge, negated bool) outcome {
	o := j.leaf(l, negated)
	o.leaf = l
	o.negated = negated
	return o
}

func (n not) judge(j judge, negated bool) outcome {
	o := n.part.judge(j, !negated)
	switch o.verdict {
	case result.Pass:
		o.verdict = result.Fail
	case result.Fail:
		o.verdict = result.Pass
	}
	return o
}

func (n and) judge(j judge, negated bool) outcome {
	return join(j, negated, n.left, n.right, result.Fail, result.Pass)
}

func (n or) judge(j judge, negated bool) outcome {
	return join(j, negated, n.left, n.right, result.Pass, result.Fail)
}

// join is Kleene's and and or: one decisive side is enough, and if it is the left
// one, the right one is not evaluated. An error on the left ends the evaluation; an
// error on the right counts, because the left side is not decisive then.
func join(j judge, negated bool, left, right node, decisive, neutral result.Verdict) outcome {
	a := left.judge(j, negated)
	if a.verdict == decisive || a.verdict == result.Error {
		return a
	}
	b := right.judge(j, negated)
	out := outcome{form: weaker(a.form, b.form), notes: append(a.notes, b.notes...)}
	for _, v := range []result.Verdict{decisive, result.Error, result.Inconclusive, givenUp, neutral, result.NotJudged} {
		if a.verdict == v || b.verdict == v {
			out.verdict = v
			break
		}
	}
	for _, side := range []outcome{a, b} {
		if side.verdict == out.verdict {
			out.cause = cmp.Or(out.cause, side.cause)
			out.reasons = append(out.reasons, side.reasons...)
			if out.leaf == nil {
				out.leaf = side.leaf
				out.negated = side.negated
			}
		}
	}
	return out
}

// judge evaluates the branch that the condition selects. If the condition is undecided,
// it evaluates both, and the outcome is decided only if they agree.
func (n choice) judge(j judge, negated bool) outcome {
	c := n.condition.judge(j, negated)
	switch c.verdict {
	case result.Error:
		return c
	case result.Pass:
		return c.then(n.yes.judge(j, negated))
	case result.Fail:
		return c.then(n.no.judge(j, negated))
	}
	yes, no := n.yes.judge(j, negated), n.no.judge(j, negated)
	if yes.verdict == no.verdict {
		return c.then(yes)
	}
	if yes.verdict == result.Inconclusive || no.verdict == result.Inconclusive {
		c.verdict = result.Inconclusive
		c.cause = cmp.Or(c.cause, yes.cause, no.cause)
	}
	c.form = weaker(c.form, weaker(yes.form, no.form))
	return c
}

// then adds the condition's notes to a branch, and weakens its form to the
// condition's.
func (o outcome) then(branch outcome) outcome {
	branch.form, branch.notes = weaker(o.form, branch.form), append(o.notes, branch.notes...)
	return branch
}

// weaker returns the form that promises less.
func weaker(a, b result.Form) result.Form {
	for _, f := range []result.Form{result.FormUnpaired, result.FormPoint, result.FormHistory, result.FormInterval, result.FormPairs} {
		if a == f || b == f {
			return f
		}
	}
	return result.FormExact
}
