package gate

import (
	"math"
	"slices"

	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
)

// comparisons fills in the comparisons of a case that has pairs: its time, and each
// metric whose ratio a gate reads. The tolerance is the first one that a gate sets
// for the metric, else the default.
func (r *run) comparisons(c *result.Case, gates []*gate) {
	c.Comparisons = nil
	if c.Pairs == nil || c.Status != result.Measured {
		return
	}
	s, wanted := r.cases.byKey[keyOf(c)], tolerances(gates)
	for _, m := range c.Table() {
		tolerance, asked := wanted[m.Name]
		if !asked {
			continue
		}
		if v, err := r.cases.versus(s, basisOf(c), m, tolerance, r.assessed.set.alpha(c.Suite)); err == nil {
			c.Comparisons = append(c.Comparisons, v.comparison(c))
		}
	}
	if time := c.Comparison("time"); time != nil {
		time.Witness = r.cases.witness(c, time)
	}
}

// tolerances maps the metrics to compare to their tolerances.
func tolerances(gates []*gate) map[string]float64 {
	said := map[string]float64{}
	gates = slices.DeleteFunc(slices.Clone(gates), func(g *gate) bool { return g.Unpaired }) // they have no pairs
	for _, g := range gates {
		for _, call := range g.rule.calls {
			if _, before := said[call.metric.Name]; !before {
				said[call.metric.Name] = call.tolerance
			}
		}
	}
	wanted := map[string]float64{"time": defaults.Tolerance}
	for _, g := range gates {
		for _, m := range g.rule.mentions {
			if m.versus != "" && m.versus != geomean || m.other != nil && m.other.base && m.stat != "" {
				wanted[m.metric.Name] = defaults.Tolerance
			}
		}
	}
	for name, tolerance := range said {
		wanted[name] = tolerance
	}
	return wanted
}

// quotient is the ratio, which is infinite if only the base has nothing: the one of pairs is a
// logarithm that is far away then.
func (v *versus) quotient() result.Ratio {
	if v.base == 0 && v.own > 0 {
		return result.Ratio(math.Inf(1))
	}
	return result.Ratio(v.ratio)
}

func (v *versus) comparison(c *result.Case) result.Comparison {
	o := result.Comparison{Metric: v.metric.Name, Unit: v.metric.Unit, Exact: v.exact, Tolerance: v.tolerance, Alpha: v.alpha,
		Base: v.base, Candidate: v.own, Ratio: v.quotient(), Change: v.change()}
	if v.used != nil {
		o.Pairs = v.taken
		o.Used = v.counted
		o.Rule = v.rule.Text
		o.RulePattern, o.RuleValues = v.rule.Pattern, v.rule.Values
		switch v.observation {
		case result.PerBlock:
			o.Blocks = v.used.Pairs()
		case result.PerLaunch:
			o.Launches = v.used.Pairs()
		case result.PerLayout:
			o.Launches = c.Launches
		}
		if n := len(c.Pairs.Layouts); n > 0 {
			o.Layouts, o.LayoutSpread = n, v.spread
		}
	}
	if v.hasBounds && !v.isBound() && v.high < math.Exp(pairs.Far) && v.low > math.Exp(-pairs.Far) {
		low, high := v.low, v.high
		o.Low = &low
		o.High = &high
		o.Confidence = 1 - 2*v.alpha
	}
	if o.BaseBound, o.CandidateBound = v.baseBound, v.ownBound; v.isBound() && v.hasBounds {
		o.Confidence = min(1-2*v.alpha, bothHold)
		if low := v.low; low > 0 {
			o.Low = &low
		} else {
			high := v.high
			o.High = &high
		}
	}
	if o.Change == result.Unclear {
		s := v.unclear(c.Pairs.BaseName())
		o.Cause, o.Reason = v.unclearCause(), s.Text
		o.Pattern, o.Values = s.Pattern, s.Values
	}
	return o
}
