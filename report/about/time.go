package about

import (
	"cmp"
	"fmt"
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Time explains how the headline time was computed.
func Time(c *result.Case) []page.Block {
	s := c.Summary("time")
	if s == nil {
		return nil
	}
	lines := page.Paragraph{headline(c, s)}
	lines = append(lines, latency(c)...)
	if c.Inputs != nil {
		lines = append(lines, inputs(c))
	}
	lines = append(lines, interval(c, s))
	if n := len(c.Samples.Censored); n > 0 {
		lines.Say("%d of %s were killed by the timeout of %s. They count as longer than that.",
			n, units.Plural(c.Samples.Count(), "run"), units.Format(c.Settings.Timeout, "s"))
	}
	if n := len(c.Samples.Disturbed); n > 0 {
		lines = append(lines, disturbed(c, n))
	}
	if why := stops[c.Stop]; why != "" && c.Settings.Sampling != "once" {
		lines.Say("Sampling ended because %s.", why)
	}
	return []page.Block{lines}
}

func headline(c *result.Case, s *result.Summary) page.Line {
	unit, batch := cmp.Or(c.Unit, "op"), "a run of its own"
	if c.Settings.Isolate == result.IsolateLaunch {
		batch = fmt.Sprintf("a call of the benchmark with %s, and a process makes several",
			units.Plural(int(c.Iterations), "iteration"))
	} else if c.Kind == result.KindGoTest || c.Identity.Harness != "" {
		batch = fmt.Sprintf("a process of its own, which runs %s", units.Plural(int(c.Iterations), "iteration"))
	} else if c.Iterations > 1 {
		batch = fmt.Sprintf("a batch of %d iterations between two readings of the clock", c.Iterations)
	} else if c.Kind == result.KindGo {
		batch = "one iteration"
	}
	if s.Bound != nil {
		return page.Say("The time per %s is below resolution: it takes less than %s, and an empty loop takes %s. Each "+
			"of %s is %s.", unit, units.Format(*s.Bound, "s"), units.Format(c.LoopCost+c.LoopError, "s"),
			units.Plural(c.Samples.Count(), "sample"), batch)
	}
	if c.Settings.Sampling == "once" {
		return page.Say("The time per %s is %s, in one pass: %s.", unit, units.Format(s.Median, "s"), batch)
	}
	return page.Say("The time per %s is %s%s: half of %s are above it, half below. Each sample is %s.",
		unit, boundWord(s), units.Format(s.Median, "s"), units.Plural(s.N, "sample"), batch)
}

// inputs explains how the inputs of the iterations were made, and what that did to the time.
func inputs(c *result.Case) page.Line {
	in := c.Inputs
	made := "The inputs of a batch were made before its clock started"
	if in.Parts > 1 {
		made = fmt.Sprintf("Inputs were made while the clock stood, %d at a time: it was paused %s in a batch",
			in.Part, units.Plural(int(in.Parts-1), "time"))
	}
	return page.Say("%s. A pause costs %s; %s per %s is subtracted for it, and the time may be wrong by %s.", made,
		units.Short(in.Pause.Value, "s"), units.Short(in.Margin.Value, "s"), cmp.Or(c.Unit, "op"),
		units.Short(in.Margin.Error, "s"))
}

func boundWord(s *result.Summary) string {
	return map[int]string{1: "at least ", -1: "at most "}[s.Bounded("median")]
}

func interval(c *result.Case, s *result.Summary) page.Line {
	switch {
	case c.Settings.Sampling == "once":
		return page.Say("The suite asks for a single pass, so there is no interval: how much the next pass " +
			"would differ is unknown.")
	case s.Low == nil:
		return page.Say("There are too few samples for an interval, so how much the next run would differ is unknown.")
	case s.High == nil:
		return page.Say("The true median is at least %s, with %s confidence; how long the killed runs would "+
			"have taken is unknown.", units.Format(*s.Low, "s"), shareText(s.Confidence))
	}
	return page.Say("The true median is between %s and %s, with %s confidence. The interval is computed from %s of "+
		"samples, because samples that follow each other are alike.",
		units.Format(*s.Low, "s"), units.Format(*s.High, "s"), shareText(s.Confidence), units.Plural(s.Blocks, "block"))
}

// shareText writes a share in percent with four decimals at most: 95%, 99.8571%.
func shareText(share float64) string { return units.Exact(math.Round(share*1e6) / 1e6) }

func disturbed(c *result.Case, n int) page.Line {
	cause := c.Samples.Disturbed[0]
	if _, _, all := c.Samples.Headline("time"); all {
		return page.Say("%d of %s lost the processor (the first: %s). These are more than half, so all are used: the "+
			"others would describe rare moments.", n, units.Plural(c.Samples.Len(), "sample"), cause)
	}
	return page.Say("%d of %s lost the processor and are left out of the median (the first: %s).",
		n, units.Plural(c.Samples.Len(), "sample"), cause)
}

// stops has the reasons for the end of sampling in words.
var stops = map[result.Stop]string{
	result.StopTargetTime:  "the case had its target_time, and no gate was open",
	result.StopPrecision:   "the interval was as narrow as precision asks for",
	result.StopDecided:     "all of its gates were decided",
	result.StopLaunches:    "it had as many launches as a verdict takes, and no gate wanted more",
	result.StopMaxTime:     "max_time was over",
	result.StopSamplesMax:  "it had as many samples as samples.max allows",
	result.StopBudget:      "the budget of the suite was used up",
	result.StopInterrupted: "the run was interrupted",
}

// Passes are the work, time and rates of cases that were sampled once.
func Passes(g *table.Group) []page.Block {
	var all page.List
	for i := range g.Rows {
		if r := &g.Rows[i]; r.Pass != "" {
			all = append(all, item(page.Plain, r.Name+": "+r.Pass))
		}
	}
	return page.Blocks(all)
}

// Samples has the statistics of each metric, nil if the case was not measured.
func Samples(c *result.Case) *page.Table {
	if c.Status != result.Measured || len(c.Metrics) == 0 {
		return nil
	}
	t := &page.Table{
		Caption: page.Text("Samples"),
		Columns: page.Numbers("metric", "n", "median", "from", "to", "mean", "σ", "min", "p90", "p99", "max"),
	}
	for i := range c.Metrics {
		m := &c.Metrics[i]
		f := func(x float64) string { return units.Format(x, m.Unit) }
		low, high := "", ""
		if m.Low != nil {
			low = f(*m.Low)
		}
		if m.High != nil {
			high = f(*m.High)
		}
		t.Add(m.Metric, fmt.Sprint(m.N), number.BoundSign(m)+f(m.Median), low, high, f(m.Mean), f(m.StdDev), f(m.Min),
			f(m.P90), f(m.P99), f(m.Max))
	}
	return t.Filled()
}
