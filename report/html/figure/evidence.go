package figure

import (
	"math"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

const evidenceHeight = 150

// weakest is the least evidence that is drawn, as a power of ten. Less is evidence
// against a statement, and how much does not matter.
const weakest = -1

// Evidence draws how the evidence of a comparison grew with each observation, for each of
// the four statements that can decide it. It returns nil if pairs did not decide.
func Evidence(c *result.Case, o *result.Comparison) *drawing.Drawing {
	if o == nil || c.Pairs == nil || o.Exact || o.Low == nil && o.Reason != "" || !(o.Alpha > 0 && o.Alpha < 1) {
		return nil
	}
	logs := finite(pairs.EvidenceOf(c, o.Metric).Ratios())
	if len(logs) < 2 {
		return nil
	}
	e := &growth{of: c, said: o, lines: statements(c, o)}
	if !e.follow(logs) {
		return nil
	}
	return e.draw()
}

// growth is the evidence for each statement after each observation, as powers of ten.
type growth struct {
	of    *result.Case
	said  *result.Comparison
	lines []statement
}

// statement is one of four: the change is above the upper end of the tolerance, or not
// above it, or below the lower end, or not below it.
type statement struct {
	role         drawing.Role
	text         string
	upper, above bool
	powers       []float64
	decided      int // number of observations; 0: not
}

func statements(c *result.Case, o *result.Comparison) []statement {
	m, _ := c.Metric(o.Metric)
	up, notUp := statement{role: drawing.Bad, text: "worse"}, statement{role: drawing.NotWorse, text: "not worse"}
	down, notDown := statement{role: drawing.Good,
		text: "better"}, statement{role: drawing.NotBetter, text: "not better"}
	if m.Direction == result.Higher {
		up, down = down, up
		notUp, notDown = notDown, notUp
	}
	up.upper = true
	up.above = true
	notUp.upper = true
	notDown.above = true
	return []statement{up, down, notUp, notDown}
}

// follow adds the observations one by one, as the judge of the comparison does.
func (e *growth) follow(logs []float64) bool {
	alpha, within := e.said.Uneven()
	upper, lower, err := pairs.Sequences(e.said.Tolerance, alpha, within)
	if err != nil {
		return false
	}
	for _, x := range logs {
		_, _ = upper.Add(x), lower.Add(x) // finite, as a logarithm of positive numbers
		for i := range e.lines {
			e.lines[i].step(upper, lower)
		}
	}
	return true
}

func (s *statement) step(upper, lower *stats.Sequence) {
	q := lower
	if s.upper {
		q = upper
	}
	above, below := q.Evidence()
	side := stats.Below
	if s.above {
		below, side = above, stats.Above
	}
	s.powers = append(s.powers, below/math.Ln10)
	if q.Side() == side && s.decided == 0 {
		s.decided = q.DecidedAt()
	}
}
