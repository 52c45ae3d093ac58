// Package note makes the footnotes of a report: what is doubtful about its cases, gathered by kind.
package note

import (
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// Note is a footnote: one kind of doubt, and the cases that it concerns.
type Note struct {
	Number int // from 1; 0 for a doubt about the whole run
	Text   string
	Items  []string // "case: message", if the messages differ
	Hint   string
}

// Notes collects the warnings of all cases by kind: two hundred cases with the same
// problem make one footnote.
type Notes struct {
	doc   *result.Document
	brief bool
	usual map[string]timing          // by suite
	bases map[string]string          // the base that the suite's heading names, by suite
	kinds map[result.WarningCode]int // index in found
	found []gathered
}

func New(doc *result.Document, brief bool) *Notes {
	return &Notes{
		doc:   doc,
		brief: brief,
		usual: usualTimings(doc),
		bases: sharedBases(doc),
		kinds: map[result.WarningCode]int{},
	}
}

// Of records the warnings of a case and returns the kinds of its doubts, as indices
// of ns.found. It skips a doubt that follows from another one of the case.
func (ns *Notes) Of(c *result.Case) []int {
	var kinds []int
	all := slices.Concat(own(c), ns.timedBy(c), ns.comparedWith(c), c.Warnings)
	for _, w := range all {
		if w.Code == result.WarnFewSamples && isOnce(c) || follows(w.Code, all) {
			continue // one sample is what was asked for
		}
		if ns.brief && isIdle(w.Code, c) {
			continue
		}
		n := ns.kind(w)
		g := &ns.found[n]
		g.labels, g.messages = append(g.labels, ns.doc.Label(c)), append(g.messages, w.Sentence())
		if !slices.Contains(kinds, n) {
			kinds = append(kinds, n)
		}
	}
	return kinds
}

func (ns *Notes) kind(w result.Warning) int {
	if n, ok := ns.kinds[w.Code]; ok {
		return n
	}
	n := len(ns.found)
	ns.found, ns.kinds[w.Code] = append(ns.found, gathered{code: w.Code, hint: w.Hint}), n
	return n
}

// own derives doubts from the numbers of a case: it is below resolution, the loop is
// a large part of it, it has no interval, batches were left out, counts are
// estimates.
func own(c *result.Case) []result.Warning {
	s := number.MeasuredSummary(c, "time")
	var ws []result.Warning
	add := func(when bool, code result.WarningCode, format string, args ...any) {
		if when && !warned(c, code) {
			ws = append(ws, result.Say(format, args...).Warning(code, ""))
		}
	}
	if s == nil {
		return nil
	}
	loop := c.LoopCost + c.LoopError
	add(s.Bound != nil, result.WarnBelowResolution,
		"below resolution: not distinguished from an empty loop, which takes %s%s",
		result.Amount(loop, "s"), number.PerUnit(c))
	add(s.Bound == nil && c.Kind == result.KindGo && loop > s.Median/10, result.WarnLoopCost,
		"of which loop ≤ %s", loopText(c))
	add(isOnce(c), result.WarnSinglePass, "measured in a single pass: one number has no interval")
	noInterval := s.Low == nil && s.Bound == nil && !s.Exact && !isOnce(c)
	if 0 < s.Blocks && s.Blocks < s.N { // so the samples are not too few
		of := "blocks"
		if c.Launches > 1 {
			of = "launches"
		}
		add(noInterval, result.WarnFewSamples, "no interval: %s samples are of %s "+of+", too few for one",
			result.Number(s.N), result.Number(s.Blocks))
		noInterval = false
	}
	if n := len(c.Samples.Disturbed); n > 0 && c.Samples.Count() > s.N {
		add(noInterval, result.WarnFewSamples,
			"no interval: %s samples were disturbed and left out, and the rest is too few for one",
			result.Some(n, c.Samples.Count()))
		noInterval = false
	}
	add(noInterval, result.WarnFewSamples,
		"no interval, because there are too few samples for one (n = %s)", result.Number(s.N))
	if len(c.Samples.Censored) > 0 {
		add(true, result.WarnKilled, "%s", killedRuns(c))
	}
	add(c.Void > 0, result.WarnVoid, "%s", void(c))
	if in := c.Inputs; in != nil && s.Bound == nil {
		add(in.Margin.Error > s.Median/100, result.WarnPauses,
			"the clock was paused %s times in a batch, for new inputs: the time may be wrong by %s%s",
			result.Number(in.Parts-1),
			result.Amount(in.Margin.Error, "s"), number.PerUnit(c))
	}
	add(c.Retried > 0, result.WarnRetried,
		"run again because a reading of the counter was disturbed: %s batches",
		result.Some(c.Retried, c.Retried+int64(c.Samples.Count())))
	if c.Multiplexed != nil {
		add(*c.Multiplexed < 1, result.WarnMultiplexed,
			"the counters were on the hardware for %s of the time: counts are estimates",
			result.Printed(units.Whole(*c.Multiplexed), *c.Multiplexed, "ratio"))
	}
	return ws
}

func loopText(c *result.Case) result.Sentence {
	time := result.Amount(c.LoopCost+c.LoopError, "s")
	for _, unit := range []string{"ticks", "cycles"} {
		if c.LoopCount != nil && number.MeasuredSummary(c, unit) != nil {
			return result.Say("%s%s, %s %s%s",
				time, number.PerUnit(c), result.Amount(c.LoopCount.Value+c.LoopCount.Error, ""),
				unit, number.PerUnit(c))
		}
	}
	return result.Say("%s%s", time, number.PerUnit(c))
}

// void counts the iterations, or runs of a command, that were declared void. The ones
// before the first sample are not included.
func void(c *result.Case) result.Sentence {
	what := "iterations"
	if c.Kind != result.KindGo {
		what = "runs"
	}
	counted := int64(c.Samples.Count()) * max(1, c.Iterations)
	return result.Say("%s %s were declared void and left out", result.Some(c.Void, c.Void+counted), what)
}

func warned(c *result.Case, code result.WarningCode) bool {
	return slices.ContainsFunc(c.Warnings, func(w result.Warning) bool { return w.Code == code })
}

func isOnce(c *result.Case) bool { return c.Settings.Sampling == "once" }
