// Package pairs returns what the pairs of a case show about a metric, counted as verdicts
// count it: the ratio of each pair, and the medians of the launches, blocks or layouts
// that are one observation each. It decides nothing.
package pairs

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Far is the logarithm of a ratio that is infinite, and −Far of one that is zero: exp(700) is
// 10³⁰⁴, far beyond any ratio that was measured.
const Far = 700

// Pairs are the numbers of a metric in the pairs of a case, in the order in which they were
// taken. Pairs in which a side has no number are left out.
type Pairs struct {
	Base, Own []float64
	Logs      []float64 // ln(Own ÷ Base); ±Far if one of the two is zero
	Taken     int       // pairs of the case, with or without numbers

	disturbed []stats.Disturbed
	times     *stats.Times // nil: the median of a launch counts on a busy machine too
	blocks    []int
	draws     []int // of the layout that each pair ran in; nil: none was drawn
}

// Of returns the pairs of a case that have a metric; false if a side has no column of it.
func Of(c *result.Case, metric string) (*Pairs, bool) {
	if c.Pairs == nil {
		return nil, false
	}
	own, base := c.Samples.Column(metric), c.Pairs.Samples.Column(metric)
	if own == nil || base == nil {
		return nil, false
	}
	n := min(len(own), len(base))
	numbers := make([]float64, 3*n)
	p := &Pairs{Taken: c.Samples.Len(), Base: numbers[:0:n], Own: numbers[n : n : 2*n], Logs: numbers[2*n : 2*n],
		disturbed: make([]stats.Disturbed, 0, n), blocks: make([]int, 0, n)}
	draws := c.Pairs.Draws(c.Samples.Launch)
	disturbed := disturbedSides(c)
	cpu, cpuOfBase := cpuTimes(&c.Samples), cpuTimes(&c.Pairs.Samples)
	if metric == "time" && c.Pairs.Busy == result.BusyMiddle && min(len(cpu), len(cpuOfBase)) >= n {
		p.times = &stats.Times{}
	}
	for i := range n {
		if math.IsNaN(own[i]) || math.IsNaN(base[i]) {
			continue
		}
		p.Base = append(p.Base, base[i])
		p.Own = append(p.Own, own[i])
		p.Logs = append(p.Logs, logRatio(base[i], own[i]))
		p.disturbed = append(p.disturbed, disturbed[i])
		p.blocks = append(p.blocks, c.Samples.Block[i])
		if p.times != nil {
			p.times.OwnCPU, p.times.BaseCPU = append(p.times.OwnCPU, cpu[i]), append(p.times.BaseCPU, cpuOfBase[i])
		}
		if draws != nil {
			p.draws = append(p.draws, draws[i])
		}
	}
	if p.times != nil {
		p.times.Base, p.times.Own = p.Base, p.Own
	}
	return p, true
}

// cpuTimes returns the CPU time of each batch, of all threads of its process: what a body lets other threads do is part
// of what it costs. It returns nil if it is not known.
func cpuTimes(s *result.Samples) (all []float64) {
	if cpu := s.Column("cpu"); cpu != nil {
		return cpu
	}
	user, system := s.Column("user"), s.Column("system")
	for i := range min(len(user), len(system)) {
		all = append(all, user[i]+system[i])
	}
	return all
}

// disturbedSides returns which sides of each pair were disturbed. All pairs of processes
// count, because nobody knows what else ran on the machine during one of them.
func disturbedSides(c *result.Case) []stats.Disturbed {
	sides := make([]stats.Disturbed, c.Samples.Len())
	if c.Kind != result.KindGo && c.Settings.Isolate != result.IsolateLaunch {
		return sides
	}
	for _, d := range c.Samples.Disturbed {
		sides[d.Index].Candidate = true
	}
	for _, d := range c.Pairs.Samples.Disturbed {
		if d.Index < len(sides) {
			sides[d.Index].Base = true
		}
	}
	return sides
}

// Groups returns the observations, in order: one for each block of pairs, or for each layout
// if layouts were drawn.
func (p *Pairs) Groups() []stats.Group {
	groups := p.Launches()
	if p.draws == nil {
		return groups
	}
	draws := make([]int, len(groups))
	for i, g := range groups {
		draws[i] = p.draws[g.First]
	}
	return stats.Merge(groups, draws)
}

// Launches returns what each block of pairs shows, in order.
func (p *Pairs) Launches() []stats.Group { return stats.Groups(p.Logs, p.disturbed, p.blocks, p.times) }

// logRatio returns ln(own ÷ base). Zero against zero is no difference, and something
// against zero is more than any tolerance.
func logRatio(base, own float64) float64 {
	switch {
	case base == own:
		return 0
	case base == 0:
		return Far
	case own == 0:
		return -Far
	}
	return max(-Far, min(math.Log(own)-math.Log(base), Far))
}

// Evidence is what the pairs of a case show about one metric.
type Evidence struct {
	Logs   []float64     // ln(case ÷ base) of each pair, in order
	Groups []stats.Group // of Logs: the observations
	Lost   int           // pairs in which a side has no number
	Per    result.Observation
}

// Ratios returns the logarithms of the ratios that count once each: of pairs, or the medians of
// blocks, launches or layouts.
func (e *Evidence) Ratios() []float64 {
	ratios := make([]float64, len(e.Groups))
	for i := range e.Groups {
		ratios[i] = e.Groups[i].Ratio
	}
	return ratios
}

// EvidenceOf returns the evidence for the ratio of a metric, without pairs if a side does not have
// it at all.
func EvidenceOf(c *result.Case, metric string) *Evidence {
	p, ok := Of(c, metric)
	if !ok {
		return &Evidence{Per: c.Observation()}
	}
	return &Evidence{Logs: p.Logs, Groups: p.Groups(), Lost: p.Taken - len(p.Logs), Per: c.Observation()}
}

// Sequences judge observations at the upper and at the lower end of a tolerance: that the ratio is beyond an end with
// the error alpha, and that it is not with the error within.
func Sequences(tolerance, alpha, within float64) (upper, lower *stats.Sequence, err error) {
	upper, err = stats.NewUneven(1+tolerance, alpha, within)
	if err == nil {
		lower, err = stats.NewUneven(1/(1+tolerance), within, alpha)
	}
	return upper, lower, err
}
