package result

import "time"

// Past contains what the history of a case has of one metric, as far as its gates read it:
// trend(metric).drift. Their verdicts can be computed again from it and the numbers of the case.
type Past struct {
	Metric string      `json:"metric"`
	Floor  float64     `json:"floor"`            // relative difference that two runs of the same code may have: no drift within it fails a gate
	Points []PastPoint `json:"points,omitempty"` // commits before the one of this run, measured on the same machine, the oldest first
	Ratios []PastRatio `json:"ratios,omitempty"` // on any machine: from the commit that this run was compared with back, each to an earlier one
}

// PastPoint is a commit as it was measured before: the median over its runs.
type PastPoint struct {
	Commit string    `json:"commit,omitempty"` // full hash; empty if it is not known
	When   time.Time `json:"when"`             // of the commit, or else of the run
	Value  float64   `json:"value"`            // in the unit of the metric
}

// PastRatio is a commit ÷ an earlier one, from pairs. The interval has a confidence of at
// least 98 %.
type PastRatio struct {
	Commit string    `json:"commit"`
	Base   string    `json:"base"` // the earlier commit
	When   time.Time `json:"when"` // of the earlier commit
	Value  float64   `json:"value"`
	Low    float64   `json:"low"`
	High   float64   `json:"high"`
}

// History returns what the history has of a metric, nil if no gate reads it or there is no
// history.
func (c *Case) History(metric string) *Past {
	for i := range c.Past {
		if c.Past[i].Metric == metric {
			return &c.Past[i]
		}
	}
	return nil
}

func (v *validator) past(c *Case) {
	for i := range c.Past {
		p := &c.Past[i]
		v.check(v.fresh("past", c.Suite, c.Name, p.Metric), "the history of %q is there twice", p.Metric)
		v.check(p.Floor >= 0 && !notNumber(p.Floor), "the floor of the history of %q is out of range", p.Metric)
		for k := range p.Points {
			v.check(!notNumber(p.Points[k].Value), "a point of the history of %q is no number", p.Metric)
			v.check(k == 0 || !p.Points[k].When.Before(p.Points[k-1].When), "the points of the history of %q are not in the order of time", p.Metric)
		}
		for k, r := range p.Ratios {
			v.check(0 < r.Low && r.Low <= r.Value && r.Value <= r.High && !notNumber(r.High), "a ratio of the history of %q is out of its interval", p.Metric)
			v.check(k == 0 || r.Commit == p.Ratios[k-1].Base, "the ratios of the history of %q do not connect", p.Metric)
		}
	}
}
