package sides

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// paired are the pairs of a case in one metric, and whether their ratios can be
// judged.
type paired struct {
	*pairs.Pairs
	observation result.Observation
	seconds     float64 // wall time spent on the case
	Flaw        string  // why the ratios cannot be judged; empty if they can
	FlawCause   result.Cause
	all         *observations // made on demand, for all tolerances
}

// observations are what the pairs show whatever is asked about their ratio.
type observations struct {
	groups    []stats.Group
	counted   int     // pairs used
	base, own float64 // medians of the pairs used, 0 without any
	spread    float64 // how much layouts differ, as a share of the metric
	rule      result.Sentence
}

func (p *paired) observations() *observations {
	if p.all != nil {
		return p.all
	}
	o := &observations{groups: p.Groups()}
	base, own := make([]float64, 0, len(p.Base)), make([]float64, 0, len(p.Own))
	for _, g := range o.groups {
		o.counted += g.Used
		for i, counts := range g.Counts {
			if counts {
				base, own = append(base, p.Base[g.First+i]), append(own, p.Own[g.First+i])
			}
		}
	}
	o.base, o.own = stats.Median(base), stats.Median(own)
	o.spread = math.Expm1(stats.RangeBetween(p.Logs, o.groups))
	o.rule = ruleOf(o.groups, p.observation)
	p.all = o
	return o
}

// PairedOf returns the pairs of a case. The second result is false if one side has no number of
// the metric at all.
func PairedOf(c *result.Case, m result.Metric) (*paired, bool) {
	taken, ok := pairs.Of(c, m.Name)
	if !ok {
		return nil, false
	}
	p := &paired{Pairs: taken, observation: c.Observation(), seconds: seconds(c)}
	p.FlawCause, p.Flaw = p.flawed(c, m)
	return p, true
}

// seconds is what a case has used of max_time. If that is over, part of it was its share of links, in which no time of
// its own passes.
func seconds(c *result.Case) float64 {
	if c.Stop == result.StopMaxTime {
		return max(c.Seconds, c.Settings.MaxTime)
	}
	return c.Seconds
}

// clocked lists the metrics that are read from a clock or counter. Their zero means below its
// resolution.
var clocked = []string{"time", "throughput", "wall", "ticks", "cycles"}

func (p *paired) flawed(c *result.Case, m result.Metric) (cause result.Cause, why string) {
	negative, zero := 0, 0
	for i := range p.Own {
		negative += of(p.Own[i] < 0 || p.Base[i] < 0)
		zero += of(p.Own[i] == 0 || p.Base[i] == 0 || math.IsInf(p.Own[i], 0) || math.IsInf(p.Base[i], 0))
	}
	killed := slices.Concat(c.Samples.Censored, c.Pairs.Samples.Censored)
	slices.Sort(killed)
	if m.Quantile > 0 {
		for _, l := range []*result.Latency{c.Latency, c.Pairs.Latency} {
			if l != nil && l.Arrivals.Saturated() {
				return result.CauseSaturated, SaturatedText(l.Arrivals)
			}
		}
	}
	switch n := len(slices.Compact(killed)); {
	case n > 0 && m.Name != "exit_code":
		return result.CauseKilled, fmt.Sprintf("in %s a run was killed after the timeout of %s, and nobody "+
			"knows how long it would have taken",
			ofPairs(n, p.Taken), units.Format(c.Settings.Timeout, "s"))
	case negative > 0:
		return result.CauseNoRatio, fmt.Sprintf("in %s a side is below zero, and there is no ratio",
			ofPairs(negative, p.Taken))
	case zero > 0 && slices.Contains(clocked, m.Name):
		return result.CauseResolution, fmt.Sprintf("in %s a side took less than the clock can show",
			ofPairs(zero, p.Taken))
	}
	return "", ""
}

// ofPairs prints a number of pairs: 3 of 100 pairs.
func ofPairs(n, all int) string { return fmt.Sprintf("%d of %s", n, countPairs(all)) }

func countPairs(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}

func of(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
