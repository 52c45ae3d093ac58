package table

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/column"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// machines describes the computers of a run: one, or several with the CPUs that they have.
func machines(doc *result.Document) []string {
	d := doc.Division
	switch {
	case doc.IsShard():
		return append(machine(doc.Machine), fmt.Sprintf("shard %d of %d", d.Index, d.Count))
	case d == nil || len(d.Machines) == 0:
		return machine(doc.Machine)
	}
	parts := []string{units.Plural(len(d.Machines), "machine")}
	if n := d.Count - len(d.Machines); n > 0 {
		parts[0] += fmt.Sprintf(", %d missing", n)
	}
	kinds := map[string]int{}
	var order []string
	for i := range d.Machines {
		m := d.Machines[i].Machine
		m.Load, m.Kernel = "", ""
		kind := strings.Join(machine(m), ", ")
		if kinds[kind] == 0 {
			order = append(order, kind)
		}
		kinds[kind]++
	}
	for _, kind := range order {
		if len(order) > 1 {
			kind = fmt.Sprintf("%d × %s", kinds[kind], kind)
		}
		parts = append(parts, kind)
	}
	return parts
}

// MachineOf describes the machine that measured a case of a merged document, empty if there
// is only one.
func MachineOf(doc *result.Document, c *result.Case) string {
	if c.Shard == 0 {
		return ""
	}
	m, _ := doc.MachineOf(c)
	return strings.Join(append([]string{fmt.Sprintf("shard %d", c.Shard)}, machine(m)...), ", ")
}

// machine describes the computer, the most important part first. Each part is short
// enough for a header line.
func machine(m result.Machine) []string {
	if m.OS == "" && m.CPUs == 0 {
		return nil // results of other programs, hyperfine's for example, lack it
	}
	cpus := fmt.Sprintf("%d CPUs", m.CPUs)
	if m.CPUs == 1 {
		cpus = "1 CPU"
	}
	if m.GOMAXPROCS != m.CPUs && m.GOMAXPROCS > 0 {
		cpus += fmt.Sprintf(" (GOMAXPROCS %d)", m.GOMAXPROCS)
	}
	parts := []string{m.CPU, cpus}
	if m.Memory > 0 {
		parts = append(parts, units.Format(float64(m.Memory), "B"))
	}
	parts = append(parts, strings.TrimSpace(m.OS+"/"+m.Arch+" "+m.Kernel), m.Virtual)
	if m.Load != "" {
		parts = append(parts, "load "+m.Load)
	}
	return NotEmpty(parts)
}

// seedText is the seed of a run, or that every machine had one of its own.
func seedText(doc *result.Document) string {
	if doc.Division != nil {
		for _, m := range doc.Division.Machines {
			if m.Seed != doc.Seed {
				return "differs between machines"
			}
		}
	}
	return doc.Seed
}

// toolText is the program that wrote the result: suite 0.1.0, go1.26.8.
func toolText(t result.Tool) string {
	return strings.Join(NotEmpty([]string{strings.TrimSpace(t.Name + " " + t.Version), t.Go}), ", ")
}

