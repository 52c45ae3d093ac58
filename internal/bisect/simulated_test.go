package bisect

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/suite/internal/prepare"
	"example.com/suite/internal/sim"
	"example.com/suite/internal/tree"
	"example.com/suite/stats"
)

// simulated is a Meter on an invented machine. Times are logarithms.
type simulated struct {
	times  map[string]float64 // of each commit, without noise
	noise  sim.Noise
	offset float64 // standard deviation of what a launch adds to the log ratio
	layout float64 // of what a draw of the layout adds, if the two programs differ
	rng    *rand.Rand
	most   int // launches of a comparison

	unable   map[string]string // commits that cannot be measured, and why
	programs map[string]int    // commits with the same number are the same program
	lies     map[string]float64
	guesses  bool // a planted error: the first launch decides

	launches, compared int
	cancel             context.CancelFunc // called by the comparison of this number
	cancelAt           int
}

func (m *simulated) Same(_ context.Context, a, b tree.Commit) (string, error) {
	if why := m.unable[a.Hash]; why != "" {
		return "", &prepare.Unable{Revision: a.Hash, Reason: why}
	}
	if n, known := m.programs[a.Hash]; known && n == m.programs[b.Hash] {
		return "its program is the same", nil
	}
	return "", nil
}

func (m *simulated) Compare(ctx context.Context, candidate, base tree.Commit, q Question) (Answer, error) {
	m.compared++
	if m.compared == m.cancelAt {
		m.cancel()
		return Answer{}, ctx.Err()
	}
	if why := m.unable[candidate.Hash]; why != "" {
		return Answer{}, &prepare.Unable{Revision: candidate.Hash, Reason: why}
	}
	effect := m.times[candidate.Hash] - m.times[base.Hash]
	if lie, is := m.lies[candidate.Hash]; is { // once
		effect = lie
		delete(m.lies, candidate.Hash)
	}
	machine := m.noise.Machine(m.rng)
	var logs []float64
	for range m.most {
		logs = append(logs, m.launch(machine, effect))
		m.launches++
		a := q.Judge(logs)
		if m.guesses {
			a.Low, a.High = &a.Ratio, &a.Ratio
		}
		if q.Side(a) != stats.Undecided {
			return a, nil
		}
	}
	return q.Judge(logs), nil
}

// pairsOfLaunch is the least number of pairs that a launch has.
const pairsOfLaunch = 11

// launch is the median of a launch's pairs, in an order by coin.
func (m *simulated) launch(machine sim.Machine, effect float64) float64 {
	effect += m.offset*m.rng.NormFloat64() + m.layout*(m.rng.Float64()-m.rng.Float64())
	var ratios []float64
	for range pairsOfLaunch {
		if m.rng.IntN(2) == 0 {
			first, second := machine.Pair(0, effect)
			ratios = append(ratios, second.Log-first.Log)
		} else {
			first, second := machine.Pair(effect, 0)
			ratios = append(ratios, first.Log-second.Log)
		}
	}
	return stats.Median(ratios)
}

// planted is a line of commits named 0, 1, 2, …; change is what each adds to the log of the
// time of the one before it.
func planted(change []float64) (line []tree.Commit, times map[string]float64) {
	times = map[string]float64{"0": 0}
	line = append(line, tree.Commit{Hash: "0"})
	for i, x := range change {
		hash := fmt.Sprint(i + 1)
		times[hash] = times[fmt.Sprint(i)] + x
		line = append(line, tree.Commit{Hash: hash, Parents: []string{fmt.Sprint(i)}})
	}
	return line, times
}

// one is 64 commits of which the kth takes longer by a log ratio.
func one(k int, change float64) []float64 {
	all := make([]float64, 64)
	all[k-1] = change
	return all
}

// on is a meter on a usual machine.
func on(times map[string]float64, seed uint64) *simulated {
	return &simulated{times: times, noise: sim.Typical, offset: 0.01, layout: 0.02, rng: rand.New(rand.NewPCG(seed, 16)), most: 20_000}
}

func optionsOf(line []tree.Commit, m *simulated) Options {
	return Options{Line: line, Tolerance: 0.03, Confidence: 0.99, Meter: m, Now: func() time.Time { return time.Unix(0, 0) }}
}

// searched makes a search that must not fail.
func searched(t *testing.T, o Options) *Document {
	t.Helper()
	d, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	fits(t, d)
	return d
}

// only is the commit that was found, "" if none or several were.
func (d *Document) only() string {
	if d.Found == nil || len(d.Found.Commits) != 1 {
		return ""
	}
	return d.Found.Commits[0].Hash
}

// histories searches so many histories of 64 commits. One commit of each makes the case
// slower by 5 to 30 %, and all of them move it by 0.1 % at random. It returns how many
// searches were right, and the launches of each.
func histories(t *testing.T, trials int, noise sim.Noise, change func(*simulated)) (right int, launches []float64) {
	t.Helper()
	for trial := range trials {
		rng := rand.New(rand.NewPCG(64, uint64(trial)))
		changes := make([]float64, 64)
		for i := range changes {
			changes[i] = 0.001 * rng.NormFloat64()
		}
		culprit := 1 + rng.IntN(64)
		changes[culprit-1] += math.Log1p(0.05 + 0.25*rng.Float64())
		line, times := planted(changes)
		m := on(times, uint64(trial))
		m.noise = noise
		change(m)
		d := searched(t, optionsOf(line, m))
		if d.only() == fmt.Sprint(culprit) {
			right++
		} else {
			t.Logf("history %d: commit %d of %+.3f: %s %q", trial, culprit, changes[culprit-1], d.Outcome, d.only())
		}
		launches = append(launches, float64(m.launches))
	}
	return right, launches
}

// The right commit is found in at least 99 % of histories, on a usual and on a noisy
// machine, whose launches and layouts each have an effect of their own.
func TestThePlantedCommitIsFound(t *testing.T) {
	for name, noise := range map[string]sim.Noise{"typical": sim.Typical, "cloud": sim.Cloud} {
		const trials = 200
		right, launches := histories(t, trials, noise, func(*simulated) {})
		t.Logf("%s: %d of %d right, %.0f launches (median), 90%% within %.0f", name, right, trials, stats.Median(launches), stats.Quantile(launches, 0.9))
		if right < trials*99/100 {
			t.Errorf("%s: %d of %d are right", name, right, trials)
		}
	}
}

// The test above notices a method that guesses: if the first launch decides, far fewer
// histories are searched right.
func TestAGuessIsNoticed(t *testing.T) {
	const trials = 200
	right, _ := histories(t, trials, sim.Cloud, func(m *simulated) { m.guesses = true })
	t.Logf("%d of %d right", right, trials)
	if right >= trials*99/100 {
		t.Errorf("%d of %d are right although the first launch decides", right, trials)
	}
}

// Without a change nothing is found, on any machine.
func TestNothingIsFoundInEqualCommits(t *testing.T) {
	for trial := range 200 {
		line, times := planted(make([]float64, 64))
		m := on(times, uint64(trial))
		m.noise = sim.Cloud
		if d := searched(t, optionsOf(line, m)); d.Outcome != Unchanged {
			t.Errorf("trial %d: %s %s", trial, d.Outcome, d.only())
		}
	}
}
