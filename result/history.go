package result

import "time"

// History is what the history of a case has of one metric, as far as its gates read it:
// trend(metric).drift. Their verdicts can be computed again from it and the numbers of the case.
type History struct {
	Metric string `json:"metric"`
	// relative difference that two runs of the same code may have: no drift within it fails a gate
	Floor float64 `json:"floor"`
	// commits before the one of this run, measured on the same machine, the oldest first
	Points []HistoryPoint `json:"points,omitempty"`
	// on any machine: from the commit that this run was compared with back, each to an earlier one
	Ratios []HistoryRatio `json:"ratios,omitempty"`
}

// HistoryPoint is a commit as it was measured before: the median over its runs.
type HistoryPoint struct {
	Commit string    `json:"commit,omitempty"` // full hash; empty if it is not known
	When   time.Time `json:"when"`             // of the commit, or else of the run
	Value  float64   `json:"value"`            // in the unit of the metric
}

// HistoryRatio is a commit ÷ an earlier one, from pairs. The interval has a confidence of at
// least 98 %.
type HistoryRatio struct {
	Commit string    `json:"commit"`
	Base   string    `json:"base"` // the earlier commit
	When   time.Time `json:"when"` // of the earlier commit
	Value  float64   `json:"value"`
	Low    float64   `json:"low"`
	High   float64   `json:"high"`
}
