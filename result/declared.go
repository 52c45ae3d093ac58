package result

import "regexp"

// Declared is a metric of the suite's own, with one number for each sample: the suite file
// declares that a program prints it, or a Go benchmark reports it (b.ReportMetric, and
// bench.Case.Report of a registered function).
type Declared struct {
	Name string `json:"name"` // as gates spell it; not the name of another metric
	// of its numbers: s, B, 1/s, %, or a name of the suite's own; empty for plain counts
	Unit   string    `json:"unit,omitempty"`
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
