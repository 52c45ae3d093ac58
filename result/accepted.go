package result

import "example.com/suite/internal/diag"

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
