package gate

import (
	"fmt"
	"reflect"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
	"github.com/expr-lang/expr/ast"
)

// call is a comparative call: worse(metric, tolerance) or better(metric, tolerance).
type call struct {
	claim
	worse bool
}

// worse and better compare a metric with the base's at a tolerance.
var (
	_ = define(function{Function: Function{
		Name:   "worse",
		OfBase: true,
		Usage:  "not worse(time, 3%)",
		Takes:  "worse takes a metric and a tolerance",
		Type:   reflect.TypeFor[func(Metric, float64) bool](),
		Leaf:   recogniseCall("worse"),
		Misuse: onlyAlone,
		Fault:  metricFault,
	}})
	_ = define(function{Function: Function{
		Name:   "better",
		OfBase: true,
		Usage:  "better(time, 3%)",
		Takes:  "better takes a metric and a tolerance",
		Type:   reflect.TypeFor[func(Metric, float64) bool](),
		Leaf:   recogniseCall("better"),
		Misuse: onlyAlone,
		Fault:  metricFault,
	}})
)

func recogniseCall(name string) func(*builder, ast.Node) (functionKind, bool) {
	return func(b *builder, n ast.Node) (functionKind, bool) {
		m, ok := b.ofMetric(n, name)
		if !ok {
			return nil, false
		}
		tolerance, _ := lang.Constant(n.(*ast.CallNode).Arguments[1])
		return &call{claim{m, tolerance}, name == "worse"}, true
	}
}

// of returns the mention of the ratio that a call compares.
func (c *call) of(at int) mention {
	return mention{text: "ratio(" + c.metric.Name + ")", at: at, metric: c.metric, by: ratio{}}
}

func (c *call) mentions() []mention { return []mention{c.of(0)} }
func (c *call) asks() claim         { return c.claim }

// Without a base a call is never judged, so it takes no share. It takes two if instructions may decide what the time
// does not.
func (c *call) shares(s *Source) int {
	compared := s.Base != "" && !s.Unpaired && s.Unmatched == "" && s.Unaffected == ""
	switch {
	case !compared || c.metric.Exact || !c.metric.Sampled && !c.metric.Counted:
		return 0
	case s.ByInstructions && c.metric.Name == "time":
		return 2
	}
	return 1
}

func (c *call) question() string {
	return fmt.Sprintf("%s(%s, %v)", c.word(), c.metric.Name, c.tolerance)
}

func (c *call) checkCall(b *builder, n ast.Node) {
	from, _ := b.program.Span(n)
	b.note(c.of(from))
	b.tolerance(n)
}

// tolerance adds a problem for a tolerance that is not known before the run, or that
// is probably a mistake: 1.05 is a ratio, and 5 is a percentage without its sign.
func (b *builder) tolerance(n ast.Node) {
	name, arguments, _ := callee(n)
	usage := b.functions.find(name).Usage
	from, _ := b.program.Span(arguments[1])
	text := b.written(arguments[1])
	switch x, constant := lang.Constant(arguments[1]); {
	case !constant:
		b.problem(from, fmt.Sprintf("the tolerance of %s must be a number that is written out", name), usage)
	case !b.dimension(arguments[1]).fits(count):
		b.problem(from,
			fmt.Sprintf("the tolerance of %s is a share of the base, and %s is %s", name, text,
				b.dimension(arguments[1])),
			usage)
	case x < 0:
		b.problem(from, fmt.Sprintf("the tolerance of %s is negative", name),
			"it is the change that is too small to care about, in either direction: "+usage)
	case x >= 1 && !strings.Contains(text, "%"):
		hint := fmt.Sprintf("as a percentage it is %g%%", 100*x)
		switch {
		case x > 1 && x < 2:
			hint = fmt.Sprintf("did you mean %s?", units.Format(x-1, result.Percent))
		case x >= 2 && x <= 100:
			hint = fmt.Sprintf("did you mean %g%%?", x)
		}
		b.problem(from, fmt.Sprintf("the tolerance of %s is a share of the base, and %s is more than all of it", name,
			text),
			hint)
	}
}

// explained returns the answer to a call and its reason, in words and numbers.
func (c *call) explained(v *sides.Versus, base string) string {
	answer, tolerance := c.answer(v), units.Format(c.tolerance, result.Percent)
	if answer == result.Inconclusive && (v.Why != "" || !v.HasBounds) {
		return v.Unknown(base)
	}
	text := v.MoveText(base)
	switch {
	case answer == result.Inconclusive && v.IsBound():
		return text + fmt.Sprintf(", and the bound does not show whether it is %s by more than %s", c.word(), tolerance)
	case answer == result.Inconclusive && v.RunsWanted().Text != "":
		return text + ", and " + v.RunsWanted().Text
	case answer == result.Inconclusive:
		what := "pairs"
		if v.Runs > 0 {
			what = "runs"
		}
		text += fmt.Sprintf(", and the %s do not show whether it is %s by more than %s", what, c.word(), tolerance)
	case c.worse && c.tolerance == 0:
		text += ", and nothing is tolerated"
	case c.worse:
		text += fmt.Sprintf(", and %s is tolerated", tolerance)
	case answer == result.Pass:
		text += fmt.Sprintf(", a gain of more than %s", tolerance)
	default:
		text += fmt.Sprintf(", not a gain of more than %s", tolerance)
	}
	if v.Runs > 0 {
		return text + ": " + v.Basis()
	}
	if v.Exact || v.Used == nil { // exact numbers are not counted
		return text
	}
	return text + ": " + c.evidence(v)
}

