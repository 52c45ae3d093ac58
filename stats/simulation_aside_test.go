package stats_test

import (
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
// which the rule wavers, and with 63 %, at which all pairs are used.
func TestSettingAsideKeepsThePromise(t *testing.T) {
	for _, rate := range []float64{0.15, 0.33, 0.5} {
		for _, ratio := range []float64{1, 1.03} {
			got := simulate(t, busy(rate), ratio, sim.Trial{Ratio: ratio}, production)
			if !kept(got.Above) || !kept(got.Below) {
				t.Errorf("rate %v, ratio %v: above in %.2f %%, below in %.2f %%", rate, ratio, percent(got.Above), percent(got.Below))
			}
		}
	}
}

// dropping leaves out pairs by a rule of its own.
type dropping struct {
	*stats.Sequence
	drops func(stats.Disturbed) bool
}

func (d dropping) Add(logRatio float64, pair stats.Disturbed) (used bool, err error) {
	if d.drops(pair) {
		return false, nil
	}
	return true, d.Sequence.Add(logRatio)
}

func by(drops func(stats.Disturbed) bool) judge {
	return func(limit float64) (sim.Judge, error) {
		s, err := stats.NewSequence(limit, alpha)
		return dropping{s, drops}, err
	}
}

// The test above can fail: rules that look at one side alone favour it, even if only
// one pair in ten is disturbed.
func TestDroppingOneSideBreaksThePromise(t *testing.T) {
	candidate := by(func(p stats.Disturbed) bool { return p.Candidate })
	if got := simulate(t, busy(0.05), 1, sim.Trial{Ratio: 1}, candidate); kept(got.Below) {
		t.Errorf("dropping where the candidate was disturbed: below in %.2f %%", percent(got.Below))
	}
	base := by(func(p stats.Disturbed) bool { return p.Base })
	if got := simulate(t, busy(0.05), 1, sim.Trial{Ratio: 1}, base); kept(got.Above) {
		t.Errorf("dropping where the base was disturbed: above in %.2f %%", percent(got.Above))
	}
}

// What setting aside is for: fewer pairs to the same verdict.
func TestSettingAsideHelps(t *testing.T) {
	noise, trial := busy(0.2), sim.Trial{Ratio: 1.02}
	all := simulate(t, noise, 1, trial, by(func(stats.Disturbed) bool { return false }))
	undisturbed := simulate(t, noise, 1, trial, production)
	if undisturbed.Above <= all.Above {
		t.Errorf("+2 %%: found in %.1f %%, and in %.1f %% of all pairs", percent(undisturbed.Above), percent(all.Above))
	}
}
