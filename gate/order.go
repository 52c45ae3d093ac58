package gate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/stats/order"
	"github.com/expr-lang/expr/ast"
)

// order(time) <= "n log n": how a metric grows with a size, fitted to all cases that
// differ only in that size.

const (
	orderName  = "order"
	orderUsage = `order(time) <= "n log n"`
	orderTakes = "order takes a metric of this case, and is compared with a class in quotes"
)

var _ = define(function{Function: Function{
	Name:   orderName,
	OfAll:  true,
	Usage:  orderUsage,
	Takes:  orderTakes,
	Type:   reflect.TypeFor[func(Metric) (string, error)](),
	Leaf:   recogniseOrder,
	Misuse: takes,
	Fault: func(*builder, *Function, *lang.Fault) (better, hint string, ok bool) {
		return orderTakes, orderUsage, true
	},
}})

// ordering is a comparison of the order of a metric with a class.
type ordering struct {
	text     string
	metric   result.Metric
	operator string
	class    order.Class
	at       int
}

// recogniseOrder recognises order(metric) OP "class", and the same with exchanged sides.
func recogniseOrder(b *builder, n ast.Node) (functionKind, bool) {
	binary, ok := n.(*ast.BinaryNode)
	if !ok || turned[binary.Operator] == "" {
		return nil, false
	}
	call, class := binary.Left, binary.Right
	operator := binary.Operator
	if _, ok := callOf(orderName, call); !ok {
		call, class = class, call
		operator = turned[operator]
	}
	arguments, ok := callOf(orderName, call)
	text, isText := class.(*ast.StringNode)
	if !ok || !isText || len(arguments) != 1 {
		return nil, false
	}
	m, known := b.ofMetric(call, orderName)
	from, _ := b.program.Span(call)
	c, _ := order.Parse(text.Value)
	return &ordering{b.written(n), m, operator, c, from}, known
}

// checkCall adds a problem for a metric that the case never has, for an unknown
// class, and for a case without a size.
func (g *ordering) checkCall(b *builder, n ast.Node) {
	binary := n.(*ast.BinaryNode)
	var class *ast.StringNode
	for _, side := range []ast.Node{binary.Left, binary.Right} {
		if s, ok := side.(*ast.StringNode); ok {
			class = s
		}
	}
	if _, ok := order.Parse(class.Value); !ok {
		at, _ := b.program.Span(class)
		hint := "classes are " + strings.Join(order.Names(), ", ")
		if near, ok := diag.Nearest(class.Value, order.Names()); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		b.problem(at, fmt.Sprintf("unknown class %q", class.Value), hint)
	}
	if !slices.ContainsFunc(b.source.Params, func(p result.Param) bool { return p.Number != nil }) {
		b.problem(g.at, "order needs a parameter that is a number, and this case has none",
			"a matrix of sizes: matrix: {size: [1KiB, 8KiB, 64KiB, 512KiB]}")
	}
	before := len(b.rule.mentions)
	b.note(mention{text: g.text, metric: g.metric, stat: "median", at: g.at})
	b.rule.mentions = b.rule.mentions[:min(before, len(b.rule.mentions))] // it is not a value of this case alone
}

func (g *ordering) mentions() []mention { return nil }

func (g *ordering) reads() result.Reading {
	return result.Reading{Of: result.OfOrder, Metric: g.metric.Name}
}

// judge decides a leaf with order(…). It is undecided if plausible classes disagree.
func (g *ordering) judge(j *judging, _ *leaf, _ bool) outcome {
	o := j.orderOf(g.metric)
	if o.Reason != "" {
		return undecided(result.CauseNoOrder, result.FormPoint,
			fmt.Sprintf("order(%s) is not known: %s", g.metric.Name, o.Reason))
	}
	holds := 0
	for _, name := range o.Plausible {
		c, named := order.Parse(name)
		if !named {
			c = order.Faster
		}
		if compares(c, g.operator, g.class) {
			holds++
		}
	}
	verdict := result.Inconclusive
	switch holds {
	case len(o.Plausible):
		verdict = result.Pass
	case 0:
		verdict = result.Fail
	}
	return decided(verdict, result.FormPoint,
		fmt.Sprintf("order(%s) is %s, limit O(%s)", g.metric.Name, o.Text(), g.class))
}

func compares(a order.Class, operator string, b order.Class) bool {
	switch operator {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "==":
		return a == b
	}
	return a != b
}

func (j *judging) orderOf(m result.Metric) result.Order {
	var own []result.Family
	for _, f := range j.cases.Families() {
		if slices.Contains(f.Cases, j.own.Case) {
			own = append(own, f)
		}
	}
	switch len(own) {
	case 0:
		return result.Order{Reason: fmt.Sprintf("this case is one of fewer than %d sizes", order.LeastSizes)}
	case 1:
		return orderOf(&own[0], m.Name)
	}
	var params []string
	for _, f := range own {
		params = append(params, f.Param)
	}
	return result.Order{Reason: "several parameters are sizes: " + strings.Join(params, ", ")}
}

// orderOf fits the growth of a metric in a family. It leaves out cases that were not
// measured or are below resolution.
func orderOf(f *result.Family, metric string) result.Order {
	o := result.Order{Suite: f.Suite, Family: f.Name, Param: f.Param, Metric: metric, Unit: f.Cases[0].Unit}
	var points []order.Point
	for i, size := range f.Sizes() {
		s := f.Cases[i].Summary(metric)
		if f.Cases[i].Status != result.Measured || s == nil || s.Bound != nil {
			continue
		}
		p := order.Point{N: size, Cost: s.Median}
		if s.Low != nil && s.High != nil && s.Median > 0 {
			p.Error = (*s.High - *s.Low) / 4 / s.Median // a 95% interval is about four standard errors wide
		}
		points = append(points, p)
	}
	o.Cases = len(points)
	if len(points) > 0 {
		o.From, o.To = points[0].N, points[len(points)-1].N
	}
	g, err := order.Of(points)
	if err != nil {
		o.Reason = err.Error()
		return o
	}
	o.Best = g.Best.Class.String()
	o.Error = g.Best.RMS
	o.Exponent = g.Exponent
	if !g.Fits {
		o.Reason = "no class fits " + o.Nearest()
		return o
	}
	for _, c := range g.Plausible {
		o.Plausible = append(o.Plausible, c.String())
	}
	return o
}

// Orders fits the growth of time in each family of cases that has enough sizes.
func Orders(cases []result.Case) []result.Order {
	var out []result.Order
	families := result.Families(cases, order.LeastSizes)
	for i := range families {
		if o := orderOf(&families[i], "time"); o.Cases >= order.LeastSizes {
			out = append(out, o)
		}
	}
	return out
}