func (c *call) word() string {
	if c.worse {
		return "worse"
	}
	return "better"
}

// evidence counts the observations that decided.
func (c *call) evidence(v *sides.Versus) string {
	s, limit := c.sequence(v), 1+c.tolerance
	if s == v.Other {
		limit = 1 / limit
	}
	above, below := s.Counts()
	edge := sides.Signed(limit)
	if c.tolerance == 0 {
		edge = "the base"
	}
	count, where, side := above, "above", stats.Above
	if s.Side() == stats.Below || s.Side() == stats.Undecided && below > above {
		count, where, side = below, "below", stats.Below
	}
	alpha := v.ErrorOf(s, side)
	needed, _ := stats.Threshold(s.Pairs(), alpha)
	switch {
	case s.Side() == stats.Undecided:
		if v.ErrorOf(s, stats.Above) == v.ErrorOf(s, stats.Below) {
			where = "on one side"
		}
		text := fmt.Sprintf("%d of %s are above %s and %d below, and %d %s would show it",
			above, v.Observations(s.Pairs()), edge, below, needed, where)
		return text + v.WouldTake(s.Pairs(), count, alpha)
	case count < needed:
		return fmt.Sprintf("the first %s have shown it to be %s %s", v.Observations(s.DecidedAt()), where, edge)
	}
	return fmt.Sprintf("%d of %s are %s %s, and %d suffice to show it",
		count, v.Observations(s.Pairs()), where, edge, needed)
}

// beyond returns the condition on the ratio that a call means, such as > 1.03.
func (c *call) beyond() (operator string, limit float64) {
	if c.worse == (c.metric.Direction == result.Higher) {
		return "<", 1 / (1 + c.tolerance)
	}
	return ">", 1 + c.tolerance
}

func (c *call) judge(j *judging, _ *leaf, _ bool) outcome {
	v, err := j.ratioOf(c.metric, c.tolerance, j.risks)
	if err != nil {
		return without(err)
	}
	o := outcome{verdict: c.answer(v), reasons: []string{c.explained(v, j.baseName())}, form: v.FormOf()}
	if o.verdict == result.Inconclusive {
		o.cause = v.UnclearCause()
	}
	return o
}

func (c *call) answer(v *sides.Versus) result.Verdict {
	if c.worse {
		return v.Worse()
	}
	return v.Better()
}

// steer decides worse or better as soon as the pairs do, and gives up if the ratio
// is so close to the limit that a verdict would take too long.
func (c *call) steer(j *judging) result.Verdict {
	v, hopeless := pairsSoFar(j.own, c.metric, c.tolerance, j.risks)
	if v == nil {
		return hopeless
	}
	if answer := c.answer(v); answer != result.Inconclusive {
		return answer
	}
	if v.Near(c.sequence(v) == v.Used) {
		return givenUp
	}
	return result.Inconclusive
}

// sequence returns the sequence that decides a call: the one whose limit the call asks about.
func (c *call) sequence(v *sides.Versus) *stats.Sequence {
	if c.worse == (c.metric.Direction == result.Higher) {
		return v.Other
	}
	return v.Used
}

func (c *call) againstSaved(j *judging, l *leaf, negated bool) outcome {
	t, err := j.saved().tripwire(c.metric, c.tolerance)
	switch {
	case err != nil:
		return broken(err)
	case t.Exact:
		return decided(c.answer(t.Versus), "", c.explained(t.Versus, j.gate.Base))
	case t.Why != "":
		return undecided(t.Cause, "", t.Unknown(j.gate.Base))
	}
	operator, limit := c.beyond()
	v := l.settle(t.plain().Against(operator, limit), t.wide().Against(operator, limit), negated)
	text := t.MoveText(j.gate.Base) + ", and " + units.Format(c.tolerance, result.Percent) + " is tolerated"
	if !c.worse {
		text = t.MoveText(j.gate.Base) + ", and a gain of more than " + units.Format(c.tolerance,
			result.Percent) + " is asked for"
	}
	return decided(v, "", text+t.doubtText(v, operator, limit, negated, sides.Signed))
}

func (c *call) finding(j *judging, negated bool) *result.Finding {
	v, err := j.ratioOf(c.metric, c.tolerance, j.risks)
	if err != nil {
		return nil
	}
	f := v.Finding(c.metric.Name)
	if f == nil {
		return nil
	}
	f.Operator, f.Limit = c.beyond()
	if c.worse && negated {
		f.Tolerance = &c.tolerance
	}
	return f
}

func (c *call) allows(*judging) (change float64, says bool) { return c.tolerance, true }

func (c *call) interval(j *judging) (at sides.Span, known bool) {
	v, err := j.ratioOf(c.metric, c.tolerance, j.risks)
	if err != nil || !v.HasBounds {
		return sides.Span{}, false
	}
	return v.Alarm(), true
}
