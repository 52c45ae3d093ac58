package result

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
)

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

// IsAccepted reports whether the gate fails and the failure is accepted.
func (g *Gate) IsAccepted() bool {
	return g.Verdict == Fail && g.Accepted != nil && !g.Accepted.Expired
}

// MakeStrict makes the run fail for everything that is undecided: inconclusive gates,
// except those that only warn, stale acceptances, skipped cases, and a run in which
// nothing was judged or nothing compared.
func (d *Document) MakeStrict() {
	d.Strict = true
	for i := range d.Cases {
		for j := range d.Cases[i].Gates {
			if g := &d.Cases[i].Gates[j]; g.Severity != "warn" {
				g.OnInconclusive = "fail"
			}
		}
	}
}

// stale names the acceptances that a strict run refuses.
func (d *Document) stale() (names []string) {
	for i := range d.Acceptances {
		if a := &d.Acceptances[i]; d.Strict && a.Stale() {
			names = append(names, fmt.Sprintf("%s: %s: %s", d.Label(&Case{Suite: a.Suite, Name: a.Case}), a.Gate, a.State))
		}
	}
	return names
}

// strictly is the outcome of a strict run in which no gate failed or was
// inconclusive. It is false if there is nothing to refuse. What the run lacks as a whole is
// refused in the merged document and not in its shards.
func (d *Document) strictly(t *tally) (Outcome, bool) {
	stale := d.stale()
	switch {
	case len(stale) > 0:
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: fmt.Sprintf("--strict: %d of %s unused or expired", len(stale), units.Plural(len(d.Acceptances), "acceptance")), Culprits: stale}, true
	case d.Strict && t.judged == t.skipped && !d.IsShard(): // the cases of other shards may have gates
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: " + units.Plural(t.measured, "case") + " measured and nothing judged"}, true
	case d.Strict && len(t.lacking) > 0:
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: fmt.Sprintf("--strict: %d of %s skipped", len(t.lacking), units.Plural(t.cases, "case")), Culprits: t.lacking}, true
	case d.Strict && d.uncompared() != "" && !d.IsShard():
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: " + strings.TrimPrefix(d.uncompared(), "; ") + ", " + t.gates()}, true
	case d.Strict && d.nothingCompared() && !d.IsShard():
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: nothing was compared, " + t.gates()}, true
	}
	return Outcome{}, false
}

// nothingCompared reports whether all gates that compare were skipped, because there
// was nothing to compare with.
func (d *Document) nothingCompared() bool {
	skipped := false
	for i := range d.Cases {
		c := &d.Cases[i]
		if len(c.Comparisons) > 0 {
			return false
		}
		skipped = skipped || c.Status == Measured && slices.ContainsFunc(c.Gates, func(g Gate) bool { return g.Verdict == NotJudged })
	}
	return skipped
}

// acceptedText counts accepted failures: "2 accepted until 2026-12-31", without the
// day if it is not the same for all.
func (t *tally) acceptedText() string {
	switch n := len(t.accepted); {
	case n == 0:
		return ""
	case slices.Min(t.until) == slices.Max(t.until):
		return fmt.Sprintf("%d accepted until %s", n, t.until[0])
	default:
		return fmt.Sprintf("%d accepted", n)
	}
}

// alsoAccepted is added to a text about something else.
func (t *tally) alsoAccepted() string {
	if len(t.accepted) == 0 {
		return ""
	}
	return ", " + t.acceptedText()
}

func (v *validator) acceptance(a *Acceptance) {
	v.check(a.Suite != "" && a.Case != "" && a.Gate != "", "an acceptance names no suite, no case or no gate")
	v.check(v.fresh("acceptance", a.Place.File, a.Suite, a.Case, a.Gate), "gate %q of case %q is accepted twice", a.Gate, a.Case)
	v.check(isDay(a.Until), "acceptance of gate %q: %q is no date", a.Gate, a.Until)
	v.check(slices.Contains(acceptanceStates, a.State), "acceptance of gate %q: unknown state %q", a.Gate, a.State)
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func (v *validator) accepted(g *Gate) {
	if g.Accepted == nil {
		return
	}
	v.check(g.Verdict == Fail, "gate %q: verdict %q is accepted, and only fail can be", g.ID, g.Verdict)
	v.check(isDay(g.Accepted.Until), "gate %q: it is accepted until %q, which is no date", g.ID, g.Accepted.Until)
	v.check(g.Accepted.Reason != "", "gate %q: it is accepted without a reason", g.ID)
}
