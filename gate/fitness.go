package gate

import (
	"fmt"
	"math"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/defaults"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Sentinel is the case of a suite that is compared with itself.
type Sentinel struct {
	Suite  string
	Name   string   // different from the names of all cases
	Builds int      // number of builds of its program
	Floor  *float64 // floor that the suite file sets; nil: the default
}

// Assessed are gates of a run whose sentinels have been judged, so that it is known which
// comparisons are reliable on the machine. Assess makes it.
type Assessed struct {
	set     *Compiled
	fitness map[string]fitness // by suite
}

// leastFloor returns the difference that two builds are assumed to have at least.
func leastFloor(said *float64) float64 {
	if said != nil {
		return *said
	}
	return defaults.Floor
}

// sentinelTolerance returns the smallest tolerance of the comparative calls on the machine of
// a shard that can turn the suite red. A machine that finds a larger difference in identical code would raise false
// alarms. With two builds it is at least the floor, because a change within the floor makes no
// gate red.
func (s *Compiled) sentinelTolerance(suite string, shard, builds int, floor float64) float64 {
	least := math.Inf(1)
	for key, gates := range s.gates {
		for _, g := range gates {
			if key.Suite != suite || g.Shard != shard || len(g.questions()) == 0 {
				continue
			}
			for _, c := range g.rule.calls {
				if c.metric.Sampled && !c.metric.Exact {
					least = min(least, c.tolerance)
				}
			}
		}
	}
	if math.IsInf(least, 1) {
		least = defaults.Tolerance
	}
	if builds > 1 {
		least = max(least, floor)
	}
	return least
}

// Assess judges the sentinels of suites: it fills in their comparison, tolerance and
// floor. If a program differs from itself, it fills in why the machine is unfit, and Judge then
// leaves all comparisons of the suite undecided. A suite without a sentinel has the floor that
// it asks for, or the default. Without suites every machine is fit.
//
// If two builds of one source differ, the machine is not at fault: a loop of 500 steps
// was 5 % faster in its second build in each of five runs here, and within 0.6 % in the
// first build of the same tree. Such a difference raises the floor instead, as any other
// difference between the two sides does.
func (s *Compiled) Assess(suites []result.Suite) *Assessed {
	a := &Assessed{s, map[string]fitness{}}
	for i := range suites {
		suite := &suites[i]
		for _, n := range suite.AllSentinels() {
			a.set.assess(suite, n)
		}
		a.fitness[suite.Name] = fitness{suite.UnfitFor, suite.FloorOf}
	}
	return a
}

func (s *Compiled) assess(suite *result.Suite, n *result.Sentinel) {
	n.Tolerance = s.sentinelTolerance(suite.Name, n.Shard, n.Builds, leastFloor(suite.Floor))
	n.Case.Comparisons = nil
	n.Unfit = ""
	n.Floor = 0
	v := sentinelVersus(&n.Case, n.Tolerance)
	if v == nil || n.Case.Status != result.Measured {
		return
	}
	n.Case.Comparisons = []result.Comparison{v.Comparison(&n.Case)}
	switch change := v.Change(); {
	case n.Builds > 1 && v.HasBounds && !v.IsBound():
		n.Floor = max(v.High, 1/v.Low) - 1
	case n.Builds == 1 && (change == result.Worse || change == result.Better):
		n.Unfit = unfitText(n, v)
	}
}

// sentinelVersus compares a sentinel's time with itself. It is nil if the sentinel
// has no pairs or no time.
func sentinelVersus(c *result.Case, tolerance float64) *sides.Versus {
	m, known := c.Metric("time")
	p, ok := sides.PairedOf(c, m)
	if !known || !ok {
		return nil
	}
	return p.JudgedAt(m, tolerance, result.SentinelAlpha, result.SentinelAlpha).Bounded().Visible(c)
}

// unfitText describes the difference: "sort/ints takes 4.2% longer than itself (99.8%
// interval +3.5% to +5%)".
func unfitText(n *result.Sentinel, v *sides.Versus) string {
	how := "longer"
	if v.Ratio < 1 {
		how = "shorter"
	}
	return fmt.Sprintf("%s takes %s %s than itself (%s%% interval %s)",
		n.Case.Pairs.Base, units.Fine(math.Abs(v.Ratio-1)), how, sides.Number(100*(1-2*v.Alpha)), v.RangeText())
}

// openSentinel returns the numbers of open and decided gates for a sentinel, as if it had one
// gate. The gate is decided once the code is shown to differ from itself, or not to differ in
// either direction.
func openSentinel(c *result.Case, tolerance float64) (open, decided int) {
	m, _ := c.Metric("time")
	p, ok := sides.PairedOf(c, m)
	if !ok {
		return 1, 0
	}
	v := p.JudgedAt(m, tolerance, result.SentinelAlpha, result.SentinelAlpha)
	different := v.Over == stats.Above || v.Under == stats.Below
	same := v.Over == stats.Below && v.Under == stats.Above
	if different || same || v.Why != "" || v.Used.Near(tolerance) {
		return 0, 1
	}
	return 1, 0
}
