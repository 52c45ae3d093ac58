package openmetrics

import (
	"example.com/suite/result"
)

// ratios writes the ratios of cases to their bases, with intervals.
func (m *metricsWriter) ratios() {
	for _, part := range []struct {
		name, help string
		OfKind     func(*result.Comparison) *float64
	}{
		{"suite_change_ratio", "case over base, by pairs",
			func(o *result.Comparison) *float64 { return (*float64)(&o.Ratio) }},
		{"suite_low_change_ratio", "lower end of the interval of case over base",
			func(o *result.Comparison) *float64 { return o.Low }},
		{"suite_high_change_ratio", "upper end of the interval of case over base",
			func(o *result.Comparison) *float64 { return o.High }},
	} {
		first := true
		for i := range m.doc.Cases {
			c := &m.doc.Cases[i]
			for j := range c.Comparisons {
				o := &c.Comparisons[j]
				x := part.OfKind(o)
				if x == nil || o.Ratio <= 0 || o.IsBound() || c.Pairs == nil {
					continue
				}
				if first {
					m.family(part.name, "gauge", "ratio", part.help)
				}
				first = false
				m.sample(part.name, m.labels[i]+","+labels("metric", o.Metric, "base", c.Pairs.BaseName()),
					steady(*x, ratioHalf(o)))
			}
		}
	}
}

// ratioHalf is the longer half of the interval of a ratio, 0 without one.
func ratioHalf(o *result.Comparison) float64 {
	if o.Low == nil || o.High == nil {
		return 0
	}
	return max(*o.High-float64(o.Ratio), float64(o.Ratio)-*o.Low)
}

// gates writes a series for each gate, 1 if it passed and else 0. A label has the
// verdict.
func (m *metricsWriter) gates() {
	first := true
	for i := range m.doc.Cases {
		for _, g := range m.doc.Cases[i].Gates {
			if first {
				m.family("suite_gate_passed", "gauge", "", "1 if the gate passed, else 0")
			}
			first = false
			passed := "0"
			if g.Verdict == result.Pass {
				passed = "1"
			}
			m.sample("suite_gate_passed", m.labels[i]+","+labels("gate", g.ID, "verdict", string(g.Verdict)), passed)
		}
	}
}
