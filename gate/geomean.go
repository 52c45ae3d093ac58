package gate

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"github.com/expr-lang/expr/ast"
)

// geomean is the name of the mean of ratios in expressions and in mentions.
const geomean = "geomean"

const (
	geomeanUsage = `geomean("time") < 1.05`
	geomeanTakes = "geomean takes the name of a metric in quotes"
)

var _ = define(function{Function: Function{
	Name:   geomean,
	OfAll:  true,
	Usage:  geomeanUsage,
	Takes:  geomeanTakes,
	Type:   reflect.TypeFor[func(metric string) (float64, error)](),
	Number: recogniseMean,
	Misuse: badGeomean,
	Fault:  geomeanFault,
}, call: func(j *judging) any { return j.geomeanFunction }})

func geomeanFault(_ *builder, _ *Function, f *lang.Fault) (better, hint string, ok bool) {
	miscounted := f.Kind == lang.Arguments && f.Name == geomean
	return geomeanTakes, geomeanUsage, miscounted || strings.HasPrefix(f.Signature, "func(text) (number")
}

// recogniseMean recognises geomean("time"). Any case of the suite may declare the metric,
// not only the gate's own.
func recogniseMean(b *builder, n ast.Node) (mention, bool) {
	arguments, ok := callOf(geomean, n)
	if !ok || len(arguments) != 1 {
		return mention{}, false
	}
	name, ok := arguments[0].(*ast.StringNode)
	if !ok {
		return mention{}, false
	}
	m, known := metrics[name.Value]
	if !known {
		var d result.Declared
		d, known = b.source.Declared.find(name.Value, b.source.Case)
		m = d.Metric(b.source.Kind)
	}
	from, _ := b.program.Span(n)
	return mention{text: b.written(n), at: from, metric: m, by: mean{}}, known && m.Name != "exit_code"
}

// badGeomean adds a problem for a geomean whose argument is not a metric.
func badGeomean(b *builder, _ *Function, n *ast.CallNode) {
	arguments := n.Arguments
	at, _ := b.program.Span(arguments[0])
	message, hint := geomeanTakes, geomeanUsage
	if name, is := arguments[0].(*ast.StringNode); is && name.Value == "exit_code" {
		message = "exit_code is no metric that has a ratio"
	} else if is {
		message = fmt.Sprintf("unknown metric %q", name.Value)
		if near, ok := diag.Nearest(name.Value, b.source.metricNames()); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
	}
	b.problem(at, message, hint)
}

// mean is the geometric mean of the ratios of all cases of the suite.
type mean struct{}

func (mean) unit(mention) string { return "" }

var _ judgedOperand = mean{}

func (mean) compares() bool { return true }

func (mean) reading(m mention) result.Reading {
	return result.Reading{Of: result.OfMean, Metric: m.metric.Name}
}

// A mean need not include the gate's own case, so that nothing is asked of it.
func (mean) noted(b *builder, m mention) { b.mentions(m) }

func (mean) isExact(*judging, mention) bool { return false }

func (mean) value(j *judging, m mention) float64 {
	out, err := j.averaging().mean(m.metric)
	if err != nil || len(out.missing) > 0 {
		return math.NaN()
	}
	return out.value
}

func (a mean) listed(j *judging, m mention) result.Value {
	return result.Value{Text: m.text, Value: a.value(j, m), Note: a.note(j, m)}
}

func (a mean) interval(j *judging, m mention) (at sides.Span, known bool) {
	x := a.value(j, m)
	return sides.Span{Low: x, High: x}, true
}

// reliable returns why the first of the machines that measured the cases is unfit, and the largest
// floor of the cases that are compared with another tree.
func (mean) reliable(j *judging, m mention, f fitness) (unfit string, floor float64) {
	unfit, _ = f.of(j.own.Case)
	all := j.averaging()
	for _, s := range all.cases.InOrder {
		if s.Suite != all.suite || !contributes(s.Case, m.metric) {
			continue
		}
		why, least := f.of(s.Case)
		if s.Pairs != nil {
			unfit = cmp.Or(unfit, why)
		}
		if all.tree {
			floor = max(floor, least)
		}
	}
	return unfit, floor
}

// averaging is the cases of which a gate takes means, and what they are compared with.
type averaging struct {
	cases *sides.Cases
	suite string
	tree  bool // with another tree; false: with bases in this tree
}

// averaging returns the cases of the gate's suite. If the gate's case is compared, they are compared
// with what that case is compared with; else with another tree if any case of the suite is.
func (j *judging) averaging() averaging {
	a := averaging{cases: j.cases, suite: j.own.Suite}
	if b := j.basis(); b.Name != "" {
		a.tree = b.Tree
		return a
	}
	a.tree = slices.ContainsFunc(j.cases.InOrder, func(s *sides.Subject) bool {
		return s.Suite == a.suite && s.Pairs != nil && s.Pairs.Tree != ""
	})
	return a
}

