package result

import "slices"

// Pairs are the batches of a base that were taken next to those of a case, in
// an order that a coin decided. Row i of Samples is the neighbour of row i of
// the case's own samples: the two are a pair, the unit of evidence.
type Pairs struct {
	Base       string    `json:"base"`               // name of the base: another case of the suite, or the case of Tree
	Tree       string    `json:"tree,omitempty"`     // the other tree as it was asked for; empty: a case of this one
	Identity   *Identity `json:"identity,omitempty"` // of the case in the other tree
	Metrics    []Summary `json:"metrics,omitempty"`  // of the base beside this case, in the order of the metric table; of other trees
	Iterations int64     `json:"iterations"`         // of every batch, on both sides
	First      []int     `json:"first"`              // for each pair: 0 where the base went first, 1 where the case did
	Layouts    []Layout  `json:"layouts,omitempty"`  // drawn for the launches, in order; none: all launches ran from one file
	Samples    Samples   `json:"samples"`            // of the base

	Collections *Collections `json:"collections,omitempty"` // of the base
}

// Collections is what garbage collections cost a side of pairs. Its batches are too short to
// hold one each, so that the median of the time knows nothing of them.
type Collections struct {
	Share float64 `json:"share"` // of the samples that held one
	Time  float64 `json:"time"`  // that they add to a unit of work on average, seconds
}

// Layout is one draw of what decides a time besides the code: the file that a program
// is in, and the order of its functions. It serves the launches from Launch up to that of
// the next layout; these launches are one observation.
type Layout struct {
	Launch int   `json:"launch"` // the first one, from 0
	Draw   int   `json:"draw"`   // its number in the suite, from 0, which with the seed gives the order of functions
	Case   int64 `json:"case"`   // -randlayout of the linker; 0: the order is that of every launch
	Base   int64 `json:"base"`   // likewise
}

// Draws returns, for each of the launches that pairs belong to, the index of its layout; nil
// if no layouts were drawn. launch is the column of the samples.
func (p *Pairs) Draws(launch []int) []int {
	if len(p.Layouts) == 0 {
		return nil
	}
	draws, at := make([]int, len(launch)), 0
	for i, n := range launch {
		for at+1 < len(p.Layouts) && p.Layouts[at+1].Launch <= n {
			at++
		}
		draws[i] = at
	}
	return draws
}

// AreDrawn reports whether each side ran in an order of functions of its own in every
// launch, so that nothing of a build is common to all of the evidence.
func (p *Pairs) AreDrawn() bool {
	for _, l := range p.Layouts {
		if l.Case == 0 || l.Base == 0 {
			return false
		}
	}
	return len(p.Layouts) > 0
}

// Frame is what they are without what was measured of them; of nil nil.
func (p *Pairs) Frame() *Pairs {
	if p == nil {
		return nil
	}
	return &Pairs{Base: p.Base, Tree: p.Tree, Identity: p.Identity, Iterations: p.Iterations, Layouts: p.Layouts}
}

// Comparison is what the pairs of a case say about one metric.
type Comparison struct {
	Metric     string   `json:"metric"`
	Unit       string   `json:"unit"`
	Exact      bool     `json:"exact"`     // both sides never varied: compared plainly
	Tolerance  float64  `json:"tolerance"` // relative change too small to care about, 0 or more
	Alpha      float64  `json:"alpha"`     // chance of a false call each way, however often one looks
	Base       float64  `json:"base"`      // median of the base over the pairs used
	Candidate  float64  `json:"candidate"` // median of the case over the pairs used
	Ratio      float64  `json:"ratio"`     // candidate ÷ base: exp of the median log ratio of the pairs used; the largest float64 for something against nothing
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of Low and High at every moment, 1 − 2·alpha
	Pairs      int      `json:"pairs"`                // taken
	Used       int      `json:"used"`                 // of them; the others were set aside
	// SetUps is how many pieces of evidence the pairs are: each block of pairs of Go
	// functions has a set-up of both sides for itself and counts once. 0: each pair
	// of commands is a piece.
	SetUps int `json:"set_ups,omitempty"`
	// Launches is that of comparisons of two programs: each block is taken in hosts
	// of its own, and counts once. Then there are no SetUps.
	Launches int `json:"launches,omitempty"`
	// Layouts is how many layouts were drawn for the launches, 0 if they shared one. If
	// there are fewer than launches, each layout counts once.
	Layouts int `json:"layouts,omitempty"`
	// LayoutSpread is by how much the layouts, files and addresses of launches make this
	// metric differ, a share of it: the range of about twenty of them. 0: nothing of it is
	// to be seen beyond the noise within launches.
	LayoutSpread float64 `json:"layout_spread,omitempty"`

	Rule string `json:"rule,omitempty"` // why some were set aside, or why none was although some are disturbed
	// RuleValues are the numbers of the rule, and RulePattern is the rule with {} in place of
	// each, as in a Warning.
	RuleValues  []Quantity `json:"rule_values,omitempty"`
	RulePattern string     `json:"rule_pattern,omitempty"`

	Change Change `json:"verdict"`
	Cause  Cause  `json:"cause,omitempty"`  // why it is unclear, as a word
	Reason string `json:"reason,omitempty"` // the same in words
	// Values are the numbers of the reason, and Pattern is the reason with {} in place of
	// each, as in a Warning.
	Values  []Quantity `json:"values,omitempty"`
	Pattern string     `json:"pattern,omitempty"`
}

