package report

import (
	"fmt"
	"strings"

	"example.com/suite/result"
)

// machine describes where the run took place, most telling first.
func machine(m result.Machine) []string {
	cpus := fmt.Sprintf("%d CPUs", m.CPUs)
	if m.CPUs == 1 {
		cpus = "1 CPU"
	}
	if m.GOMAXPROCS != m.CPUs && m.GOMAXPROCS > 0 {
		cpus += fmt.Sprintf(" (GOMAXPROCS %d)", m.GOMAXPROCS)
	}
	parts := []string{m.CPU, cpus}
	if m.Memory > 0 {
		parts = append(parts, result.Format(float64(m.Memory), "B"))
	}
	parts = append(parts, strings.TrimSpace(m.OS+"/"+m.Arch+" "+m.Kernel), m.Virtual)
	if m.Load != "" {
		parts = append(parts, "load "+m.Load)
	}
	return present(parts)
}

// present drops what is empty.
func present(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// clockLines says what timing costs in the hosts of a suite.
func clockLines(cals []result.Calibration, suite string) []string {
	var lines []string
	for i := range cals {
		if c := &cals[i]; c.Suite == suite {
			lines = append(lines, clockLine(c)...)
		}
	}
	return lines
}

func clockLine(c *result.Calibration) []string {
	var lines []string
	if c.Host == "command" && c.SpawnFloor != nil {
		f := c.SpawnFloor
		line := fmt.Sprintf("commands: an empty program takes %s", result.Format(f.Time, "s"))
		if f.RSS > 0 {
			line += " and " + result.Format(f.RSS, "B")
		}
		lines = append(lines, line+" (not subtracted)")
	} else {
		lines = append(lines, readingLine(c))
	}
	for _, s := range c.Clock.Skipped {
		lines = append(lines, fmt.Sprintf("clock %s not used: %s", s.Name, s.Reason))
	}
	return lines
}

func readingLine(c *result.Calibration) string {
	line := fmt.Sprintf("clock %s: %s a reading, step %s", c.Clock.Name,
		plusMinus(c.Clock.Cost, c.Clock.CostError), result.Format(c.Clock.Resolution, "s"))
	var loops []string
	if l := c.Direct; l != nil {
		loops = append(loops, result.Format(l.Iteration+l.IterationError, "s")+" direct")
	}
	if l := c.Indirect; l != nil {
		loops = append(loops, result.Format(l.Iteration+l.IterationError, "s")+" indirect")
	}
	if len(loops) > 0 {
		line += " · loop ≤ " + strings.Join(loops, ", ")
	}
	return line
}

// plusMinus prints a number with its error in the same unit: 41.2 ± 1.3 ns.
func plusMinus(x, err float64) string {
	if err <= 0 {
		return result.Format(x, "s")
	}
	i := timeScale.pick(x, err)
	return timeScale.print(x, err, i) + " ± " + timeScale.print(err, err, i) + " " + timeScale[i].name
}

// evidence is the headline of a case in one line, for reports of single gates.
func evidence(c *result.Case) string {
	s := measured(c, "time")
	if s == nil {
		return ""
	}
	line := "time " + amount(s.Median, half(s), timeScale) + perUnit(c)
	if s.Bound != nil {
		line = "time < " + result.Format(*s.Bound, "s") + perUnit(c)
	} else if s.Low != nil && s.High != nil {
		line += fmt.Sprintf(", %s to %s (%s)", amount(*s.Low, half(s), timeScale), amount(*s.High, half(s), timeScale), whole(s.Confidence))
	}
	return fmt.Sprintf("%s, %d samples × %d", line, c.Samples.Len(), c.Iterations)
}
