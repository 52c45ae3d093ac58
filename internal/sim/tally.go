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
	pairs                []int // of each trial, in their order
}

// chunk is how many trials share a random source: enough to make its start
// cheap, few enough for all processors to have work.
const chunk = 250

// Repeat runs trials of them and counts how they end. Each run is handed a
// random source that depends on seed and on the number of its chunk alone: the
// tally is the same on any number of processors. The error is that of the first
// run that failed.
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
		if outcomes[i], err = run(rng); err != nil {
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

// MeanPairs is how many pairs a trial took on average, those without a verdict
// included; 0 without trials.
func (t Tally) MeanPairs() float64 {
	sum := 0
	for _, n := range t.pairs {
		sum += n
	}
	return float64(sum) / float64(max(1, len(t.pairs)))
}

// PairsWithin is the least number of pairs within which a share of the trials
// ended: 0.5 gives the median, 0.9 what nine of ten needed at most; 0 without
// trials.
func (t Tally) PairsWithin(share float64) int {
	if len(t.pairs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t.pairs))
	at := int(share*float64(len(s))+0.999999) - 1
	return s[max(0, min(at, len(s)-1))]
}
