package gate

import (
	"fmt"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// secondOpinion decides a call about the time by the instructions, if the time does not decide it, the suite file asks
// for that, and valgrind has counted both sides.
func (j *judging) secondOpinion(l *leaf, time outcome) outcome {
	c, is := l.kind.(*call)
	if !is || !j.gate.ByInstructions || c.metric.Name != "time" || time.verdict != result.Inconclusive {
		return time
	}
	instructions, _ := result.FindMetric(result.Instructions)
	other := &leaf{text: l.text, kind: &call{claim{instructions.InRuns(), c.tolerance}, c.worse}}
	if sides.CountedOf(j.own.Case, instructions.InRuns(), c.tolerance, j.alpha, j.within) == nil {
		return time
	}
	o := other.kind.(*call).judge(j, other, false)
	o.reasons = []string{fmt.Sprintf("the time does not decide it (%s), so instructions do (when_undecided): %s",
		strings.Join(time.reasons, "; "), strings.Join(o.reasons, "; "))}
	if o.verdict == result.Inconclusive {
		time.reasons = []string{strings.Join(o.reasons, "; ")}
		return time
	}
	o.leaf, o.second = other, true
	return o
}

// Unsettled reports whether a gate that compares the case with its base is open so far, or fails. It reads what Open
// reads.
func (w *Watch) Unsettled(c *result.Case) bool {
	shared := &sides.Subject{Case: c}
	read := map[*sides.Subject]*values{}
	for _, g := range w.set.gates[sides.KeyOf(c)] {
		j := w.judging(g, shared, read)
		if g.Unpaired || !g.rule.versus || j.unmatched() != nil || !g.rule.steers() {
			continue
		}
		switch decide(g.rule.root, live{j}, false).verdict {
		case result.Inconclusive, givenUp, result.Fail:
			return true
		}
	}
	return false
}

// judging judges a gate while samples arrive.
func (w *Watch) judging(g *gate, own *sides.Subject, read map[*sides.Subject]*values) *judging {
	return &judging{
		gate:      g,
		own:       own,
		cases:     &sides.Cases{},
		risks:     w.set.risks(own.Suite),
		host:      w.set.host,
		read:      read,
		functions: w.set.functions,
	}
}
