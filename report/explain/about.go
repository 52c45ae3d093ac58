package explain

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// about describes what a case runs, where it is declared, and the run that measured it.
func about(doc *result.Document, c *result.Case) page.Paragraph {
	m, seed := doc.MachineOf(c)
	if c.Shard > 0 && seed == "" {
		return page.Paragraph{page.Say("A case of shard %d of %d. The result of that shard is missing, and what the case runs is not known without it.", c.Shard, doc.Division.Count)}
	}
	var lines page.Paragraph
	if c.Description != "" {
		lines = append(lines, page.Say("%s", c.Description))
	}
	lines = append(lines, page.Say("%s, declared at %s.", body(c), cmp.Or(c.Place.String(), "an unknown place")))
	var params []string
	for _, p := range c.Params {
		params = append(params, p.Name+" = "+p.Text)
	}
	if len(params) > 0 {
		lines = append(lines, page.Say("Parameters: %s.", strings.Join(params, ", ")))
	}
	where := machine(m)
	if c.Shard > 0 {
		where = fmt.Sprintf("shard %d of %d, %s", c.Shard, doc.Division.Count, where)
	}
	return append(lines, page.Say("Run on %s with %s, %s, seed %s.", doc.Started.UTC().Format("2006-01-02 15:04 UTC"), doc.Tool.Name+" "+doc.Tool.Version,
		where, seed))
}

func machine(m result.Machine) string {
	return strings.TrimSpace(fmt.Sprintf("%s, %s/%s, %s", cmp.Or(m.CPU, "an unknown CPU"), m.OS, m.Arch, units.Plural(m.CPUs, "CPU")))
}

func body(c *result.Case) string {
	switch c.Kind {
	case result.KindShell:
		return fmt.Sprintf("The shell line %q", c.Identity.Shell)
	case result.KindGoTest:
		return "The Go benchmark " + c.Identity.Benchmark + " of " + c.Identity.Package
	case result.KindCommand:
		return "The command " + strings.Join(c.Identity.Argv, " ")
	}
	return "The Go function " + cmp.Or(c.Identity.Function, c.Name)
}

func failure(c *result.Case) []page.Block {
	f := c.Failure
	switch {
	case c.Status == result.NotRun:
		return sentence("The run ended before its turn came, so nothing is known about it.")
	case c.Status == result.LeftOut:
		return sentence("It was not measured, because %s. The suite file requires such programs for the case, or for its base.", c.MissingText())
	case f == nil:
		return nil
	}
	if c.IsVanished() { // counterpart has already explained the rest
		return sentence("What to try: %s", f.Hint)
	}
	text := fmt.Sprintf("It ended with %q in %s", f.Cause, f.Phase)
	if f.Batch > 0 {
		text += fmt.Sprintf(", in batch %d", f.Batch)
	}
	if f.Elapsed > 0 {
		text += " after " + units.Format(f.Elapsed, "s")
	}
	blocks := append(sentence("%s: %s", text, f.Message), page.Source(strings.Join(table.LastWords(f), "\n")))
	var end page.Paragraph
	if f.Hint != "" {
		end = append(end, page.Say("What to try: %s", f.Hint))
	}
	return append(blocks, append(end, page.Say("A case that could not be measured makes the run fail (exit 3): silence must not look like a pass.")))
}

// measured explains how the headline time was computed.
func measured(c *result.Case) page.Paragraph {
	s := c.Summary("time")
	if s == nil {
		return nil
	}
	lines := page.Paragraph{headline(c, s)}
	if l := c.Latency; l != nil {
		lines = append(lines, page.Say("The clock was read after each of %s. A reading costs %s, which is subtracted from each.",
			units.Plural(int(l.Count), "iteration"), units.Short(l.Cost.Value, "s")))
		lines = append(lines, arrivals(l)...)
	}
	if c.Inputs != nil {
		lines = append(lines, inputs(c))
	}
	lines = append(lines, interval(c, s))
	if n := len(c.Samples.Censored); n > 0 {
		lines = append(lines, page.Say("%d of %s were killed by the timeout of %s. They count as longer than that.",
			n, units.Plural(c.Samples.Count(), "run"), units.Format(c.Settings.Timeout, "s")))
	}
	if n := len(c.Samples.Disturbed); n > 0 {
		lines = append(lines, disturbed(c, n))
	}
	if why := stops[c.Stop]; why != "" && c.Settings.Sampling != "once" {
		lines = append(lines, page.Say("Sampling ended because %s.", why))
	}
	return lines
}

