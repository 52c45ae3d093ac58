package result

import (
	"slices"
	"time"
)

func (v *validator) gate(c *Case, g *Gate) {
	v.check(g.ID != "", "a gate has no id")
	v.check(v.fresh("gate", c.Suite, c.Name, g.ID), "gate %q is there twice", g.ID)
	v.check(slices.Contains(verdicts, g.Verdict), "gate %q: unknown verdict %q", g.ID, g.Verdict)
	v.check(slices.Contains(forms, g.Form), "gate %q: unknown form %q", g.ID, g.Form)
	v.check(slices.Contains(causes, g.Cause), "gate %q: unknown cause %q", g.ID, g.Cause)
	for _, r := range g.Reads {
		v.check(slices.Contains(readingsOf, r.Of), "gate %q: it reads a number of unknown kind %q", g.ID, r.Of)
	}
	v.check(slices.Contains(severities, g.Severity), "gate %q: unknown severity %q", g.ID, g.Severity)
	v.check(slices.Contains(undecided, g.OnInconclusive), "gate %q: unknown on_inconclusive %q", g.ID, g.OnInconclusive)
	v.accepted(g)
}

func (v *validator) accepted(g *Gate) {
	if g.Accepted == nil {
		return
	}
	v.check(g.Verdict == Fail, "gate %q: verdict %q is accepted, and only fail can be", g.ID, g.Verdict)
	v.check(isDay(g.Accepted.Until), "gate %q: it is accepted until %q, which is no date", g.ID, g.Accepted.Until)
	v.check(g.Accepted.Reason != "", "gate %q: it is accepted without a reason", g.ID)
}

func (v *validator) acceptance(a *Acceptance) {
	v.check(a.Suite != "" && a.Case != "" && a.Gate != "", "an acceptance names no suite, no case or no gate")
	v.check(v.fresh("acceptance", a.Place.File, a.Suite, a.Case, a.Gate), "gate %q of case %q is accepted twice",
		a.Gate, a.Case)
	v.check(isDay(a.Until), "acceptance of gate %q: %q is no date", a.Gate, a.Until)
	v.check(slices.Contains(acceptanceStates, a.State), "acceptance of gate %q: unknown state %q", a.Gate, a.State)
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}
