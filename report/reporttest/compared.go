package reporttest

import (
	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Against adds 40 pairs with a base, two for each setup, whose times are shorter by the ratio,
// and the comparison of the time.
func Against(c *result.Case, base string, ratio, low, high float64, verdict result.Change) *result.Comparison {
	Sample(c, 40, c.Summary("time").Median, 0.01)
	for i := range c.Samples.Block {
		c.Samples.Block[i] = i / 2
	}
	p := &result.Pairs{Base: base, Iterations: c.Iterations,
		Samples: result.Samples{Columns: map[string]result.Column{}}}
	p.Samples.Launch = c.Samples.Launch
	p.Samples.Block = c.Samples.Block
	p.Samples.At = c.Samples.At
	for name, col := range c.Samples.Columns {
		for _, x := range col {
			p.Samples.Columns[name] = append(p.Samples.Columns[name], Digits(x/ratio, 6))
		}
	}
	for i := range c.Samples.Len() {
		p.First = append(p.First, i*7%3%2)
	}
	c.Pairs = p
	own := c.Summary("time").Median
	c.Comparisons = []result.Comparison{{Metric: "time", Unit: "s", Tolerance: 0.03, Alpha: 0.0025,
		Base:      Digits(own/ratio, 6),
		Candidate: own,
		Ratio:     result.Ratio(ratio), Low: Ptr(low), High: Ptr(high), Confidence: 0.995,
		Pairs: 40, Used: 40, Blocks: 20,
		Change: verdict}}
	return &c.Comparisons[0]
}

// BothCount adds samples of a metric to both sides of a case.
func BothCount(c *result.Case, metric string, base, own float64) {
	for range c.Samples.Len() {
		c.Samples.Columns[metric] = append(c.Samples.Columns[metric], own)
		c.Pairs.Samples.Columns[metric] = append(c.Pairs.Samples.Columns[metric], base)
	}
}

// Tolerance adds the implicit gate.
func Tolerance(c *result.Case, verdict result.Verdict, reason string) {
	Ask(c, "not worse(time, 3%)", "time", verdict, result.FormInterval, reason).ID = "tolerance"
}

// Ask adds a gate on the ratio of a metric.
func Ask(c *result.Case, expr, metric string, verdict result.Verdict, form result.Form, reason string) *result.Gate {
	g := Judge(c, expr, verdict, form, reason)
	g.Reads = []result.Reading{{Of: result.OfRatio, Metric: metric}}
	g.Cause = causes[verdict]
	return g
}

// causes are the usual causes of verdicts.
var causes = map[result.Verdict]result.Cause{
	result.Fail:         result.CauseLimit,
	result.Inconclusive: result.CauseNearLimit,
	result.Error:        result.CauseNotMeasured,
}

// Compared returns a document with every kind of comparison.
func Compared() *result.Document {
	d := Document("sort")
	d.Suites[0].Errors = &result.Errors{Family: 0.01, Calls: 4, Alpha: 0.0025}
	Allocates(Measure(d, "sort/base", 2.155e-6, 0.01), 2, 128)

	c := Measure(d, "sort/worse", 2.31e-6, 0.01)
	Against(c, "sort/base", 1.072, 1.061, 1.083, result.Worse).Used = 37
	c.Comparisons[0].Rule = "a side was disturbed"
	BothCount(c, "switches", 0, 0)
	BothCount(c, "instructions", 9211, 9871)
	c.Settings.Counters = []string{"instructions"}
	Allocates(c, 3, 192)
	Tolerance(c, result.Fail, "time is 7.2% longer than in sort/base (interval +6.1% to +8.3%), and 3% was allowed")

	c = Measure(d, "sort/better", 1.745e-6, 0.01)
	Against(c, "sort/base", 0.81, 0.802, 0.8183, result.Better)
	Tolerance(c, result.Pass, "")

	c = Measure(d, "sort/same", 2.159e-6, 0.01)
	Against(c, "sort/base", 1.002, 0.9982, 1.0061, result.Same)
	Tolerance(c, result.Pass, "")

	c = Measure(d, "sort/unclear", 2.18e-6, 0.01)
	u := Against(c, "sort/base", 1.0152, 0.9899, 1.0404, result.Unclear)
	u.Cause, u.Reason = result.CauseNearLimit, "time: the interval −1.0% to +4.0% contains the limit of +3%"
	BothCount(c, "switches", 0, 0)
	Tolerance(c, result.Inconclusive, "time: the interval −1.0% to +4.0% contains the limit of +3%")

	c = Measure(d, "sort/exact", 2.155e-6, 0.01)
	Against(c, "sort/base", 1, 0.9991, 1.0008, result.Same)
	Allocates(c, 3, 192)
	c.Comparisons = append(c.Comparisons, result.Comparison{
		Metric:    "allocs",
		Exact:     true,
		Alpha:     0.0025,
		Base:      2,
		Candidate: 3,
		Ratio:     1.5,
		Pairs:     40,
		Used:      40,
		Change:    result.Worse,
	})
	Ask(c, "not worse(allocs, 0%)", "allocs", result.Fail, result.FormExact, "allocs is 3, and 2 in sort/base")

	c = Measure(d, "sort/zero", 2.155e-6, 0.01)
	o := Against(c, "sort/base", 1, 0.9991, 1.0008, result.Better)
	o.Base = 2e-6
	o.Candidate = 0
	o.Ratio = 0
	o.Low = nil
	o.High = nil

	c = Measure(d, "sort/below", 0.31e-9, 0.01)
	o = Against(c, "sort/base", 1, 1, 1, result.Unclear)
	o.Low = nil
	o.High = nil
	o.Cause = result.CauseResolution
	o.Reason = "time cannot be compared with sort/base: below resolution (less than 0.4 ns here)"
	o.CandidateBound = Ptr(0.4e-9)
	c.Summary("time").Bound, c.LoopCost, c.LoopError = Ptr(0.4e-9), 0.31e-9, 0.03e-9

	c = Measure(d, "sort/above nothing", 1.5e-9, 0.01)
	o = Against(c, "sort/base", 4.59, 4.59, 4.59, result.Worse)
	o.High, o.Base, o.BaseBound, o.Confidence = nil, 0.25e-9, Ptr(0.27e-9), 0.98

	c = Measure(d, "sort/orphan", 2.155e-6, 0.01)
	Against(c, "sort/base", 1, 1, 1, result.Same)
	c.Comparisons = nil
	Ask(c, "ratio(time) < 1.05", "time", result.Error, result.FormExact, `base "sort/base" could not be measured`)
	for i := range d.Cases {
		d.Cases[i].Place = diag.Place{File: "suites/sort.yaml", Line: 6 + i, Col: 5}
	}
	d.Exit = d.Outcome().Exit
	return d
}
