package result

import (
	"maps"
	"slices"
	"strings"
)

func (v *validator) samples(s *Samples) {
	n := s.Len()
	v.check(len(s.Launch) == n, "column launch has %d rows, block %d", len(s.Launch), n)
	v.check(len(s.At) == n, "column at has %d rows, block %d", len(s.At), n)
	folded := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		other, twice := folded[strings.ToLower(name)]
		v.check(!twice, "columns %q and %q differ in case only", other, name)
		folded[strings.ToLower(name)] = name
		v.check(len(s.Columns[name]) == n, "column %q has %d rows, block %d", name, len(s.Columns[name]), n)
		v.check(!slices.ContainsFunc(s.Columns[name], infinite), "column %q has a number that is not finite", name)
	}
	if gap := slices.IndexFunc(s.Columns[always], absent); gap >= 0 {
		v.check(false, "column %q has no number in row %d, and it must have one in every row", always, gap)
	}
	v.check(s.Taken == 0 || s.Taken >= n, "%d samples were taken, and there are %d rows of them", s.Taken, n)
	v.check(!slices.ContainsFunc(s.Launch, negative), "column launch has a negative number")
	v.check(!slices.ContainsFunc(s.Block, negative), "column block has a negative number")
	last := -1
	for _, d := range s.Disturbed {
		v.check(d.Index >= 0 && d.Index < n, "disturbed sample %d is outside the %d samples", d.Index, n)
		v.check(d.Index > last, "disturbed samples are not in ascending order: %d after %d", d.Index, last)
		last = d.Index
	}
	v.censored(s)
}

func negative(i int) bool { return i < 0 }

func (v *validator) censored(s *Samples) {
	last := -1
	for _, i := range s.Censored {
		v.check(i >= 0 && i < s.Len(), "censored sample %d is outside the %d samples", i, s.Len())
		v.check(i > last, "censored samples are not in ascending order: %d after %d", i, last)
		v.check(!slices.ContainsFunc(s.Disturbed, func(d Disturbed) bool { return d.Index == i }),
			"censored sample %d is disturbed as well", i)
		last = i
	}
	v.check(s.Taken == 0 || len(s.Censored) == 0, "rows that are a summary of samples are censored")
}

// summary checks one summary. side separates the case's own from its base's.
func (v *validator) summary(side string, c *Case, s *Summary) {
	v.check(s.Metric != "", "a summary names no metric")
	v.check(v.fresh(side, c.Suite, c.Name, s.Metric), "%s %q is there twice", side, s.Metric)
	v.check(s.N >= 0 && s.Blocks >= 0, "metric %q: n or blocks are negative", s.Metric)
	v.check((s.Low == nil) == (s.High == nil) || s.High == nil && s.Censored > 0,
		"metric %q: the interval has only one end", s.Metric)
	v.bounds(s)
	v.check(s.Low == nil || s.High == nil || *s.Low <= *s.High, "metric %q: the interval is upside down", s.Metric)
	v.check(!(s.Min > s.Max) && !(s.Median < s.Min) && !(s.Median > s.Max),
		"metric %q: the median is not between minimum and maximum", s.Metric)
	v.check(!(s.Slack < 0) && !notNumber(s.Slack), "metric %q: its slack is out of range", s.Metric)
	v.check(!(s.StdDev < 0) && !(s.MAD < 0), "metric %q: a deviation is negative", s.Metric)
	v.check(!notNumber(s.Median), "metric %q: the median is not finite", s.Metric)
	v.check(slices.Contains(extremes, s.Extremes), "metric %q: unknown extremes %q", s.Metric, s.Extremes)
	v.check(s.Confidence >= 0 && s.Confidence <= 1, "metric %q: confidence %v is not between 0 and 1",
		s.Metric, s.Confidence)
}

// boundable are the statistics that may be bounds.
var boundable = []string{"median", "mean", "stddev", "mad", "min", "max", "p50", "p90", "p95", "p99"}

