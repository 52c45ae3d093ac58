package result

import "slices"

// Earlier contains the numbers of a saved result that the case's unpaired gates use. Their
// verdicts can be computed again from these and the samples of the case.
type Earlier struct {
	Floor   float64         `json:"floor"`             // relative difference that two runs of the same code may have: none below it fails a gate
	Doubts  []string        `json:"doubts,omitempty"`  // differences between the two runs; with any of them no gate is decided
	Metrics []Summary       `json:"metrics,omitempty"` // as it was saved, in the order of the metric table
	Medians []EarlierMedian `json:"medians,omitempty"` // of its sampled metrics, in the order of the metric table
}

// EarlierMedian is the interval of the median of one metric in a saved result.
type EarlierMedian struct {
	Metric string   `json:"metric"`
	Low    *float64 `json:"low,omitempty"` // of its interval, which has two ends or is absent
	High   *float64 `json:"high,omitempty"`
	// Confidence of Low and High, at least.
	Confidence float64 `json:"confidence,omitempty"`
	// Launches is the spread of the medians of its launches with at least ten samples:
	// the largest ÷ the smallest − 1. It is 0 if there was one launch.
	Launches float64 `json:"launches,omitempty"`
	Cause    Cause   `json:"cause,omitempty"`  // why there is no interval, as a word
	Reason   string  `json:"reason,omitempty"` // the same in words
}

// Median is the saved interval of a metric's median, nil if there is none.
func (e *Earlier) Median(metric string) *EarlierMedian {
	for i := range e.Medians {
		if e.Medians[i].Metric == metric {
			return &e.Medians[i]
		}
	}
	return nil
}

func (v *validator) earlier(c *Case) {
	e := c.Earlier
	unpaired := c.Counterpart != nil && c.Counterpart.State == CounterpartUnpaired
	v.check(unpaired == (e != nil), "its counterpart and its saved numbers do not fit together")
	for i := range c.Gates {
		v.check(e != nil || c.Gates[i].Form != FormUnpaired, "gate %q: it is unpaired, and nothing saved is there", c.Gates[i].ID)
	}
	if e == nil {
		return
	}
	v.check(e.Floor >= 0 && !notNumber(e.Floor), "the floor of its saved result is out of range")
	v.check(!slices.Contains(e.Doubts, ""), "a doubt about its saved result is empty")
	for i := range e.Metrics {
		v.summary("saved metric", c, &e.Metrics[i])
	}
	for i := range e.Medians {
		v.earlierMedian(c, &e.Medians[i])
	}
}

func (v *validator) earlierMedian(c *Case, m *EarlierMedian) {
	v.check(v.fresh("saved median", c.Suite, c.Name, m.Metric), "the saved median of %q is there twice", m.Metric)
	v.check((m.Low == nil) == (m.High == nil) && (m.Low == nil || *m.Low <= *m.High), "the interval of the saved median of %q is not one", m.Metric)
	v.check((m.Low == nil) == (m.Reason != ""), "the saved median of %q has neither an interval nor a reason, or both", m.Metric)
	v.check(m.Confidence >= 0 && m.Confidence <= 1 && m.Launches >= 0 && !infinite(m.Launches), "confidence or launches of the saved median of %q are out of range", m.Metric)
}
