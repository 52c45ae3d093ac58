package result

import "example.com/suite/internal/diag"

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
