package result

import (
	"time"

	"example.com/suite/internal/diag"
)

// Gate is a pass/fail expression with its verdict and evidence.
type Gate struct {
	ID             string     `json:"id"` // unique within its case
	Expr           string     `json:"expr"`
	Place          diag.Place `json:"place"`
	Severity       string     `json:"severity"`           // fail or warn
	OnInconclusive string     `json:"on_inconclusive"`    // auto, list or fail
	Compares       bool       `json:"compares,omitempty"` // it reads a base, or a mean over the cases that have one
	// the numbers that it depends on, in the order of the expression
	Reads    []Reading `json:"reads,omitempty"`
	Verdict  Verdict   `json:"verdict"`
	Form     Form      `json:"form"`
	Cause    Cause     `json:"cause,omitempty"`    // why, as a word for programs
	Reason   string    `json:"reason,omitempty"`   // why it is not a pass, in words and numbers
	Finding  *Finding  `json:"finding,omitempty"`  // of a failure: the number and its limit
	Accepted *Accepted `json:"accepted,omitempty"` // if people have accepted the failure
	// instructions, if the time has not decided a gate about it (when_undecided)
	DecidedBy string  `json:"decided_by,omitempty"`
	Values    []Value `json:"values,omitempty"` // the numbers that decided, in the order of the expression
}

// Verdict is the result of judging a gate.
type Verdict string

// The verdicts of a gate.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
	Error        Verdict = "error"
	NotJudged    Verdict = "skipped"
)

// Form is the method by which a gate was decided.
type Form string

// The forms, from the strongest to the weakest; a gate has the weakest form of its
// parts. Exact values are compared without statistics. A comparison with a base is
// decided by its pairs, or by runs in which valgrind has counted, with the error that the suite allows (Errors).
// Headlines and ratios are decided by their 99% interval, and everything else by point values alone. A comparison with
// a saved result is unpaired, because the machine may have changed in between. A drift is decided by the commits of a
// history.
const (
	FormExact    Form = "exact"
	FormPairs    Form = "pairs"
	FormInterval Form = "interval"
	FormRuns     Form = "runs"
	FormPoint    Form = "point"
	FormUnpaired Form = "unpaired"
	FormHistory  Form = "history"
)

// Value is a sub-expression of a gate and its value.
type Value struct {
	Text       string   `json:"text"` // as written: time.median
	Value      float64  `json:"value"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
	Unit       string   `json:"unit,omitempty"` // of the metric: s, B, 1/s, or empty for counts
	// whose value it is, if Text does not show it: of batches of 100 iterations
	Note string `json:"note,omitempty"`
}

// IsAccepted reports whether the gate fails and the failure is accepted.
func (g *Gate) IsAccepted() bool {
	return g.Verdict == Fail && g.Accepted != nil && !g.Accepted.Expired
}

// NeedsBase reports whether the gate reads a number of its case's base, or a ratio to it. A
// document of an earlier version does not list what a gate reads: there a gate that compares
// counts.
func (g *Gate) NeedsBase() bool {
	if len(g.Reads) == 0 {
		return g.Compares || g.Form == FormPairs
	}
	for _, r := range g.Reads {
		if r.Of == OfBase || r.Of == OfRatio {
			return true
		}
	}
	return false
}

// Accepted records that people accept the failure of a gate until a day. The verdict
// is still fail, but until the entry expires it does not make the run fail.
type Accepted struct {
	Until   string     `json:"until"` // last day, 2026-12-31; it ends at midnight UTC
	Reason  string     `json:"reason"`
	At      string     `json:"at,omitempty"`      // when it was accepted, and by whom
	Place   diag.Place `json:"place"`             // of the entry
	Expired bool       `json:"expired,omitempty"` // the last day was over when it was judged
}

// Acceptance is one entry of a file of accepted failures and its state after this
// run. Entries of cases that took no part are left out.
type Acceptance struct {
	Suite  string          `json:"suite"`
	Case   string          `json:"case"`
	Gate   string          `json:"gate"`
	Until  string          `json:"until"` // last day, as in Accepted
	Place  diag.Place      `json:"place"`
	State  AcceptanceState `json:"state"`
	Detail string          `json:"detail,omitempty"` // why it is in this state, in words
	Reason string          `json:"reason,omitempty"` // as in Accepted
	At     string          `json:"at,omitempty"`     // as in Accepted
}

// AcceptanceState is the state of an entry after a run.
type AcceptanceState string

// An entry is used if its gate failed; unused if its gate passed or does not exist;
// expired after its last day, whatever the verdict; and open if the gate neither
// passed nor failed.
const (
	AcceptanceUsed    AcceptanceState = "used"
	AcceptanceUnused  AcceptanceState = "unused"
	AcceptanceExpired AcceptanceState = "expired"
	AcceptanceOpen    AcceptanceState = "open"
)

var acceptanceStates = []AcceptanceState{AcceptanceUsed, AcceptanceUnused, AcceptanceExpired, AcceptanceOpen}

// Stale reports whether somebody has to look at the entry: it is unused or expired.
func (a *Acceptance) Stale() bool {
	return a.State == AcceptanceUnused || a.State == AcceptanceExpired
}

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
