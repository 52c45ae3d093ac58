package sim

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"example.com/suite/stats"
)

// Tally counts outcomes.
type Tally struct {
	Trials, Above, Below int
	pairs                []int // of each trial, in order
}

// chunk is how many trials share a random source: enough to make its start cheap, few enough that
// all processors have work.
const chunk = 250

// Repeat runs a number of trials and counts their outcomes. Each run gets a random source
// that depends only on seed and the number of its chunk, so the tally is the same on any
// number of processors. The error is the one of the first run that failed.
func Repeat(trials int, seed uint64, run func(*rand.Rand) (Outcome, error)) (Tally, error) {
	outcomes := make([]Outcome, trials)
	errs := make([]error, (trials+chunk-1)/chunk)
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range errs {
		free <- struct{}{}
		all.Go(func() {
			errs[i] = fill(outcomes[i*chunk:min(trials, (i+1)*chunk)], rand.New(rand.NewPCG(seed, uint64(i))), run)
			<-free
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return Tally{}, err
		}
	}
	return count(outcomes), nil
}

func fill(outcomes []Outcome, rng *rand.Rand, run func(*rand.Rand) (Outcome, error)) (err error) {
	for i := range outcomes {
		outcomes[i], err = run(rng)
		if err != nil {
			return err
		}
	}
	return nil
}

func count(outcomes []Outcome) Tally {
	t := Tally{Trials: len(outcomes)}
	for _, o := range outcomes {
		switch o.Side {
		case stats.Above:
			t.Above++
		case stats.Below:
			t.Below++
		}
		t.pairs = append(t.pairs, o.Pairs)
	}
	return t
}

// MeanPairs is how many pairs a trial took on average, trials without a verdict
// included, or 0 without trials.
func (t Tally) MeanPairs() float64 {
	sum := 0
	for _, n := range t.pairs {
		sum += n
	}
	return float64(sum) / float64(max(1, len(t.pairs)))
}

// PairsWithin is the least number of pairs within which a share of the trials ended:
// 0.5 for the median, 0.9 for what nine of ten trials needed at most. It is 0 without
// trials.
func (t Tally) PairsWithin(share float64) int {
	if len(t.pairs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t.pairs))
	at := int(share*float64(len(s))+0.999999) - 1
	return s[max(0, min(at, len(s)-1))]
}
