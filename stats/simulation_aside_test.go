package stats_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/suite/internal/sim"
	"example.com/suite/stats"
)

// busy is a machine that disturbs the longer batches oftener: a share of about
// rate of them, which take half as long again and more.
func busy(rate float64) sim.Noise {
	noise := sim.Typical
	noise.Disturbed, noise.Delay = rate, 0.5
	return noise
}

// Setting pairs aside causes no bias: with 26 % of the pairs disturbed, with 48 %, at
// which launches of both kinds are frequent, and with 63 %, at which most use all pairs.
func TestSettingAsideKeepsThePromise(t *testing.T) {
	for _, rate := range []float64{0.15, 0.33, 0.5} {
		for _, ratio := range []float64{1, 1.03} {
			launches(busy(rate), ratio, sim.LaunchTrial{Ratio: ratio}).keeps(t, fmt.Sprintf("rate %v, ratio %v", rate, ratio))
		}
	}
}

// dropping judges pairs one by one, and leaves out some by a rule of its own.
type dropping struct {
	*stats.Sequence
	drops func(stats.Disturbed) bool
	pairs int // with those that are left out
}

// DecidedAt is called when the sequence has just been decided.
func (d *dropping) DecidedAt() int { return d.pairs }

func (d *dropping) Add(logRatio float64, pair stats.Disturbed) (used bool, err error) {
	d.pairs++
	if d.drops(pair) {
		return false, nil
	}
	return true, d.Sequence.Add(logRatio)
}

func by(drops func(stats.Disturbed) bool) judge {
	return func(limit float64) (sim.Judge, error) {
		s, err := stats.NewSequence(limit, alpha)
		return &dropping{Sequence: s, drops: drops}, err
	}
}

// The test above can fail: rules that look at one side alone favour it, even if only
// one pair in ten is disturbed.
func TestDroppingOneSideBreaksThePromise(t *testing.T) {
	broken := func(hits int) bool { return stats.LowerBound(hits, few, promise.Confidence) > promise.Share }
	candidate := by(func(p stats.Disturbed) bool { return p.Candidate })
	if got := paired(busy(0.05), 1, sim.Trial{Ratio: 1}, candidate).times(t, few, 1); !broken(got.Below) {
		t.Errorf("dropping where the candidate was disturbed: below in %.2f %%", share(got.Below, got))
	}
	base := by(func(p stats.Disturbed) bool { return p.Base })
	if got := paired(busy(0.05), 1, sim.Trial{Ratio: 1}, base).times(t, few, 1); !broken(got.Above) {
		t.Errorf("dropping where the base was disturbed: above in %.2f %%", share(got.Above, got))
	}
}

// What setting aside is for: fewer pairs to the same verdict.
func TestSettingAsideHelps(t *testing.T) {
	noise, trial := busy(0.2), sim.Trial{Ratio: 1.02}
	all := paired(noise, 1, trial, by(func(stats.Disturbed) bool { return false })).times(t, 3*few, 1)
	some := paired(noise, 1, trial, undisturbed).times(t, 3*few, 1)
	if some.Above <= all.Above {
		t.Errorf("+2 %%: found in %.1f %%, and in %.1f %% of all pairs", share(some.Above, some), share(all.Above, all))
	}
}

// What a busy machine does to both sides alike decides nothing, whichever of the three ratios is in the middle.
func TestTheMiddleKeepsThePromise(t *testing.T) {
	for _, rate := range []float64{0.33, 1} {
		launches(busy(rate), 1.03, sim.LaunchTrial{Ratio: 1.03, Middle: true}).keeps(t, fmt.Sprint("rate ", rate))
	}
	shared := busy(0.33)
	shared.Neighbour, shared.Away, shared.There = math.Log(1.6), 10, 10
	launches(shared, 1.03, sim.LaunchTrial{Ratio: 1.03, Offset: 0.02, Middle: true}).keeps(t, "with a neighbour")
}

// What it is for: fewer launches to the same verdict, 10 for 14, and where most pairs are disturbed 13 in nearly all
// comparisons, of which the medians decide one in eight.
func TestTheMiddleHelps(t *testing.T) {
	for _, rate := range []float64{0.33, 1} {
		trial := sim.LaunchTrial{Ratio: 1.06}
		median := launches(busy(rate), 1.03, trial).times(t, few, 1)
		trial.Middle = true
		middle := launches(busy(rate), 1.03, trial).times(t, few, 1)
		if middle.Above <= median.Above && middle.MeanPairs() >= median.MeanPairs() {
			t.Errorf("+6 %%, rate %v: found in %.1f %% after %.1f launches, by medians in %.1f %% after %.1f", rate,
				share(middle.Above, middle), middle.MeanPairs(), share(median.Above, median), median.MeanPairs())
		}
	}
}
