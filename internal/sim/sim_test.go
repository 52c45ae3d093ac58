package sim

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"example.com/suite/stats"
)

// slots runs pairs without effects and gives their batches in order.
func slots(n Noise, pairs int) (logs []float64, disturbed int) {
	m := n.Machine(rand.New(rand.NewPCG(1, 2)))
	for range pairs {
		a, b := m.Pair(0, 0)
		logs = append(logs, a.Log, b.Log)
		for _, x := range []Batch{a, b} {
			if x.Disturbed {
				disturbed++
			}
		}
	}
	return logs, disturbed
}

// Each kind of noise alone, against its mean and standard deviation in closed
// form: 200,000 slots, a hundredth of the value of room, and a tenth where slots
// resemble their neighbours.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		name               string
		noise              Noise
		mean, spread, room float64
	}{
		{"none", Noise{}, 0, 0, 0},
		{"normal", Noise{Spread: 0.02}, 0, 0.02, 0.01},
		{"outliers", Noise{Outliers: 0.05, Outlier: 0.15}, 0.0075, 0.15 * math.Sqrt(2*0.05-0.05*0.05), 0.03},
		{"drift", Noise{Drift: 0.03, Memory: 20}, 0, 0.03, 0.1},
		{"neighbour", Noise{Neighbour: 0.2, Away: 60, There: 20}, 0.05, 0.2 * math.Sqrt(0.25*0.75), 0.1},
		{"second slot", Noise{Second: 0.01}, 0.005, 0.005, 0.01},
		{"disturbed", Noise{Disturbed: -math.Log(0.8), Delay: 0.5}, 0.1, 0.5 * math.Sqrt(2*0.2-0.2*0.2), 0.03},
	} {
		logs, _ := slots(c.noise, 100_000)
		mean, spread := stats.Mean(logs), stats.StdDev(logs)
		if math.Abs(spread-c.spread) > c.room*c.spread || math.Abs(mean-c.mean) > c.room*c.spread {
			t.Errorf("%s: mean %.5f, spread %.5f; want %.5f and %.5f", c.name, mean, spread, c.mean, c.spread)
		}
	}
}

// How long noise stays: a neighbour 20 slots, 60 apart, and a drift is
// correlated by 1/e with itself as many slots later as its memory says.
func TestNoiseStays(t *testing.T) {
	logs, _ := slots(Noise{Neighbour: 0.2, Away: 60, There: 20}, 100_000)
	visits, there := 0, 0
	for i, x := range logs {
		if x > 0 {
			there++
			if i == 0 || logs[i-1] == 0 {
				visits++
			}
		}
	}
	stay, away := float64(there)/float64(visits), float64(len(logs)-there)/float64(visits)
	if math.Abs(stay-20) > 2 || math.Abs(away-60) > 6 {
		t.Errorf("a neighbour stays for %.1f slots, %.1f apart", stay, away)
	}
	logs, _ = slots(Noise{Drift: 1, Memory: 20}, 100_000)
	product := 0.0
	for i, x := range logs[20:] {
		product += x * logs[i]
	}
	if r := product / float64(len(logs)); math.Abs(r-1/math.E) > 0.08 {
		t.Errorf("correlation after 20 slots: %.3f", r)
	}
}

// The chance of a disturbance grows with the duration: 1 − exp(−rate · duration).
func TestLongBatchesAreDisturbedOftener(t *testing.T) {
	m := Noise{Disturbed: 0.1, Delay: 0.5}.Machine(rand.New(rand.NewPCG(3, 4)))
	var short, long float64
	for range 20_000 {
		a, b := m.Pair(0, math.Log(3))
		if a.Disturbed {
			short++
		}
		if b.Disturbed {
			long++
		}
	}
	if want := 20_000 * (1 - math.Exp(-0.1)); math.Abs(short-want) > 5*math.Sqrt(want) {
		t.Errorf("of length 1: %v disturbed, want about %.0f", short, want)
	}
	if want := 20_000 * (1 - math.Exp(-0.3)); math.Abs(long-want) > 5*math.Sqrt(want) {
		t.Errorf("of length 3: %v disturbed, want about %.0f", long, want)
	}
}

// journal records what it is shown and never decides.
type journal struct{ ratios []float64 }

func (j *journal) Add(logRatio float64, _ stats.Disturbed) (used bool, err error) {
	j.ratios = append(j.ratios, logRatio)
	return true, nil
}
func (j *journal) Side() stats.Side { return stats.Undecided }
func (j *journal) DecidedAt() int   { return 0 }

