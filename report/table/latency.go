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
	Saturated   bool   // iterations were due faster than they ended
	Arrivals    string // how the schedule of an open loop was kept; empty for none
}

// Percentile is one of them, as text.
type Percentile struct {
	Name  string // p99.9
	Value string // 1.84 ms; too few where there are not enough iterations for an interval
	Range string // the interval
}

// saturated replaces the percentiles of a case whose iterations are due faster than they end:
// they grow as long as one measures.
const saturated = "saturated"

// tooFewIterations replaces a percentile that has no interval: nobody knows how far it is off.
const tooFewIterations = "too few"

var percentileNames = map[string]string{"latency_p50": "p50", "latency_p90": "p90", "latency_p99": "p99", "latency_p999": "p99.9", "latency_max": "max"}

// latenciesOf are the percentiles of the cases of a suite that have some.
func latenciesOf(cases []*result.Case) (all []Latency) {
	for _, c := range cases {
		if c.Latency == nil {
			continue
		}
		l := Latency{Case: c.Name, Iterations: units.Plural(int(c.Latency.Count), "iteration"), Cost: units.Short(c.Latency.Cost.Value, "s"), Saturated: c.Latency.Arrivals.Saturated(), Arrivals: arrivalsText(c.Latency.Arrivals)}
		for _, m := range result.Metrics() {
			s := c.Summary(m.Name)
			if m.Quantile == 0 || s == nil {
				continue
			}
			p := Percentile{Name: percentileNames[m.Name], Value: units.Short(s.Median, m.Unit)}
			switch {
			case l.Saturated:
				p.Value = saturated
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
	if l.Saturated {
		parts = []string{saturated}
	}
	line := fmt.Sprintf("%s: %s; %s, a reading costs %s", l.Case, strings.Join(parts, ", "), l.Iterations, l.Cost)
	if l.Arrivals != "" {
		line += "; " + l.Arrivals
	}
	return line
}

// arrivalsText names the rate of an open loop, and how far it was kept.
func arrivalsText(a *result.Arrivals) string {
	if a == nil {
		return ""
	}
	spread := ""
	if a.Poisson {
		spread = " (Poisson)"
	}
	text := fmt.Sprintf("open loop: %s due%s, %s achieved, utilization %s, waits end %s late", units.Short(a.Rate, "1/s"), spread, units.Short(a.Achieved, "1/s"),
		units.Short(a.Utilization, result.Percent), units.ShortTime(a.Lag))
	if a.Unserved > 0 {
		text += fmt.Sprintf(", %d had not begun", a.Unserved)
	}
	return text
}