// Change is the verdict of a comparison.
type Change string

// The verdicts of a comparison: the metric moved by more than the
// tolerance, one way or the other; it was shown to lie within it; or neither.
const (
	Better  Change = "better"
	Worse   Change = "worse"
	Same    Change = "same"
	Unclear Change = "unclear"
)

// Errors is how the chance of a false alarm is divided among the calls of a suite:
// each gets Family ÷ Calls.
type Errors struct {
	Family float64 `json:"family"` // chance that any comparative call of the suite is false
	Calls  int     `json:"calls"`  // comparative calls that were planned, whatever was run of them
	Alpha  float64 `json:"alpha"`  // of each call and side: family ÷ calls
}

// Comparison finds what the pairs say about a metric, nil where they say nothing.
func (c *Case) Comparison(metric string) *Comparison {
	for i := range c.Comparisons {
		if c.Comparisons[i].Metric == metric {
			return &c.Comparisons[i]
		}
	}
	return nil
}

func (v *validator) pairs(c *Case) {
	p := c.Pairs
	if p == nil {
		v.check(len(c.Comparisons) == 0, "it has comparisons and no pairs")
		return
	}
	n := c.Samples.Len()
	v.check(p.Base != "", "its pairs name no base")
	v.check(p.Iterations >= 1 || n == 0, "its pairs have batches of %d iterations", p.Iterations)
	v.check(p.Samples.Len() == n && len(p.First) == n, "%d samples have %d neighbours in %d orders", n, p.Samples.Len(), len(p.First))
	for i, first := range p.First {
		v.check(first == 0 || first == 1, "pair %d: first is %d, neither 0 nor 1", i, first)
	}
	v.samples(&p.Samples)
	v.pairsOfTree(c)
	for i := range c.Comparisons {
		v.comparison(c, &c.Comparisons[i])
	}
}

var changes = map[Change]bool{Better: true, Worse: true, Same: true, Unclear: true}

func (v *validator) comparison(c *Case, o *Comparison) {
	v.check(v.fresh("comparison", c.Suite, c.Name, o.Metric), "metric %q is compared twice", o.Metric)
	v.check(changes[o.Change], "comparison of %q: unknown verdict %q", o.Metric, o.Change)
	v.check(slices.Contains(causes, o.Cause), "comparison of %q: unknown cause %q", o.Metric, o.Cause)
	v.check((o.Low == nil) == (o.High == nil) && (o.Low == nil || *o.Low <= *o.High), "comparison of %q: the interval is not one", o.Metric)
	v.check(o.SetUps >= 0 && o.SetUps <= o.Pairs, "comparison of %q: %d set-ups of %d pairs", o.Metric, o.SetUps, o.Pairs)
	v.check(o.Launches >= 0 && o.Launches <= o.Pairs, "comparison of %q: %d launches of %d pairs", o.Metric, o.Launches, o.Pairs)
	v.check(o.Layouts >= 0 && o.Layouts <= o.Pairs, "comparison of %q: %d layouts of %d pairs", o.Metric, o.Layouts, o.Pairs)
	v.check(o.LayoutSpread >= 0 && !notNumber(o.LayoutSpread), "comparison of %q: the spread of layouts is out of range", o.Metric)
	v.check(o.Used >= 0 && o.Used <= o.Pairs, "comparison of %q: %d of %d pairs are used", o.Metric, o.Used, o.Pairs)
	v.check(o.Tolerance >= 0 && o.Alpha >= 0 && o.Alpha <= 1, "comparison of %q: tolerance or alpha is out of range", o.Metric)
}
