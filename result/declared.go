package result

import (
	"regexp"
	"slices"
)

// Declared is a metric of the suite's own, with one number for each sample: the suite file
// declares that a program prints it, or a Go benchmark reports it (b.ReportMetric, and
// bench.Case.Report of a registered function).
type Declared struct {
	Name   string    `json:"name"`            // as gates spell it; not the name of another metric
	Unit   string    `json:"unit,omitempty"`  // of its numbers: s, B, 1/s, %, or a name of the suite's own; empty for plain counts
	Better Direction `json:"better"`          // lower or higher
	Exact  bool      `json:"exact,omitempty"` // compared without statistics, unless it was seen to vary
}

// DeclaredName matches the names that a declared metric may have.
var DeclaredName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Percent is the unit of shares: 0.03 is 3%.
const Percent = "%"

// Metric makes the row that the metric would have in the table.
func (d Declared) Metric(kind Kind) Metric {
	help := "printed by the program"
	if kind == KindGo {
		help = "reported by the function"
	}
	return Metric{Name: d.Name, Unit: d.Unit, Direction: d.Better, Exact: d.Exact, Kinds: []Kind{kind}, Sampled: true,
		When: everywhere, Help: help}
}

// Table lists every metric that the case may have: the metric table, then the metrics
// that the case declares.
func (c *Case) Table() []Metric {
	all := Metrics()
	if c.Settings.Callgrind {
		all = slices.Clone(all)
		for i := range all {
			all[i] = all[i].Simulated()
		}
	}
	for _, d := range c.Declared {
		all = append(all, d.Metric(c.Kind))
	}
	return all
}

// Metric finds a metric of the case by name, including declared ones.
func (c *Case) Metric(name string) (Metric, bool) {
	return named(c.Table(), name)
}

func (v *validator) declared(c *Case) {
	for _, d := range c.Declared {
		_, taken := FindMetric(d.Name)
		v.check(DeclaredName.MatchString(d.Name), "declared metric %q has no name that gates could write", d.Name)
		v.check(!taken, "declared metric %q has the name of one that every case has", d.Name)
		v.check(v.fresh("declared", c.Suite, c.Name, d.Name), "declared metric %q is there twice", d.Name)
		v.check(d.Better == Lower || d.Better == Higher, "declared metric %q: unknown better %q", d.Name, d.Better)
	}
}
