package result

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
)

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
			names = append(names, fmt.Sprintf("%s: %s: %s", d.Label(&Case{Suite: a.Suite, Name: a.Case}), a.Gate,
				a.State))
		}
	}
	return names
}

// strictly is the outcome of a strict run in which no gate failed or was
// inconclusive. It is false if there is nothing to refuse. What the run lacks as a whole is
// refused in the merged document and not in its shards.
func (d *Document) strictly(t *tally) (Outcome, bool) {
	refused := func(text string, culprits []string) (Outcome, bool) {
		return Outcome{Exit: exitUnfit, Word: "REFUSED", Text: "--strict: " + text, Culprits: culprits}, true
	}
	stale := d.stale()
	switch {
	case len(stale) > 0:
		acceptances := units.Plural(len(d.Acceptances), "acceptance")
		return refused(fmt.Sprintf("%d of %s unused or expired", len(stale), acceptances), stale)
	case d.Strict && t.judged == t.skipped && !d.IsShard(): // the cases of other shards may have gates
		return refused(units.Plural(t.measured, "case")+" measured and nothing judged", nil)
	case d.Strict && len(t.lacking) > 0:
		return refused(fmt.Sprintf("%d of %s skipped", len(t.lacking), units.Plural(t.cases, "case")), t.lacking)
	case d.Strict && d.uncompared() != "" && !d.IsShard():
		return refused(strings.TrimPrefix(d.uncompared(), "; ")+", "+t.gates(), nil)
	case d.Strict && d.nothingCompared() && !d.IsShard():
		return refused("nothing was compared, "+t.gates(), nil)
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
		skipped = skipped ||
			c.Status == Measured && slices.ContainsFunc(c.Gates, func(g Gate) bool { return g.Verdict == NotJudged })
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
