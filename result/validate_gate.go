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

func (v *validator) earlier(c *Case) {
	e := c.Earlier
	unpaired := c.Counterpart != nil && c.Counterpart.State == CounterpartUnpaired
	v.check(unpaired == (e != nil), "its counterpart and its saved numbers do not fit together")
	for i := range c.Gates {
		v.check(e != nil || c.Gates[i].Form != FormUnpaired, "gate %q: it is unpaired, and nothing saved is there",
			c.Gates[i].ID)
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
	v.check((m.Low == nil) == (m.High == nil) && (m.Low == nil || *m.Low <= *m.High),
		"the interval of the saved median of %q is not one", m.Metric)
	v.check((m.Low == nil) == (m.Reason != ""), "the saved median of %q has neither an interval nor a reason, or both",
		m.Metric)
	v.check(m.Confidence >= 0 && m.Confidence <= 1 && m.Launches >= 0 && !infinite(m.Launches),
		"confidence or launches of the saved median of %q are out of range", m.Metric)
}

func (v *validator) histories(c *Case) {
	for i := range c.Histories {
		p := &c.Histories[i]
		v.check(v.fresh("past", c.Suite, c.Name, p.Metric), "the history of %q is there twice", p.Metric)
		v.check(p.Floor >= 0 && !notNumber(p.Floor), "the floor of the history of %q is out of range", p.Metric)
		for k := range p.Points {
			v.check(!notNumber(p.Points[k].Value), "a point of the history of %q is no number", p.Metric)
			v.check(k == 0 || !p.Points[k].When.Before(p.Points[k-1].When),
				"the points of the history of %q are not in the order of time", p.Metric)
		}
		for k, r := range p.Ratios {
			v.check(0 < r.Low && r.Low <= r.Value && r.Value <= r.High && !notNumber(r.High),
				"a ratio of the history of %q is out of its interval", p.Metric)
			v.check(k == 0 || r.Commit == p.Ratios[k-1].Base,
				"the ratios of the history of %q do not connect", p.Metric)
		}
	}
}
