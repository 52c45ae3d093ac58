package gate

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// Arcs of pegs in expressions: arc("parse", "emit").p99.

const (
	arcName  = "arc"
	arcUsage = `arc("parse", "emit").p99 < 1ms`
	arcTakes = "arc takes the names of two points, or of one span, in quotes"
)

var _ = define(function{Function: Function{
	Name:   arcName,
	Usage:  arcUsage,
	Takes:  arcTakes,
	Type:   reflect.TypeFor[func(names ...string) (*Arc, error)](),
	Number: recogniseArc,
	Misuse: badArc,
	Whole:  wrongArc,
	IsFor:  func(s *Source) bool { return s.Pegs },
}, call: func(j *judging) any { return j.arcFunction }})

// Arc contains the statistics of arc("from", "to") or arc("span") over the pass with
// pegs, in seconds except for Count. Unknown ones are NaN.
type Arc struct {
	Count        float64 `expr:"count"`
	Sum          float64 `expr:"sum"`
	Min          float64 `expr:"min"`
	Max          float64 `expr:"max"`
	Mean         float64 `expr:"mean"`
	StdDev       float64 `expr:"stddev"`
	P50          float64 `expr:"p50"`
	Median       float64 `expr:"median"` // another name of P50
	P90          float64 `expr:"p90"`
	P99          float64 `expr:"p99"`
	PerIteration float64 `expr:"per_iteration"` // Sum over the iterations of the pass, or the runs of a command
}

var arcStats = fieldsByTag(reflect.TypeFor[Arc]())

// between identifies an arc by its two points, or a span by its name.
type between struct {
	from, to string // from is empty for a span
	span     bool
}

// arcMetric is the metric of mentions of arcs. It is not sampled, so that no gate on
// arcs prolongs sampling.
var arcMetric = result.Metric{Name: arcName, Unit: "s"}

// recogniseArc recognises arc("from", "to").stat and arc("span").stat. Names must be literals, so
// that a misspelt one is found before anything runs if the case lists its points.
func recogniseArc(b *builder, n ast.Node) (mention, bool) {
	stat, ok := property(n)
	if _, known := arcStats[stat]; !ok || !known {
		return mention{}, false
	}
	arguments, ok := callOf(arcName, n.(*ast.MemberNode).Node)
	names, written := texts(arguments)
	if !ok || !written || len(names) < 1 || len(names) > 2 {
		return mention{}, false
	}
	arc := between{to: names[len(names)-1], span: len(names) == 1}
	if !arc.span {
		arc.from = names[0]
	}
	from, _ := b.program.Span(n)
	return mention{text: b.written(n), at: from, metric: arcMetric, stat: stat, by: arc}, true
}

// texts returns the values of arguments that are string literals. ok is false if one is not.
func texts(arguments []ast.Node) (words []string, ok bool) {
	for _, n := range arguments {
		text, is := n.(*ast.StringNode)
		if !is {
			return nil, false
		}
		words = append(words, text.Value)
	}
	return words, true
}

// noted records a mention of an arc, and adds a problem if the case never has the
// arc.
func (of between) noted(b *builder, m mention) {
	if !b.source.Pegs {
		b.problem(m.at, "this case has no pegs", "measure its arcs: pegs: true")
		return
	}
	names := []string{of.from, of.to}
	if of.span {
		names = names[1:]
	}
	for _, name := range names {
		if len(b.source.Points) > 0 && !slices.Contains(b.source.Points, name) {
			b.problem(m.at, fmt.Sprintf("point %q is not among the pegs of this case", name),
				nearestPoint(name, b.source.Points))
		}
	}
	b.mentions(m)
}

func nearestPoint(name string, points []string) string {
	if near, ok := diag.Nearest(name, points); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Sprintf("pegs: [%s, %s]", strings.Join(points, ", "), name)
}

// badArc adds a problem for a call of arc that is wrong or not allowed in its place.
func badArc(b *builder, f *Function, n *ast.CallNode) {
	from, _ := b.program.Span(n)
	if names, written := texts(n.Arguments); !written || len(names) < 1 || len(names) > 2 {
		b.problem(from, arcTakes, arcUsage)
		return
	}
	b.problem(from, "an arc needs its statistic right after it", arcHint)
}

// arcHint lists the statistics in the order of Arc.
var arcHint = "it has statistics: count, sum, min, max, mean, stddev, p50, median, p90, p99, per_iteration"

// Type errors with arcs, recognised by the text of the expression.
var (
	statless = lazy.Regexp(`^\s*arc\([^()]*\)\s*$`)
	unquoted = lazy.Regexp(`\barc\((?:[^()]*,)?\s*([a-zA-Z_]\w*)\s*[,)]`)
)

// wrongArc returns a better message and hint for a wrong use of arcs. ok is false if the fault
// has nothing to do with arcs.
func wrongArc(b *builder, _ *Function, f *lang.Fault) (better, hint string, ok bool) {
	text := b.source.Expr.Value
	if f.Kind == lang.UnknownName || f.Kind == lang.UnknownField {
		return unknownArc(f, text)
	}
	ofArc := regexp.MustCompile(`\b(` + b.functions.pattern((*Function).takesMetric) +
		`)\(\s*arc\(`).FindStringSubmatch(text)
	switch {
	case ofArc != nil:
		name := ofArc[1]
		return fmt.Sprintf("%s takes a metric: an arc is measured in one pass of each side, which is not "+
			"enough to compare",
			name), "give the arc a limit of its own: " + arcUsage, true
	case f.Kind == lang.Arguments && f.Name == arcName, f.Signature != "" && f.Mentions("Arc"):
		return arcTakes, arcUsage, true
	case f.Mentions("Arc"), statless().MatchString(text):
		return "an arc is not a value", arcHint, true
	}
	return "", "", false
}

func unknownArc(f *lang.Fault, text string) (better, hint string, ok bool) {
	m := unquoted().FindStringSubmatch(text)
	switch {
	case f.Name == arcName && (f.Of == "base" || strings.HasPrefix(f.Of, "case(")):
		return "a gate can only read arcs of its own case", "put the gate into the case with the arcs: " +
			arcUsage, true
	case f.Of == arcName:
		return arcTakes, arcUsage, true
	case strings.HasPrefix(f.Of, arcName+"("):
		return fmt.Sprintf("an arc has no %q", f.Name), arcHint, true
	case m != nil && f.Kind == lang.UnknownName && f.Name == m[1]:
		return arcTakes, fmt.Sprintf("%q", m[1]), true
	}
	return "", "", false
}
