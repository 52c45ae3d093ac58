package stats_test

import (
	"fmt"
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
