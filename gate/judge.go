package gate

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/defaults"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Judge fills in the gates of every case, in the order of the suite file. It reads
// summaries and samples, also of other cases for case("…"), and changes only Gates
// and Comparisons. The gates of a case that could not be measured are errors. Gates
// are skipped if their case was not reached, if it or a case that they read was skipped,
// or if they need a base and the case has none.
func (a *Assessed) Judge(cases []result.Case) {
	r := &run{a, sides.NewCases(cases), map[*sides.Subject]*values{}}
	for i := range cases {
		c := &cases[i]
		c.Gates = nil
		for _, g := range a.set.gates[sides.KeyOf(c)] {
			c.Gates = append(c.Gates, r.gate(g, c))
		}
		r.comparisons(c, a.set.gates[sides.KeyOf(c)])
		c.Forget()
	}
}

// run is one call of Judge.
type run struct {
	assessed *Assessed
	cases    *sides.Cases
	read     map[*sides.Subject]*values
}

func (r *run) gate(g *gate, c *result.Case) result.Gate {
	out := result.Gate{ID: g.ID, Expr: g.Expr.Value, Place: g.Expr.Place,
		Severity: g.Severity, OnInconclusive: g.OnInconclusive, Form: result.FormExact, Compares: g.rule.compares(),
		Reads: g.rule.reads()}
	if missing := r.missing(g, c); missing != "" {
		out.Verdict, out.Cause = result.NotJudged, result.CauseNoProgram
		out.Reason = missing
		return out
	}
	if r.assessed.set.partial[c.Suite] && g.rule.readsAll() {
		out.Verdict, out.Cause = result.NotJudged, result.CauseOtherShard
		out.Reason = "it reads all cases of the suite, of which other shards measure some: suite merge of all " +
			"shards judges it"
		return out
	}
	if g.Unaffected != "" {
		out.Verdict, out.Cause = result.Pass, result.CauseUnaffected
		out.Reason = "unaffected: " + g.Unaffected
		return out
	}
	switch c.Status {
	case result.Failed:
		out.Verdict, out.Cause = result.Error, result.CauseNotMeasured
		if c.Failure != nil && c.Failure.Cause == result.FailedUncounted { // nobody knows, and nothing is wrong
			out.Verdict, out.Cause = result.Inconclusive, result.CauseUncounted
		}
		out.Reason = "the case could not be measured"
		if c.Failure != nil {
			out.Reason += ": " + c.Failure.Message
		}
		return out
	case result.NotRun:
		out.Verdict, out.Cause = result.NotJudged, result.CauseNotRun
		out.Reason = "the case was not run"
		return out
	}
	if g.lacksMetrics(c) {
		out.Verdict, out.Cause = result.NotJudged, result.CauseNoMetric
		out.Reason = "the case is judged by instructions: no times were taken, and it has no other metric"
		return out
	}
	j := &judging{
		gate:      g,
		own:       r.cases.ByKey[sides.KeyOf(c)],
		cases:     r.cases,
		risks:     r.assessed.set.risks(c.Suite),
		host:      r.assessed.set.host,
		read:      r.read,
		functions: r.assessed.set.functions,
	}
	if err := j.unmatched(); g.rule.versus && err != nil {
		out.Verdict, out.Cause = result.NotJudged, sides.CauseOf(err)
		out.Reason = err.Error()
		return out
	}
	read := j.valuesOf(j.own)
	defer func() { read.current().ExitCode = read.metrics.ExitCode }()
	o := doubted(j, r.assessed.fitness[c.Suite], decide(g.rule.root, j, false))
	out.Verdict = o.verdict
	out.Form = o.form
	if o.second {
		out.DecidedBy = result.Instructions
	}
	out.Values = j.listed()
	switch o.verdict {
	case result.Pass:
		o.reasons = nil
	case result.Fail:
		out.Cause = result.CauseLimit
		out.Finding = j.finding(o.leaf, o.negated)
	default:
		out.Cause = o.cause
	}
	out.Reason = strings.Join(units.Distinct(append(o.reasons, o.notes...)), "; ")
	return out
}

// lacksMetrics reports whether a case is judged by instructions, and the gate reads another metric.
func (g *gate) lacksMetrics(c *result.Case) bool {
	return c.JudgedByInstructions() &&
		slices.ContainsFunc(g.rule.mentions, func(m mention) bool { return m.metric.Name != result.Instructions })
}

// missing explains that a case, or another one that its gate reads, was skipped. It is empty
// if none was.
func (r *run) missing(g *gate, c *result.Case) string {
	if c.Status == result.LeftOut {
		return "the case was skipped: " + c.MissingText()
	}
	for _, m := range g.rule.mentions {
		if m.other == nil || m.other.base {
			continue
		}
		other := r.cases.ByKey[sides.Key{Suite: c.Suite, Name: m.other.name}]
		if other != nil && other.Status == result.LeftOut {
			return fmt.Sprintf("case %q was skipped: %s", other.Name, other.MissingText())
		}
	}
	return ""
}

// comparisons fills in the comparisons of a case that has pairs: its time or what it is judged by, and each
// metric whose ratio a gate reads. The tolerance is the first one that a gate sets
// for the metric, else the default.
func (r *run) comparisons(c *result.Case, gates []*gate) {
	c.Comparisons = nil
	if c.Pairs == nil || c.Status != result.Measured {
		return
	}
	s, wanted := r.cases.ByKey[sides.KeyOf(c)], tolerances(c.MainMetric(), gates)
	for _, m := range c.Table() {
		tolerance, isWanted := wanted[m.Name]
		if !isWanted {
			continue
		}
		of := r.assessed.set.risks(c.Suite)
		if v, err := r.cases.Versus(s, sides.BasisOf(c), m, tolerance, of.alpha, of.within); err == nil {
			c.Comparisons = append(c.Comparisons, v.Comparison(c))
		}
	}
	if time := c.Comparison("time"); time != nil {
		time.Witness = r.cases.Witness(c, time)
	}
}

// tolerances maps the metrics to compare, the main one among them, to their tolerances.
func tolerances(main string, gates []*gate) map[string]float64 {
	said := map[string]float64{}
	gates = slices.DeleteFunc(slices.Clone(gates), func(g *gate) bool { return g.Unpaired }) // they have no pairs
	for _, g := range gates {
		for _, call := range g.rule.calls {
			if _, before := said[call.metric.Name]; !before {
				said[call.metric.Name] = call.tolerance
			}
		}
	}
	wanted := map[string]float64{main: defaults.Tolerance}
	for _, g := range gates {
		for _, m := range g.rule.mentions {
			if m.reading().Of == result.OfRatio || m.reading().Of == result.OfBase && m.stat != "" {
				wanted[m.metric.Name] = defaults.Tolerance
			}
		}
	}
	for name, tolerance := range said {
		wanted[name] = tolerance
	}
	return wanted
}
