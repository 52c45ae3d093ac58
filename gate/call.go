package gate

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// call is a comparative call: worse(metric, tolerance) or better(metric, tolerance).
type call struct {
	text      string
	metric    result.Metric
	tolerance float64
	worse     bool
}

// Interval is the value of ci(metric): the confidence interval of the ratio to the base.
type Interval struct {
	Low  float64 `expr:"low"`
	High float64 `expr:"high"`
}

// Versus contains the functions of expressions, most of which compare the case with its
// base.
type Versus struct {
	Worse  func(m Metric, tolerance float64) bool `expr:"worse"`
	Better func(m Metric, tolerance float64) bool `expr:"better"`
	Ratio  func(m Metric) (float64, error)        `expr:"ratio"`
	CI     func(m Metric) (*Interval, error)      `expr:"ci"`

	Geomean func(metric string) (float64, error)     `expr:"geomean"`
	Order   func(m Metric) (string, error)           `expr:"order"`
	Trend   func(Metric, ...float64) (*Trend, error) `expr:"trend"`
	Arc     func(names ...string) (*Arc, error)      `expr:"arc"`
}

// openCall matches the rest of [not worse(time, 3%)], which YAML splits at the comma.
var openCall = lazy.Regexp(`\b(worse|better|trend)\(\s*\w+$`)

// usage is an example of each function, for hints.
var usage = map[string]string{"worse": "not worse(time, 3%)", "better": "better(time, 3%)", "ratio": "ratio(time) < 1.05", "ci": "ci(time).high < 1.05"}

var takes = map[string]string{"worse": "worse takes a metric and a tolerance", "better": "better takes a metric and a tolerance",
	"ratio": "ratio takes a metric", "ci": "ci takes a metric"}

func function(n ast.Node) (name string, arguments []ast.Node, ok bool) {
	name, arguments, ok = callee(n)
	if !ok || usage[name] == "" {
		return "", nil, false
	}
	return name, arguments, true
}

// callee splits a call into the name of the function and its arguments.
func callee(n ast.Node) (name string, arguments []ast.Node, ok bool) {
	call, is := n.(*ast.CallNode)
	if !is {
		return "", nil, false
	}
	id, is := call.Callee.(*ast.IdentifierNode)
	if !is {
		return "", nil, false
	}
	return id.Value, call.Arguments, true
}

// callOf recognises a call of a function, whatever its arguments are, and returns them.
func callOf(function string, n ast.Node) (arguments []ast.Node, ok bool) {
	name, arguments, ok := callee(n)
	return arguments, ok && name == function
}

// ofMetric recognises a function whose first argument is a metric of the case. The
// argument must be the bare name.
func (b *builder) ofMetric(n ast.Node, names ...string) (name string, m result.Metric, ok bool) {
	name, arguments, ok := function(n)
	if !ok || !slices.Contains(names, name) || len(arguments) == 0 {
		return "", m, false
	}
	id, ok := arguments[0].(*ast.IdentifierNode)
	if !ok {
		return "", m, false
	}
	m, ok = b.metric(id.Value, nil)
	return name, m, ok && m.Name != "exit_code"
}

// versus recognises ratio(metric), ci(metric).low, ci(metric).high and
// geomean("metric").
func (b *builder) versus(n ast.Node) (mention, bool) {
	if m, ok := b.geomean(n); ok {
		return m, true
	}
	from, _ := b.program.Span(n)
	if _, m, ok := b.ofMetric(n, "ratio"); ok {
		return mention{text: b.written(n), metric: m, versus: "ratio", at: from}, true
	}
	if end, ok := property(n); ok && (end == "low" || end == "high") {
		if _, m, ok := b.ofMetric(n.(*ast.MemberNode).Node, "ci"); ok {
			return mention{text: b.written(n), metric: m, versus: end, at: from}, true
		}
	}
	return mention{}, false
}

// call recognises worse and better.
func (b *builder) call(n ast.Node) (*call, bool) {
	name, m, ok := b.ofMetric(n, "worse", "better")
	if !ok {
		return nil, false
	}
	_, arguments, _ := function(n)
	tolerance, _ := lang.Constant(arguments[1])
	return &call{b.written(n), m, tolerance, name == "worse"}, true
}