// Where the second slot costs more and both sides are equal, the sign of a pair
// tells who went first: nobody always, by coin about half of the time.
func TestOrder(t *testing.T) {
	for order, share := range map[Order][2]float64{ByCoin: {0.45, 0.55}, BaseFirst: {1, 1}} {
		j, rng := &journal{}, rand.New(rand.NewPCG(5, 6))
		got, err := Trial{Ratio: 1, Pairs: 2000, Order: order}.Run(Noise{Second: 0.01}.Machine(rng), j, rng)
		if err != nil || got != (Outcome{stats.Undecided, 2000}) {
			t.Errorf("order %d: %+v, %v", order, got, err)
		}
		first := 0.0
		for _, x := range j.ratios {
			if math.Abs(math.Abs(x)-0.01) > 1e-12 {
				t.Fatalf("order %d: a pair of %v", order, x)
			}
			if x > 0 {
				first++
			}
		}
		first /= 2000
		if first < share[0] || first > share[1] {
			t.Errorf("order %d: base first in %v", order, first)
		}
	}
}

// The effect follows the candidate, and recorded slots come round again.
func TestRecorded(t *testing.T) {
	m := &Recorded{Pairs: [][2]Batch{{{Log: 0}, {Log: 1, Disturbed: true}}, {{Log: 2, Disturbed: true}, {Log: 5}}}, Start: 1}
	j := &journal{}
	if _, err := (Trial{Ratio: math.E, Pairs: 3, Order: BaseFirst}).Run(m, j, nil); err != nil {
		t.Fatal(err)
	}
	if want := []float64{4, 2, 4}; !slices.Equal(j.ratios, want) {
		t.Errorf("got %v, want %v", j.ratios, want)
	}
	if a, b := m.Pair(0, 0); a.Disturbed || !b.Disturbed {
		t.Errorf("marks of the first pair: %v, %v", a.Disturbed, b.Disturbed)
	}
}

// all uses every pair.
type all struct{ *stats.Sequence }

func (a all) Add(logRatio float64, _ stats.Disturbed) (used bool, err error) {
	return true, a.Sequence.Add(logRatio)
}

// A tally is the same on any number of processors.
func TestRepeatReplays(t *testing.T) {
	run := func(rng *rand.Rand) (Outcome, error) {
		sequence, err := stats.NewSequence(1, 0.01)
		if err != nil {
			return Outcome{}, err
		}
		return Trial{Ratio: 1.03, Pairs: 100}.Run(Cloud.Machine(rng), all{sequence}, rng)
	}
	many, err := Repeat(3*chunk+17, 9, run)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err2 := Repeat(3*chunk+17, 9, run)
	if err != nil || err2 != nil || many.Above != one.Above || !slices.Equal(many.pairs, one.pairs) {
		t.Errorf("%d above on many, %d on one: %v, %v", many.Above, one.Above, err, err2)
	}
	if other, _ := Repeat(3*chunk+17, 10, run); slices.Equal(other.pairs, one.pairs) {
		t.Error("another seed gives the same trials")
	}
	if one.Trials != 3*chunk+17 || one.Above == 0 || slices.Equal(one.pairs[:chunk], one.pairs[chunk:2*chunk]) {
		t.Errorf("chunks repeat each other: %d trials, %d above", one.Trials, one.Above)
	}
}

func TestRepeatGivesErrors(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Repeat(600, 1, func(*rand.Rand) (Outcome, error) { return Outcome{}, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	sequence, _ := stats.NewSequence(1, 0.01)
	endless := &Recorded{Pairs: [][2]Batch{{{Log: math.Inf(1)}, {}}}}
	if _, err := (Trial{Ratio: 1, Pairs: 1}).Run(endless, all{sequence}, rng); !errors.Is(err, stats.ErrNotFinite) {
		t.Errorf("an endless batch: %v", err)
	}
}

func TestTally(t *testing.T) {
	tally := count([]Outcome{{stats.Above, 9}, {stats.Below, 20}, {stats.Undecided, 300}, {stats.Above, 11}})
	if tally.Trials != 4 || tally.Above != 2 || tally.Below != 1 || tally.MeanPairs() != 85 {
		t.Errorf("%+v, mean %v", tally, tally.MeanPairs())
	}
	for share, want := range map[float64]int{0: 9, 0.25: 9, 0.5: 11, 0.75: 20, 0.9: 300, 1: 300} {
		if got := tally.PairsWithin(share); got != want {
			t.Errorf("within %v: %d pairs, want %d", share, got, want)
		}
	}
	if none := (Tally{}); none.MeanPairs() != 0 || none.PairsWithin(0.5) != 0 {
		t.Error("no trials took pairs")
	}
}

func TestBelowExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10_000 {
		y := 2 * rng.NormFloat64()
		for _, x := range []float64{math.Exp(y) * (1 - 1e-9), math.Exp(y) * (1 + 1e-9), 3 * rng.ExpFloat64(), 0, 1 + y} {
			if got, want := belowExp(x, y), x < math.Exp(y); got != want {
				t.Fatalf("%g < e^%g: %v", x, y, got)
			}
		}
	}
}
