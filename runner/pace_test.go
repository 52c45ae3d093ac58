package runner

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// At 1 % the median is 24 observations if four in five agree: pairs of commands, or
// blocks of functions.
func TestPairsThatVerdictsMayTake(t *testing.T) {
	for _, c := range []struct {
		kind              result.Kind
		open, block, rows int
		calls, want       int
	}{
		{result.KindCommand, 1, 3, 30, 1, 24},
		{result.KindGo, 1, 0, 0, 1, 240},
		{result.KindGo, 2, 4, 44, 1, 264},
		{result.KindGo, 1, 4, 13, 1, 96},
		{result.KindGo, 0, 4, 44, 1, 0},
		{result.KindCommand, 1, 3, 30, 50, 48},
	} {
		k := newTrack(&spec.Plan{Calls: c.calls, Errors: spec.Errors{Family: 0.01}}, &spec.Case{Kind: c.kind})
		k.open, k.own.series.Blocks, k.result.Samples.Block = c.open, c.block, make([]int, c.rows)
		if got := k.neededPairs(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// More time buys more launches and no longer ones; less time makes them shorter.
func TestMaxTimeBuysLaunches(t *testing.T) {
	pairs := func(limit time.Duration) int {
		c := sized(1, time.Millisecond)
		c.target.Plan, c.base = &spec.Plan{}, sized(1, time.Millisecond).own
		c.own.series.Batch, c.base.series.Batch = time.Millisecond, time.Millisecond
		c.target.Spec.Settings.MaxTime = spec.Duration(limit)
		return c.mostPairs(limit)
	}
	if usual, long, short := pairs(usualTime), pairs(20*usualTime), pairs(usualTime/2); long != usual || short > usual/2+1 || short < usual/3 {
		t.Errorf("%d pairs in a launch of %v, %d of %v, %d of %v", usual, usualTime, long, 20*usualTime, short, usualTime/2)
	}
}

// A launch whose start takes longer than its share of the time still has pairs enough for a median.
func TestALongStartLeavesTimeForPairs(t *testing.T) {
	c := sized(1, time.Millisecond)
	c.target.Plan, c.base = &spec.Plan{}, sized(1, time.Millisecond).own
	c.target.Paired, c.base.target.Paired = true, true
	for _, s := range c.sides() {
		s.target.Spec.Harness = &spec.Harness{Name: "lines"}
	}
	c.own.series.Batch, c.base.series.Batch = 5*time.Millisecond, 5*time.Millisecond
	c.target.Spec.Settings.MaxTime = spec.Duration(usualTime)
	c.pacing.start = []time.Duration{usualTime}
	if got, want := c.mostPairs(20*usualTime), int(usualTime/startShare/(10*time.Millisecond)); !c.isRenewed() || got != want {
		t.Errorf("%d pairs of 10 ms after a start of %v, want %d", got, usualTime, want)
	}
}

func TestAnIntervalThatReachesKilledRunsHasNoPrecision(t *testing.T) {
	k := sized(1, time.Millisecond)
	s := &k.result.Samples
	for i := range 7 {
		s.Block, s.Columns["time"] = append(s.Block, i), append(s.Columns["time"], 1e-3*float64(1+i))
	}
	whole := k.own.precision()
	s.Censored = []int{4, 5, 6}
	if p := k.own.precision(); p != 1 || whole == 1 {
		t.Errorf("its precision is %g, and %g without killed runs", p, whole)
	}
}

// The time left while instructions are counted comes from the runs so far, one of which found the iterations, and is
// bounded by what the case may spend.
func TestTimeLeftWhileCounting(t *testing.T) {
	p := countingPace{taken: 3, wanted: 10, until: time.Minute}
	if got := p.left(8 * time.Second); got != 14*time.Second {
		t.Errorf("left %s", got)
	}
	if got := p.left(59 * time.Second); got != time.Second {
		t.Errorf("left %s near the end of its time", got)
	}
	p.isOver = true
	if got := p.left(8 * time.Second); got != 0 {
		t.Errorf("left %s when it is over", got)
	}
}

// Launches that are far from the tolerance are shorter, and those at it are not. How long a launch is follows from the
// ones before it, so of sides that differ by the tolerance no more than the error of a call is said to be worse.
func TestLaunchesFarFromTheToleranceAreShort(t *testing.T) {
	const (
		comparisons = 500
		alpha       = 0.005
		within      = 0.15 // spread of the pairs in a launch, as log ratios
		between     = 0.01 // and of launches
		pair        = 4 * time.Millisecond
		start       = 250 * time.Millisecond
	)
	random := rand.New(rand.NewPCG(1, 2))
	series := func(ratio float64) (worse bool, pairs, launches int) {
		c := sized(1, pair/2)
		c.target.Plan, c.base = &spec.Plan{}, sized(1, pair/2).own
		c.own.series.Batch, c.base.series.Batch = pair/2, pair/2
		set := &c.target.Spec.Settings
		set.MaxTime, set.Tolerance, set.SamplesMax = spec.Duration(usualTime), 0.03, 10000
		c.result.Pairs = &result.Pairs{}
		verdict, err := stats.NewSequence(1+set.Tolerance, alpha)
		if err != nil {
			t.Fatal(err)
		}
		own, base := &c.result.Samples, &c.result.Pairs.Samples
		own.Columns, base.Columns = map[string]result.Column{}, map[string]result.Column{}
		for spent := time.Duration(0); spent < usualTime && verdict.Side() == stats.Undecided; launches++ {
			n := c.launchLength((usualTime - spent) / 2)
			layout := math.Log(ratio) + between*random.NormFloat64()
			logs := make([]float64, n)
			for i := range logs {
				logs[i] = layout + within*random.NormFloat64()
				own.Columns["time"] = append(own.Columns["time"], math.Exp(logs[i]))
				base.Columns["time"], own.Block = append(base.Columns["time"], 1), append(own.Block, launches)
			}
			if err := verdict.Add(stats.Median(logs)); err != nil {
				t.Fatal(err)
			}
			c.pacing.start = append(c.pacing.start, start)
			spent += start + time.Duration(n)*pair
			pairs += n
		}
		return verdict.Side() == stats.Above, pairs, launches
	}
	length := func(ratio float64) (shareWorse, pairsOfLaunch float64) {
		worse, pairs, launches := 0, 0, 0
		for range comparisons {
			w, p, l := series(ratio)
			if w {
				worse++
			}
			pairs, launches = pairs+p, launches+l
		}
		return float64(worse) / comparisons, float64(pairs) / float64(launches)
	}
	atWorse, at := length(1.03)
	farWorse, far := length(1.12)
	if most := alpha + 3*math.Sqrt(alpha/comparisons); atWorse > most {
		t.Errorf("%.2f%% of comparisons at the tolerance are worse, more than %.2f%%", 100*atWorse, 100*most)
	}
	if farWorse < 0.99 || far > 0.6*at {
		t.Errorf("9%% beyond the tolerance %.1f%% are worse, with launches of %.0f pairs; at it, of %.0f",
			100*farWorse, far, at)
	}
}
