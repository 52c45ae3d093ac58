package gate

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// paired are the numbers that a metric has in the pairs of a case, in the order in
// which they were taken, of those pairs in which both sides have one.
type paired struct {
	base, own []float64
	disturbed []stats.Disturbed
	ratios    []float64 // ln(own ÷ base)
	blocks    []int
	draws     []int // of the layout that each pair ran in; nil: none was drawn
	taken     int   // pairs, whether they have numbers or not
	piece     result.Piece
	seconds   float64 // wall time that the case took
	flaw      string  // why there are no ratios to judge by; empty if there are
	flawCause result.Cause
}

// pairedOf reads the pairs of a case; false where a side has not one number.
func pairedOf(c *result.Case, m result.Metric) (*paired, bool) {
	if c.Pairs == nil {
		return nil, false
	}
	own, base := c.Samples.Column(m.Name), c.Pairs.Samples.Column(m.Name)
	if own == nil || base == nil {
		return nil, false
	}
	p := &paired{taken: c.Samples.Len(), piece: c.Piece(), seconds: c.Seconds}
	draws := c.Pairs.Draws(c.Samples.Launch)
	disturbed := disturbedSides(c)
	for i := range min(len(own), len(base)) {
		if math.IsNaN(own[i]) || math.IsNaN(base[i]) {
			continue
		}
		p.base, p.own = append(p.base, base[i]), append(p.own, own[i])
		p.disturbed, p.blocks = append(p.disturbed, disturbed[i]), append(p.blocks, c.Samples.Block[i])
		p.ratios = append(p.ratios, logRatio(base[i], own[i]))
		if draws != nil {
			p.draws = append(p.draws, draws[i])
		}
	}
	p.flawCause, p.flaw = p.flawed(c, m)
	return p, true
}

// disturbedSides returns which sides of each pair were disturbed. Of commands nobody
// knows, since they may be trees of processes: all their pairs count.
func disturbedSides(c *result.Case) []stats.Disturbed {
	sides := make([]stats.Disturbed, c.Samples.Len())
	if c.Kind != result.KindGo {
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

// Far stands for the logarithm of what is infinitely more, and −Far of what is
// infinitely less: exp(700) is 10³⁰⁴, which no ratio that was measured comes near.
const Far = 700

// Evidence is what the pairs of a case say about one metric, counted as verdicts
// count it.
type Evidence struct {
	Logs   []float64     // ln(case ÷ base) of each pair, in order; ±Far for something against zero
	Groups []stats.Group // of Logs: the pieces of evidence
	Lost   int           // pairs in which a side has no number, of which there is no logarithm
}

// EvidenceOf gives the evidence for the ratio of a metric, nothing where a side
// does not have it at all.
func EvidenceOf(c *result.Case, metric string) Evidence {
	p, ok := pairedOf(c, result.Metric{Name: metric})
	if !ok {
		return Evidence{}
	}
	return Evidence{Logs: p.ratios, Groups: p.groups(), Lost: p.taken - len(p.ratios)}
}

// groups are the pieces of evidence, in order.
func (p *paired) groups() []stats.Group {
	groups := stats.Groups(p.ratios, p.disturbed, p.blocks)
	if p.draws == nil {
		return groups
	}
	draws := make([]int, len(groups))
	for i, g := range groups {
		draws[i] = p.draws[g.First]
	}
	return stats.Merge(groups, draws)
}

// logRatio is ln(own ÷ base). Zero against zero is no difference, and something
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

// clocked are the metrics of which zero is not a number that was counted, but one
// that the clock could not tell from it.
var clocked = []string{"time", "throughput", "wall", "ticks", "cycles"}

func (p *paired) flawed(c *result.Case, m result.Metric) (cause result.Cause, why string) {
	negative, zero := 0, 0
	for i := range p.own {
		negative += of(p.own[i] < 0 || p.base[i] < 0)
		zero += of(p.own[i] == 0 || p.base[i] == 0 || math.IsInf(p.own[i], 0) || math.IsInf(p.base[i], 0))
	}
	killed := slices.Concat(c.Samples.Censored, c.Pairs.Samples.Censored)
	slices.Sort(killed)
	switch n := len(slices.Compact(killed)); {
	case n > 0 && m.Name != "exit_code":
		return result.CauseKilled, fmt.Sprintf("in %s a run was killed after the timeout of %s, and nobody knows how long it would have taken",
			ofPairs(n, p.taken), units.Format(c.Settings.Timeout, "s"))
	case negative > 0:
		return result.CauseNoRatio, fmt.Sprintf("in %s a side is below zero, and there is no ratio", ofPairs(negative, p.taken))
	case zero > 0 && slices.Contains(clocked, m.Name):
		return result.CauseResolution, fmt.Sprintf("in %s a side took less than the clock can tell", ofPairs(zero, p.taken))
	}
	return "", ""
}

func of(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// ofPairs counts some of them: 3 of 100 pairs.
func ofPairs(n, all int) string { return fmt.Sprintf("%d of %s", n, countPairs(all)) }

func countPairs(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}

// unresolvedSides says which sides take no longer than the empty loop, so that of
// their bodies nothing is known. It is known once sampling is over.
func (p *paired) unresolvedSides(c *result.Case, m result.Metric) (base, own bool) {
	if len(p.own) == 0 || !slices.Contains(clocked, m.Name) {
		return false, false
	}
	_, own = belowResolution(c, m.Name)
	if m.Name == "ticks" || m.Name == "cycles" {
		return c.LoopCount != nil && stats.Median(p.base) <= c.LoopCount.Value+c.LoopCount.Error, own
	}
	time := stats.Median(p.base)
	if m.Name == "throughput" {
		time = 1 / time
	}
	return c.Kind == result.KindGo && time <= c.LoopCost+c.LoopError, own
}
