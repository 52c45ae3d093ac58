package table

import (
	"fmt"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Latency is the percentiles of single iterations of a case.
type Latency struct {
	Case        string
	Percentiles []Percentile
	Iterations  string // that were timed
	Cost        string // of reading the clock after an iteration, subtracted from each
}

// Percentile is one of them, as text.
type Percentile struct {
	Name  string // p99.9
	Value string // 1.84 ms; too few where there are not enough iterations for an interval
	Range string // the interval
}

// tooFewIterations replaces a percentile that has no interval: nobody knows how far it is off.
const tooFewIterations = "too few"

var percentileNames = map[string]string{"latency_p50": "p50", "latency_p90": "p90", "latency_p99": "p99", "latency_p999": "p99.9", "latency_max": "max"}

// latenciesOf are the percentiles of the cases of a suite that have some.
func latenciesOf(cases []*result.Case) (all []Latency) {
	for _, c := range cases {
		if c.Latency == nil {
			continue
		}
		l := Latency{Case: c.Name, Iterations: units.Plural(int(c.Latency.Count), "iteration"), Cost: units.Short(c.Latency.Cost.Value, "s")}
		for _, m := range result.Metrics() {
			s := c.Summary(m.Name)
			if m.Quantile == 0 || s == nil {
				continue
			}
			p := Percentile{Name: percentileNames[m.Name], Value: units.Short(s.Median, m.Unit)}
			switch {
			case s.Low != nil && s.High != nil:
				p.Range = units.Short(*s.Low, m.Unit) + " … " + units.Short(*s.High, m.Unit)
			case m.Quantile < 1:
				p.Value = tooFewIterations
			}
			l.Percentiles = append(l.Percentiles, p)
		}
		if len(l.Percentiles) > 0 {
			all = append(all, l)
		}
	}
	return all
}

// Line is the percentiles of a case in one paragraph.
func (l *Latency) Line() string {
	var parts []string
	for _, p := range l.Percentiles {
		text := p.Name + " " + p.Value
		if p.Range != "" {
			text += " (" + p.Range + ")"
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s: %s; %s, a reading costs %s", l.Case, strings.Join(parts, ", "), l.Iterations, l.Cost)
}