// arrivals explains the schedule of an open loop, and how far it was kept.
func arrivals(l *result.Latency) (lines page.Paragraph) {
	a := l.Arrivals
	if a == nil {
		return nil
	}
	spread := "evenly spread"
	if a.Poisson {
		spread = "at times drawn from the seed (a Poisson process)"
	}
	lines = append(lines, page.Say("Iterations were due %s in a second, %s, and latencies count from then; the time is that of the iterations alone. %s were achieved, and iterations took %s of the time between arrivals.",
		units.Format(a.Rate, ""), spread, units.Format(a.Achieved, "1/s"), units.Format(a.Utilization, result.Percent)))
	if a.Waits > 0 {
		lines = append(lines, page.Say("%s were waited for. They began %s late in the mean, and at most %s, which is part of their latency.",
			fmt.Sprintf("%d of %s", a.Waits, units.Plural(int(l.Count), "iteration")), units.ShortTime(a.Lag), units.ShortTime(a.MostLag)))
	}
	if a.Unserved > 0 {
		lines = append(lines, page.Say("%s were due and had not begun when measuring, or a block of pairs, ended. They count as slower than all others.", units.Plural(int(a.Unserved), "iteration")))
	}
	return lines
}

func headline(c *result.Case, s *result.Summary) page.Line {
	unit, batch := cmp.Or(c.Unit, "op"), "a run of its own"
	if c.Kind == result.KindGoTest {
		batch = fmt.Sprintf("a process of its own, which runs %s", units.Plural(int(c.Iterations), "iteration"))
	} else if c.Iterations > 1 {
		batch = fmt.Sprintf("a batch of %d iterations between two readings of the clock", c.Iterations)
	} else if c.Kind == result.KindGo {
		batch = "one iteration"
	}
	if s.Bound != nil {
		return page.Say("The time per %s is below resolution: it takes less than %s, and an empty loop takes %s. Each of %s is %s.",
			unit, units.Format(*s.Bound, "s"), units.Format(c.LoopCost+c.LoopError, "s"), units.Plural(c.Samples.Count(), "sample"), batch)
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
		made = fmt.Sprintf("Inputs were made while the clock stood, %d at a time: it was paused %s in a batch", in.Part, units.Plural(int(in.Parts-1), "time"))
	}
	return page.Say("%s. A pause costs %s; %s per %s is subtracted for it, and the time may be wrong by %s.", made,
		units.Short(in.Pause.Value, "s"), units.Short(in.Margin.Value, "s"), cmp.Or(c.Unit, "op"), units.Short(in.Margin.Error, "s"))
}

func boundWord(s *result.Summary) string {
	return map[int]string{1: "at least ", -1: "at most "}[s.Bounded("median")]
}

func interval(c *result.Case, s *result.Summary) page.Line {
	switch {
	case c.Settings.Sampling == "once":
		return page.Say("The suite asks for a single pass, so there is no interval: how much the next pass would differ is unknown.")
	case s.Low == nil:
		return page.Say("There are too few samples for an interval, so how much the next run would differ is unknown.")
	case s.High == nil:
		return page.Say("The true median is at least %s, with %s confidence; how long the killed runs would have taken is unknown.", units.Format(*s.Low, "s"), shareText(s.Confidence))
	}
	return page.Say("The true median is between %s and %s, with %s confidence. The interval is computed from %s of samples, because samples that follow each other are alike.",
		units.Format(*s.Low, "s"), units.Format(*s.High, "s"), shareText(s.Confidence), units.Plural(s.Blocks, "block"))
}

// shareText writes a share in percent with four decimals at most: 95%, 99.8571%.
func shareText(share float64) string { return units.Exact(math.Round(share*1e6) / 1e6) }

func disturbed(c *result.Case, n int) page.Line {
	cause := c.Samples.Disturbed[0]
	if _, _, all := c.Samples.Headline("time"); all {
		return page.Say("%d of %s lost the processor (the first: %s). These are more than half, so all are used: the others would describe rare moments.",
			n, units.Plural(c.Samples.Len(), "sample"), cause)
	}
	return page.Say("%d of %s lost the processor and are left out of the median (the first: %s).", n, units.Plural(c.Samples.Len(), "sample"), cause)
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

// doubts are the warnings of a case.
func doubts(c *result.Case) (all page.List) {
	for _, w := range c.Warnings {
		lines := []page.Line{page.Toned(page.Doubtful, w.Message)}
		if w.Hint != "" {
			lines = append(lines, page.Toned(page.Faint, "hint: "+w.Hint))
		}
		all = append(all, page.Item{Lines: lines})
	}
	return all
}
