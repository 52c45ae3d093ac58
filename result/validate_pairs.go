package result

import "slices"

var changes = map[Change]bool{Better: true, Worse: true, Same: true, Unclear: true}

func (v *validator) pairs(c *Case) {
	p := c.Pairs
	if p == nil {
		v.check(len(c.Comparisons) == 0, "it has comparisons and no pairs")
		return
	}
	n := c.Samples.Len()
	v.check(p.Base != "", "its pairs name no base")
	v.check(p.Iterations >= 1 || n == 0, "its pairs have batches of %d iterations", p.Iterations)
	v.check(p.Samples.Len() == n && len(p.First) == n, "%d samples have %d neighbours in %d orders",
		n, p.Samples.Len(), len(p.First))
	v.check(p.Busy == "" || p.Busy == BusyMiddle, "its pairs count in an unknown way on a busy machine, %q", p.Busy)
	for i, first := range p.First {
		v.check(first == 0 || first == 1, "pair %d: first is %d, neither 0 nor 1", i, first)
	}
	v.samples(&p.Samples)
	v.pairsOfTree(c)
	for i := range c.Comparisons {
		v.comparison(c, &c.Comparisons[i])
	}
}

func (v *validator) comparison(c *Case, o *Comparison) {
	v.check(v.fresh("comparison", c.Suite, c.Name, o.Metric), "metric %q is compared twice", o.Metric)
	v.check(changes[o.Change], "comparison of %q: unknown verdict %q", o.Metric, o.Change)
	v.check(slices.Contains(causes, o.Cause), "comparison of %q: unknown cause %q", o.Metric, o.Cause)
	both, none := o.Low != nil && o.High != nil, o.Low == nil && o.High == nil
	v.check(none || both && !o.IsBound() && *o.Low <= *o.High || !both && o.IsBound(),
		"comparison of %q: the interval is not one", o.Metric)
	v.check(o.Blocks >= 0 && o.Blocks <= o.Pairs, "comparison of %q: %d blocks of %d pairs",
		o.Metric, o.Blocks, o.Pairs)
	v.check(o.Launches >= 0 && o.Launches <= o.Pairs, "comparison of %q: %d launches of %d pairs",
		o.Metric, o.Launches, o.Pairs)
	v.check(o.Layouts >= 0 && o.Layouts <= o.Pairs, "comparison of %q: %d layouts of %d pairs",
		o.Metric, o.Layouts, o.Pairs)
	v.check(o.LayoutSpread >= 0 && !notNumber(o.LayoutSpread),
		"comparison of %q: the spread of layouts is out of range",
		o.Metric)
	v.check(o.Used >= 0 && o.Used <= o.Pairs, "comparison of %q: %d of %d pairs are used", o.Metric, o.Used, o.Pairs)
	v.witness(o)
	v.check(o.Tolerance >= 0 && o.Alpha >= 0 && o.Alpha <= 1 && o.Within >= 0 && o.Within <= 1,
		"comparison of %q: tolerance or alpha is out of range", o.Metric)
}

func (v *validator) witness(o *Comparison) {
	w := o.Witness
	if w == nil {
		return
	}
	v.check(slices.Contains(witnessSources, w.Source), "comparison of %q: instructions of unknown source %q",
		o.Metric, w.Source)
	v.check(slices.Contains(witnessChanges, w.Change), "comparison of %q: unknown change %q of the instructions",
		o.Metric, w.Change)
	v.check(slices.Contains(witnessCauses, w.Cause), "comparison of %q: unknown cause %q", o.Metric, w.Cause)
	v.check((w.Low == nil) == (w.High == nil) && (w.Low == nil || *w.Low <= *w.High),
		"comparison of %q: the interval of the instructions is not one", o.Metric)
	v.check(w.Base >= 0 && w.Candidate >= 0 && w.Ratio >= 0 && w.Tolerance >= 0,
		"comparison of %q: instructions are negative", o.Metric)
}

func (v *validator) counterpart(c *Case) {
	p := c.Counterpart
	if p == nil {
		return
	}
	compared := p.State == CounterpartPaired || p.State == CounterpartUnpaired
	v.check(v.against == nil || v.against[c.Suite] != nil,
		"it has a counterpart, and its suite was compared with nothing")
	v.check(slices.Contains(counterpartStates, p.State), "unknown state %q of its counterpart", p.State)
	v.check(compared || p.Reason != "", "there is no reason why it is not compared with its counterpart")
}

// pairsOfTree checks the pairs with another tree. The other build of a sentinel is
// not Suite.Against.
func (v *validator) pairsOfTree(c *Case) {
	p := c.Pairs
	if a := v.against[c.Suite]; v.against != nil && p.Tree != "" {
		v.check(a != nil && a.Asked == p.Tree, "its pairs are with %q, and its suite was not compared with that",
			p.Tree)
	}
	for i := range p.Metrics {
		v.summary("base metric", c, &p.Metrics[i])
	}
}