// NotEmpty is parts without the empty ones.
func NotEmpty(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// clockLines describes the cost of timing in the hosts of a suite. Hosts with
// different timers share some of the lines; each is printed once. Of several machines it
// describes the first.
func clockLines(cals []result.Calibration, suite string) []string {
	var lines []string
	seen := map[string]bool{}
	for i := range cals {
		if cals[i].Suite != suite {
			continue
		}
		for _, line := range clockLine(&cals[i]) {
			if subject, _, _ := strings.Cut(line, ": "); !seen[subject] {
				if shard := cals[i].Shard; shard > 0 {
					line += fmt.Sprintf(" (on shard %d)", shard)
				}
				seen[subject], lines = true, append(lines, line)
			}
		}
	}
	return lines
}

// memoryFloor is the peak memory, in bytes, of a command that does nothing. It is 0
// if the suite runs no commands or the floor was not measured.
func memoryFloor(cals []result.Calibration, suite string) (floor float64) {
	for i := range cals {
		if f := cals[i].SpawnFloor; f != nil && cals[i].Suite == suite {
			floor = max(floor, f.RSS)
		}
	}
	return floor
}

// emptyProgram names the program whose time is the least that a command takes.
func emptyProgram(f *result.Spawn) string {
	if filepath.IsAbs(f.Program) {
		return filepath.Base(f.Program)
	}
	return "an empty program"
}

func clockLine(c *result.Calibration) []string {
	var lines []string
	if c.Host == "command" && c.SpawnFloor != nil {
		f := c.SpawnFloor
		line := fmt.Sprintf("commands: %s takes %s (not subtracted)", emptyProgram(f), units.Format(f.Time, "s"))
		if f.RSS > 0 {
			line += "; memory below " + units.Format(f.RSS, "B") + " is not seen"
		}
		lines = append(lines, line)
	} else {
		lines = append(lines, readingLine(c))
	}
	if c.Counter != nil {
		lines = append(lines, counterLine(c.Counter))
	}
	for _, s := range c.Clock.Skipped {
		lines = append(lines, fmt.Sprintf("clock %s not used: %s", s.Name, s.Reason))
	}
	for _, s := range c.Skipped {
		lines = append(lines, fmt.Sprintf("counter %s not used: %s", s.Name, s.Reason))
	}
	return lines
}

// counterLine is the frequency of a counter, and the counts that one reading and one
// empty iteration take.
func counterLine(c *result.Counter) string {
	line := "counter " + c.Name + ": "
	if c.Frequency.Value > 0 {
		line += frequency(c.Frequency.Value)
		if c.Frequency.Error > 0 {
			line += " ± " + units.Tenths(c.Frequency.Error/c.Frequency.Value)
		}
		line += fmt.Sprintf(", %s %s a reading", units.Format(c.Cost.Value, ""), c.Unit)
	} else {
		line += "not calibrated, because most of its readings failed"
	}
	if c.UserOnly {
		line += ", without the kernel"
	}
	return line + loopsText(c.Direct, c.Indirect, "", c.Unit)
}

// frequency prints hertz with four digits, 2.300 GHz, whatever their error:
// counterLine prints the error after them.
func frequency(hertz float64) string {
	for _, step := range units.Hertz {
		x := hertz / step.Size
		digits := units.Exponent(x, 4)
		if text := strconv.FormatFloat(x, 'f', max(0, 3-digits), 64); math.Pow10(digits) < step.Limit {
			return text + " " + step.Name
		}
	}
	return units.Format(hertz, "Hz")
}

func readingLine(c *result.Calibration) string {
	line := fmt.Sprintf("clock %s: %s a reading, step %s", c.Clock.Name,
		plusMinus(c.Clock.Cost, c.Clock.CostError), units.Format(c.Clock.Resolution, "s"))
	return line + loopsText(c.Direct, c.Indirect, "s", "")
}

// loopsText is the upper bound of an empty iteration, for each kind of loop. One of
// unit and counted is set: loops are timed in seconds or counted.
func loopsText(direct, indirect *result.LoopCost, unit, counted string) string {
	var loops []string
	for _, l := range []struct {
		cost *result.LoopCost
		name string
	}{{direct, "direct"}, {indirect, "indirect"}} {
		if l.cost != nil {
			most := units.Format(l.cost.Iteration+l.cost.IterationError, unit)
			loops = append(loops, strings.Join(NotEmpty([]string{most, counted, l.name}), " "))
		}
	}
	if len(loops) == 0 {
		return ""
	}
	return " · loop ≤ " + strings.Join(loops, ", ")
}

// plusMinus prints a number of seconds and its error in one unit: 41.2 ± 1.3 ns.
func plusMinus(x, err float64) string {
	if err <= 0 {
		return units.Format(x, "s")
	}
	i := units.Time.Pick(x, err)
	return units.Time.Print(x, err, i) + " ± " + units.Time.Print(err, err, i) + " " + units.Time[i].Name
}

// Evidence is the time of a case in one line, with its interval and the number of
// samples.
func Evidence(c *result.Case) string {
	if c.JudgedByInstructions() {
		return countedEvidence(c)
	}
	s := number.MeasuredSummary(c, "time")
	if s == nil {
		return ""
	}
	if once := pass(c); once != "" {
		return once
	}
	line := "time " + number.BoundSign(s) + units.Amount(s.Median, number.HalfInterval(s),
		units.Time) + number.PerUnit(c)
	if s.Bound != nil {
		line = "time < " + units.Format(*s.Bound, "s") + number.PerUnit(c)
	} else if s.Low != nil && s.High != nil {
		line += fmt.Sprintf(", %s to %s (%s)",
			units.Amount(*s.Low, number.HalfInterval(s), units.Time), units.Amount(*s.High,
				number.HalfInterval(s), units.Time),
			units.Whole(s.Confidence))
	} else if s.Low != nil {
		line += fmt.Sprintf(", %s or more (%s)",
			units.Amount(*s.Low, number.HalfInterval(s), units.Time), units.Whole(s.Confidence))
	}
	line = fmt.Sprintf("%s, %d samples × %d", line, c.Samples.Count(), c.Iterations)
	if n := len(c.Samples.Censored); n > 0 {
		line += fmt.Sprintf(", %d killed after %s", n, units.Format(c.Settings.Timeout, "s"))
	}
	return line
}

// countedEvidence is the instructions of a case in one line, empty if it was not counted.
func countedEvidence(c *result.Case) string {
	s := number.MeasuredSummary(c, result.Instructions)
	if s == nil {
		return ""
	}
	return fmt.Sprintf("instructions %s%s, %s × %d", units.Format(s.Median, ""), number.PerOp(c),
		units.Plural(s.N, "run"), c.Counted.Iterations)
}

// pass is one line for a case that was sampled once, in the layout of mLib's
// bench_report: work, time, rate, and time and counts per unit of work. It is empty
// for other cases.
func pass(c *result.Case) string {
	t := number.MeasuredSummary(c, "time")
	work := float64(c.Iterations) * c.Work * float64(max(1, c.Settings.Parallel))
	if c.Settings.Sampling != "once" || t == nil || work <= 0 || t.Median <= 0 && t.Bound == nil {
		return ""
	}
	var facts []string
	took := units.Format(t.Median*work, "s")
	if t.Bound != nil {
		if t.Median < *t.Bound { // a net time; others show how long the pass was
			took = "< " + units.Format(*t.Bound*work, "s")
		}
		facts = append(facts, "< "+units.Format(*t.Bound, "s")+number.PerOp(c))
	} else {
		facts = append(facts, rate(c, 1/t.Median), units.Format(t.Median, "s")+number.PerOp(c))
	}
	for _, metric := range []string{"ticks", "cycles"} {
		switch s := number.MeasuredSummary(c, metric); {
		case s == nil:
		case s.Bound != nil:
			facts = append(facts, "< "+units.Format(*s.Bound, "")+" "+metric+number.PerOp(c))
		default:
			facts = append(facts, units.Format(s.Median, "")+" "+metric+number.PerOp(c))
		}
	}
	return fmt.Sprintf("single pass: %s in %s: %s", quantity(c, work), took, strings.Join(facts, ", "))
}

// quantity prints an amount of work, bytes with binary prefixes and all else with
// decimal ones.
func quantity(c *result.Case, x float64) string {
	if number.WorkUnit(c) == "byte" {
		return units.Amount(x, 0, units.Bytes)
	}
	return units.Amount(x, 0, units.Rate) + " " + number.WorkUnit(c)
}

func rate(c *result.Case, x float64) string { return quantity(c, x) + "/s" }

// versusEvidence is the comparison of the time in one line.
func versusEvidence(c *result.Case) string {
	o := c.MainComparison()
	if c.Pairs == nil || o == nil {
		return ""
	}
	line := fmt.Sprintf("%s %s %s", o.Metric, number.Change(o), o.Change)
	if o.Change == result.Unclear {
		line = o.Metric + " " + column.UnclearText(o)
	} else if within := number.Range(o); within != "" {
		line += " (" + within + ")"
	}
	if o.Runs > 0 {
		return fmt.Sprintf("%s against %s, %s of each side", line, c.Pairs.BaseName(), units.Plural(o.Runs, "run"))
	}
	line = fmt.Sprintf("%s against %s, %d of %d pairs used", line, c.Pairs.BaseName(), o.Used, o.Pairs)
	if o.Blocks > 0 {
		line += fmt.Sprintf(", of %d blocks", o.Blocks)
	}
	if o.Launches > 0 {
		line += fmt.Sprintf(", of %s", result.PerLaunch.Count(o.Launches))
	}
	return line
}

func JoinEvidence(lines ...string) string { return strings.Join(NotEmpty(lines), "; ") }
