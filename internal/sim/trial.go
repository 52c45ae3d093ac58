package sim

import (
	"math"
	"math/rand/v2"

	"example.com/suite/stats"
)

// Judge is what pairs are shown to one by one: stats.Call sets disturbed ones aside, as
// stats.Groups does for those of a set-up or a launch.
type Judge interface {
	Add(logRatio float64, pair stats.Disturbed) (used bool, err error)
	Side() stats.Side
	DecidedAt() int
}

// Order says who of a pair goes first.
type Order int

const (
	// ByCoin is how pairs are measured.
	ByCoin Order = iota
	// BaseFirst is how they must not be measured: it is here to show why.
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

// Run takes pairs from the machine until the judge decides or the pairs are
// used up. rng tosses the coins. The error is the judge's.
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