// of returns the mention of the ratio that a call compares.
func (c *call) of(at int) mention {
	return mention{text: "ratio(" + c.metric.Name + ")", metric: c.metric, versus: "ratio", at: at}
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
	if g, ok := b.growth(n); ok {
		b.noteGrowth(g, n.(*ast.BinaryNode))
		return
	}
	if d, ok := b.drift(n); ok {
		b.noteDrift(d, n.(*ast.BinaryNode))
		return
	}
	if c, ok := b.call(n); ok {
		from, _ := b.program.Span(n)
		b.note(c.of(from))
		b.tolerance(n)
		return
	}
	b.inspect(n)
}

// tolerance adds a problem for a tolerance that is not known before the run, or that
// is probably a mistake: 1.05 is a ratio, and 5 is a percentage without its sign.
func (b *builder) tolerance(n ast.Node) {
	name, arguments, _ := function(n)
	from, _ := b.program.Span(arguments[1])
	text := b.written(arguments[1])
	switch x, constant := lang.Constant(arguments[1]); {
	case !constant:
		b.problem(from, fmt.Sprintf("the tolerance of %s must be a number that is written out", name), usage[name])
	case !b.dimension(arguments[1]).fits(count):
		b.problem(from, fmt.Sprintf("the tolerance of %s is a share of the base, and %s is %s", name, text, b.dimension(arguments[1])), usage[name])
	case x < 0:
		b.problem(from, fmt.Sprintf("the tolerance of %s is negative", name), "it is the change that is too small to care about, in either direction: "+usage[name])
	case x >= 1 && !strings.Contains(text, "%"):
		hint := fmt.Sprintf("as a percentage it is %g%%", 100*x)
		switch {
		case x > 1 && x < 2:
			hint = fmt.Sprintf("did you mean %s?", units.Format(x-1, result.Percent))
		case x >= 2 && x <= 100:
			hint = fmt.Sprintf("did you mean %g%%?", x)
		}
		b.problem(from, fmt.Sprintf("the tolerance of %s is a share of the base, and %s is more than all of it", name, text), hint)
	}
}

// badCall adds a problem for a call that is wrong or not allowed there.
func (b *builder) badCall(n *ast.CallNode) {
	if b.badGeomean(n) || b.badOrder(n) || b.badTrend(n) || b.badArc(n) {
		return
	}
	from, _ := b.program.Span(n)
	name, arguments, ok := function(n)
	if !ok {
		b.badCase(n)
		return
	}
	if _, _, ok := b.ofMetric(n, name); !ok {
		at, _ := b.program.Span(arguments[0])
		b.problem(at, fmt.Sprintf("%s takes a metric of this case, by its name alone", name), usage[name])
		return
	}
	if name == "ci" {
		b.problem(from, "ci needs the end of the interval right after it", usage[name])
		return
	}
	b.problem(from, fmt.Sprintf("%s can be undecided: use it alone or with and, or, not and ?:", name), usage[name])
}

// wrongCall returns a better message and hint for a wrong use of one of the functions. ok is
// false if the fault has nothing to do with them.
func (b *builder) wrongCall(f *lang.Fault) (better, hint string, ok bool) {
	better, hint, ok = b.wrongArc(f)
	if ok {
		return better, hint, true
	}
	for _, id := range lang.Identifiers(b.source.Expr) {
		name := id.Name
		miscounted := f.Kind == lang.Arguments && f.Name == name
		switch {
		case name == geomean && (miscounted || strings.HasPrefix(f.Signature, "func(text) (number")):
			return geomeanTakes, geomeanUsage, true
		case name == orderName:
			return orderTakes, orderUsage, true
		case name == trendName && f.Kind == lang.UnknownField && strings.HasPrefix(f.Of, trendName+"("):
			return fmt.Sprintf("a trend has a drift, and no %q", f.Name), trendUsage, true
		case name == trendName && f.Kind == lang.UnknownField && f.Of == trendName, name == trendName && (miscounted || f.Kind == lang.NotTruth || f.Mentions("Trend")):
			return trendTakes, trendUsage, true
		case usage[name] == "":
		case miscounted:
			if strings.Contains(b.source.Expr.Value, "exit_code") {
				return name + " takes a metric that varies, and exit_code is a number", "exit_code == base.exit_code", true
			}
			return takes[name], usage[name], true
		case strings.HasPrefix(f.Signature, "func(Metric"), f.Kind == lang.NotTruth:
			return takes[name], usage[name], true
		case f.Mentions("Interval"):
			return "ci is an interval, and has two ends", usage["ci"], true
		}
	}
	return "", "", false
}
