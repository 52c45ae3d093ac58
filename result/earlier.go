package result

// Earlier contains the numbers of a saved result that the case's unpaired gates use. Their
// verdicts can be computed again from these and the samples of the case.
type Earlier struct {
	// relative difference that two runs of the same code may have: none below it fails a gate
	Floor float64 `json:"floor"`
	// differences between the two runs; with any of them no gate is decided
	Doubts  []string        `json:"doubts,omitempty"`
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