// averaged is a mean with what it is of.
type averaged struct {
	value   float64
	cases   int
	missing []string     // cases that the mean should include, with the reasons why it does not
	cause   result.Cause // of the first missing case
}

// mean returns the geometric mean of the ratios, case ÷ base, of all cases of the suite that
// are compared in a metric. The error is non-nil if no case of the suite is compared in the metric.
func (a averaging) mean(m result.Metric) (averaged, error) {
	var out averaged
	sum := 0.0
	for _, s := range a.cases.InOrder {
		if s.Suite != a.suite || s.Pairs == nil || (s.Pairs.Tree != "") != a.tree || !contributes(s.Case, m) {
			continue
		}
		v, err := a.ratio(s, m)
		if err != nil {
			out.cause = cmp.Or(out.cause, sides.CauseOf(err))
			out.missing = append(out.missing, fmt.Sprintf("%s: %v", s.Name, err))
			continue
		}
		sum += math.Log(v.Ratio)
		out.cases++
	}
	if out.cases == 0 && len(out.missing) == 0 {
		return out, sides.Because(result.CauseNoPairs,
			"no case of the suite is compared in %s, so that there is no mean",
			m.Name)
	}
	out.value = math.Exp(sum / float64(max(1, out.cases)))
	return out, nil
}

// contributes reports whether a case has a ratio in a metric once it is measured.
func contributes(c *result.Case, m result.Metric) bool {
	of, has := c.Metric(m.Name)
	return has && slices.Contains(of.Kinds, c.Kind) && (of.OptIn == "" || c.Summary(m.Name) != nil)
}

// ratio compares one case with its base. The error is why there is no comparison,
// or no ratio that is finite and above zero.
func (a averaging) ratio(s *sides.Subject, m result.Metric) (*sides.Versus, error) {
	switch s.Status {
	case result.Failed:
		return nil, sides.Because(result.CauseNotMeasured, "it could not be measured")
	case result.NotRun:
		return nil, sides.Because(result.CauseNotRun, "it was not run")
	}
	if of, _ := s.Case.Metric(m.Name); of.Counted {
		m = of // its samples do not have it
	}
	v, err := a.cases.Versus(s, sides.BasisOf(s.Case), m, 0, sides.RatioAlpha, sides.RatioAlpha)
	switch {
	case err != nil:
		return nil, err
	case v.Why != "":
		return nil, &sides.Absence{Cause: v.Cause, Text: v.Why}
	case v.IsBound():
		return nil, sides.Because(result.CauseResolution, "below resolution")
	case !(v.Ratio > 0) || math.IsInf(v.Ratio, 1) || v.Ratio >= math.Exp(pairs.Far) || v.Ratio <= math.Exp(-pairs.Far):
		return nil, sides.Because(result.CauseNoRatio, "one side is zero, and there is no ratio")
	}
	return v, nil
}

// decideUnknown decides a leaf whose mean is unknown. The leaf is an error if nothing is compared,
// and inconclusive if a case is missing, because the ratio of that case could have any value.
func (mean) decideUnknown(j *judging, _ *leaf, m mention) (outcome, bool) {
	out, err := j.averaging().mean(m.metric)
	switch {
	case err != nil:
		return broken(err), true
	case len(out.missing) > 0:
		return undecided(out.cause, result.FormPoint, m.text+" is not known: "+missingText(out.missing)), true
	}
	return outcome{}, false
}

// mostMissing is the number of missing cases that are named. The others are counted.
const mostMissing = 3

func missingText(missing []string) string {
	if n := len(missing) - mostMissing; n > 1 {
		return strings.Join(missing[:mostMissing], "; ") + fmt.Sprintf("; and %d more", n)
	}
	return strings.Join(missing, "; ")
}

// geomeanFunction is the function geomean of expressions. It is called if a mean is a part of a
// larger term.
func (j *judging) geomeanFunction(name string) (float64, error) {
	m, known := metrics[name]
	if !known {
		d, _ := j.gate.Declared.find(name, j.gate.Case)
		m = d.Metric(j.gate.Kind)
	}
	out, err := j.averaging().mean(m)
	switch {
	case err != nil:
		return 0, err
	case len(out.missing) > 0:
		return 0, &sides.Absence{Cause: out.cause, Text: missingText(out.missing)}
	}
	return out.value, nil
}

// note returns the number of cases, and what they are compared with.
func (mean) note(j *judging, m mention) string {
	all := j.averaging()
	out, err := all.mean(m.metric)
	if err != nil {
		return ""
	}
	against := "their bases"
	if all.tree {
		against = "the other tree"
	}
	if out.cases == 1 {
		return "of 1 case compared with " + strings.Replace(against, "their bases", "its base", 1)
	}
	return fmt.Sprintf("of %d cases compared with %s", out.cases, against)
}
