package sim

import (
	"math"
	"math/rand/v2"

	"example.com/suite/stats"
)

// LaunchTrial is one comparison of two binaries: launches until there is a
// verdict, each a median of its pairs.
type LaunchTrial struct {
	Ratio    float64 // the true one
	Launches int     // at most
	Pairs    int     // of each launch
	// Offset is the standard deviation of what a launch adds to ln of its ratio,
	// by where its memory lies and the like.
	Offset float64
	// ByPair judges all pairs as if they were of one launch: it is here to show
	// why they must not be.
	ByPair bool
}

// Run takes launches from the machine until the judge decides or they are used
// up. rng draws coins and offsets; the outcome counts launches, or pairs ByPair.
// The error is the judge's.
func (t LaunchTrial) Run(machine Machine, judge *stats.Sequence, rng *rand.Rand) (Outcome, error) {
	for range t.Launches {
		ratios, pairs := t.launch(machine, rng)
		if !t.ByPair {
			median, _, _ := stats.LaunchMedian(ratios, pairs)
			ratios = []float64{median}
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

func (t LaunchTrial) launch(machine Machine, rng *rand.Rand) (ratios []float64, pairs []stats.Disturbed) {
	effect := math.Log(t.Ratio) + t.Offset*rng.NormFloat64()
	for range t.Pairs {
		base, candidate := Trial{}.pair(machine, effect, rng)
		ratios = append(ratios, candidate.Log-base.Log)
		pairs = append(pairs, stats.Disturbed{Base: base.Disturbed, Candidate: candidate.Disturbed})
	}
	return ratios, pairs
}