func (v *validator) bounds(s *Summary) {
	v.check(s.Censored >= 0 && s.Censored <= s.N, "metric %q: %d of %d samples are censored", s.Metric, s.Censored, s.N)
	v.check(s.Censored > 0 || len(s.AtLeast)+len(s.AtMost) == 0, "metric %q: a statistic is a bound, and no sample is",
		s.Metric)
	for _, name := range slices.Concat(s.AtLeast, s.AtMost) {
		v.check(slices.Contains(boundable, name), "metric %q: unknown statistic %q", s.Metric, name)
	}
}

func (v *validator) latency(where string, l *Latency) {
	if l == nil {
		return
	}
	v.check(l.Count >= 1, "%s: it counts no iteration", where)
	v.check(len(l.Groups) <= MostLatencyGroups, "%s: it has %d groups, and at most %d are read",
		where, len(l.Groups), MostLatencyGroups)
	v.check(!(l.Min < 0) && l.Min <= l.Mean*(1+1e-9) && l.Mean <= l.Max*(1+1e-9) && !notNumber(l.Max),
		"%s: mean, minimum and maximum do not fit together", where)
	v.check(!(l.Cost.Value < 0) && !(l.Cost.Error < 0) && !notNumber(l.Cost.Value) && !notNumber(l.Cost.Error),
		"%s: the cost is out of range", where)
	v.arrivals(where, l)
	sum := 0.0
	for i, g := range l.Groups {
		last := -1.0
		for _, b := range g.Bins {
			v.check(b[0] >= last && b[0] < b[1] && b[2] >= 1 && !slices.ContainsFunc(b[:], notNumber),
				"%s: group %d has a bin from %g to %g with %g iterations", where, i+1, b[0], b[1], b[2])
			last = b[1]
			sum += b[2]
		}
	}
	v.check(sum == float64(l.Count), "%s: its bins count %g iterations of %d", where, sum, l.Count)
}

func (v *validator) arrivals(where string, l *Latency) {
	a := l.Arrivals
	if a == nil {
		return
	}
	v.check(a.Rate > 0 && a.Achieved > 0 && a.Utilization > 0 &&
		!slices.ContainsFunc([]float64{a.Rate, a.Achieved, a.Utilization}, notNumber),
		"%s: a rate of arrivals is out of range",
		where)
	v.check(a.Unserved >= 0 && a.Waits >= 0 && a.Waits <= l.Count,
		"%s: of %d iterations %d were waited for, and %d had not begun", where, l.Count, a.Waits, a.Unserved)
	v.check(a.Lag >= 0 && a.Lag <= a.MostLag*(1+1e-9) && !notNumber(a.MostLag), "%s: the lag is out of range", where)
}

func (v *validator) inputs(c *Case) {
	in := c.Inputs
	if in == nil {
		return
	}
	v.check(in.Size >= 0 && in.Part >= 1 && in.Parts >= 1, "inputs: size, part or parts are out of range")
	for _, x := range []Cost{in.Pause, in.Margin} {
		v.check(!(x.Value < 0) && !(x.Error < 0) && !notNumber(x.Value) && !notNumber(x.Error),
			"inputs: a cost is out of range")
	}
}

func (v *validator) counted(where string, c *Counted) {
	if c == nil {
		return
	}
	v.check(len(c.Runs) > 0 && c.Iterations >= 1, "%s: no run was counted", where)
	for i, x := range c.Runs {
		v.check(x >= 0 && !notNumber(x), "%s: run %d has %g instructions", where, i+1, x)
	}
	v.check(len(c.Moved) <= MostMoved, "%s: it has %d functions, and at most %d are read", where,
		len(c.Moved), MostMoved)
	for _, m := range c.Moved {
		v.check(m.Base >= 0 && m.Candidate >= 0 && !notNumber(m.Base) && !notNumber(m.Candidate),
			"%s: instructions of %q are out of range", where, m.Function)
	}
}
