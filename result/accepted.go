package result

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
)

// Accepted says that people have agreed to the failure of a gate until a day. The
// verdict stays what it is; an entry that is not expired keeps it from making the
// run fail.
type Accepted struct {
	Until   string     `json:"until"` // last day, 2026-12-31; it ends at midnight UTC
	Reason  string     `json:"reason"`
	At      string     `json:"at,omitempty"`      // when it was accepted, and by whom
	Place   diag.Place `json:"place"`             // of the entry
	Expired bool       `json:"expired,omitempty"` // the last day was over when it was judged
}

// Acceptance is one entry of a file of accepted failures, with what became of it
// in this run. Entries of cases that took no part are left out.
type Acceptance struct {
	Suite  string          `json:"suite"`
	Case   string          `json:"case"`
	Gate   string          `json:"gate"`
	Until  string          `json:"until"` // last day, as in Accepted
	Place  diag.Place      `json:"place"`
	State  AcceptanceState `json:"state"`
	Detail string          `json:"detail,omitempty"` // why it is in this state, in words
}

// AcceptanceState is what became of an entry.
type AcceptanceState string

// An entry is used where it speaks for a failure; unused where nothing failed, or
// where there is no such gate; expired after its last day, whatever the gate says;
// and open where the gate neither passed nor failed.
const (
	AcceptanceUsed    AcceptanceState = "used"
	AcceptanceUnused  AcceptanceState = "unused"
	AcceptanceExpired AcceptanceState = "expired"
	AcceptanceOpen    AcceptanceState = "open"
)

var acceptanceStates = []AcceptanceState{AcceptanceUsed, AcceptanceUnused, AcceptanceExpired, AcceptanceOpen}

// Stale says that somebody has to look at the entry: it is unused or expired.
func (a *Acceptance) Stale() bool {
	return a.State == AcceptanceUnused || a.State == AcceptanceExpired
}

// IsAccepted says that the gate fails and that this does not count.
func (g *Gate) IsAccepted() bool {
	return g.Verdict == Fail && g.Accepted != nil && !g.Accepted.Expired
}

// MakeStrict has everything fail that nobody has decided: inconclusive gates, those
// that only warn aside, stale acceptances, and a run in which nothing was judged or
// nothing compared.
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
// inconclusive; false where there is nothing to refuse.
func (d *Document) strictly(t *tally) (Outcome, bool) {
	stale := d.stale()
	switch {
	case len(stale) > 0:
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: fmt.Sprintf("--strict: %d of %s unused or expired", len(stale), units.Plural(len(d.Acceptances), "acceptance")), Culprits: stale}, true
	case d.Strict && t.judged == t.skipped:
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: " + units.Plural(t.measured, "case") + " measured and nothing judged"}, true
	case d.Strict && d.uncompared() != "":
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: " + strings.TrimPrefix(d.uncompared(), "; ") + ", " + t.gates()}, true
	case d.Strict && d.nothingCompared():
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: nothing was compared, " + t.gates()}, true
	}
	return Outcome{}, false
}

// nothingCompared says that the gates which compare were all skipped, for want of
// something to compare with.
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
// day where it is not the same for all.
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

// alsoAccepted is the end of a sentence about something else.
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
