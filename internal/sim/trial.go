package sim

import (
	"math"
	"math/rand/v2"

	"example.com/suite/stats"
)

// Judge is what sees the pairs one by one, with the sides that were disturbed.
type Judge interface {
	Add(logRatio float64, pair stats.Disturbed) (used bool, err error)
	Side() stats.Side
	DecidedAt() int
}

// Order is which side of a pair goes first.
type Order int

const (
	// ByCoin is how pairs are measured.
	ByCoin Order = iota
	// BaseFirst is how pairs must not be measured, and shows why.
	BaseFirst
)

// Trial is one comparison: pairs until there is a verdict.
type Trial struct {
	Ratio float64 // the true one
	Pairs int     // at most
	Order Order
}

// Outcome is how a trial ended.
type Outcome struct {
	Side  stats.Side
	Pairs int // taken, up to the verdict
}

// Run takes pairs from the machine until the judge decides or the pairs are used up. rng
// tosses the coins. The error is the judge's.
func (t Trial) Run(machine Machine, judge Judge, rng *rand.Rand) (Outcome, error) {
	effect := math.Log(t.Ratio)
	for range t.Pairs {
		base, candidate := t.pair(machine, effect, rng)
		disturbed := stats.Disturbed{Base: base.Disturbed, Candidate: candidate.Disturbed}
		if _, err := judge.Add(candidate.Log-base.Log, disturbed); err != nil {
			return Outcome{}, err
		}
		if judge.Side() != stats.Undecided {
			return Outcome{judge.Side(), judge.DecidedAt()}, nil
		}
	}
	return Outcome{stats.Undecided, t.Pairs}, nil
}

func (t Trial) pair(machine Machine, effect float64, rng *rand.Rand) (base, candidate Batch) {
	if t.Order == ByCoin && rng.Uint64()&1 == 1 {
		candidate, base = machine.Pair(effect, 0)
		return base, candidate
	}
	return machine.Pair(0, effect)
}

// LaunchTrial is one comparison of two binaries: launches until there is a verdict. Each
// launch contributes the median of its pairs.
type LaunchTrial struct {
	Ratio    float64 // the true one
	Launches int     // at most
	Pairs    int     // of each launch
	// Offset is the standard deviation of what a launch adds to the logarithm of its ratio,
	// for example by where its memory is.
	Offset float64
	// ByPair judges all pairs as if they were of one launch. It shows why they must not be.
	ByPair bool

	// Layout is the most that the file and the layout of a side add to the logarithm of its
	// time. What each side gets is drawn evenly between 0 and Layout.
	Layout float64
	// PerLayout is how many launches run with one draw of the layouts. They are one
	// observation, the mean of their medians. With 0, one draw serves all launches, and
	// each launch is an observation, as if they had nothing in common.
	PerLayout int
	// Shared is set if both sides have the same order of functions in each draw. The candidate has another
	// unrelated function: in half of the draws it comes first and moves the function that is
	// measured, always by the same distance. What a place costs is drawn for each trial.
	Shared bool
	// Starts is at how many places within a line of the cache functions start in turns, the same for both sides,
	// for two draws each. What is measured is half a line further on in the candidate. What a place costs is drawn
	// for each trial.
	Starts int
	// Middle lets a launch on a busy machine have the middle of three ratios.
	Middle bool
	// Apart counts the launches of one draw as separate observations. It shows why they
	// must not be.
	Apart bool
}

// Run takes launches from the machine until the judge decides or they are used up. rng
// draws coins and offsets. The outcome counts launches, or pairs if ByPair is set. The
// error is the judge's.
func (t LaunchTrial) Run(machine Machine, judge *stats.Sequence, rng *rand.Rand) (Outcome, error) {
	places := t.places(rng)
	layout, sum := t.draw(places, 0, rng), 0.0
	for i := range t.Launches {
		if t.PerLayout > 0 && i > 0 && i%t.PerLayout == 0 {
			layout = t.draw(places, i/t.PerLayout, rng)
		}
		ratios, pairs, times := t.launch(machine, layout, rng)
		if !t.ByPair {
			ratios = []float64{stats.Groups(ratios, pairs, make([]int, len(pairs)), times)[0].Ratio}
		}
		if t.PerLayout > 1 && !t.Apart {
			sum += ratios[0]
			if (i+1)%t.PerLayout != 0 {
				continue
			}
			ratios[0], sum = sum/float64(t.PerLayout), 0
		}
		for _, x := range ratios {
			if err := judge.Add(x); err != nil {
				return Outcome{}, err
			}
		}
		if judge.Side() != stats.Undecided {
			return Outcome{judge.Side(), judge.DecidedAt()}, nil
		}
	}
	return Outcome{stats.Undecided, judge.Pairs()}, nil
}

// places draws what the place of a function adds to the logarithm of its time, for each of 64 places, of which two
// are the halves of a line: little for most of them, up to Layout for a few. It is nil unless both sides share
// their orders of functions or where these start.
func (t LaunchTrial) places(rng *rand.Rand) (cost []float64) {
	if !t.Shared && t.Starts == 0 {
		return nil
	}
	for range 64 {
		cost = append(cost, t.Layout*math.Pow(rng.Float64(), 3))
	}
	return cost
}

// The layouts of both sides add this to the logarithm of their ratio.
func (t LaunchTrial) draw(places []float64, number int, rng *rand.Rand) float64 {
	switch {
	case t.Layout == 0:
		return 0
	case t.Starts > 0:
		half := number / 2 % t.Starts % 2
		return places[1-half] - places[half]
	case !t.Shared:
		return t.Layout * (rng.Float64() - rng.Float64())
	}
	base := rng.IntN(len(places))
	if rng.IntN(2) == 0 {
		return 0 // the function that differs comes later
	}
	return places[(base+movedBy)%len(places)] - places[base]
}

// movedBy is how many places a function moves when an earlier function grows.
const movedBy = 3

func (t LaunchTrial) launch(
	machine Machine, layout float64, rng *rand.Rand,
) (ratios []float64, pairs []stats.Disturbed, times *stats.Times) {
	effect := math.Log(t.Ratio) + layout + t.Offset*rng.NormFloat64()
	ratios, pairs = make([]float64, 0, t.Pairs), make([]stats.Disturbed, 0, t.Pairs)
	if t.Middle {
		times = &stats.Times{}
	}
	for range t.Pairs {
		base, candidate := Trial{}.pair(machine, effect, rng)
		if t.Middle {
			times.Base, times.Own = append(times.Base, math.Exp(base.Log)), append(times.Own, math.Exp(candidate.Log))
			times.BaseCPU = append(times.BaseCPU, math.Exp(base.Log-base.Delay))
			times.OwnCPU = append(times.OwnCPU, math.Exp(candidate.Log-candidate.Delay))
		}
		ratios = append(ratios, candidate.Log-base.Log)
		pairs = append(pairs, stats.Disturbed{Base: base.Disturbed, Candidate: candidate.Disturbed})
	}
	return ratios, pairs, times
}
