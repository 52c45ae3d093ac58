// Package sim runs the judge of comparisons on simulated machines, thousands of times a
// second: to test its promises, and to find out how it would have judged on a machine with
// recorded noise.
//
// All times are natural logarithms of durations relative to an undisturbed batch of the
// base; effects and noise are added. Callers pass the random numbers.
package sim

import (
	"math"
	"math/rand/v2"
)

// Batch is the result of one batch: the logarithm of its duration, whether the machine
// marks it as disturbed, and how much of the logarithm was no CPU time.
type Batch struct {
	Log       float64
	Disturbed bool
	Delay     float64
}

// Machine runs two batches one after the other. The arguments are the logarithms of their
// durations without noise, in the order in which they run.
type Machine interface {
	Pair(first, second float64) (one, two Batch)
}

// Noise describes a machine. Lengths of time are in slots; a pair takes two slots. The zero
// value has no noise.
type Noise struct {
	// Spread is the standard deviation of the normal noise of each slot.
	Spread float64
	// A share of slots, Outliers, takes longer by an exponential of mean Outlier.
	Outliers, Outlier float64
	// Drift is the standard deviation of an Ornstein–Uhlenbeck process, and Memory the
	// number of slots after which it has forgotten all but 1/e.
	Drift, Memory float64
	// A neighbour is away for Away slots on average, then active for There slots. Meanwhile
	// everything takes longer by Neighbour.
	Neighbour, Away, There float64
	// Second is how much longer the second slot of a pair takes.
	Second float64
	// Disturbed is the rate of disturbances for a batch of duration 1. Their chance grows
	// with the duration: 1 − exp(−rate · duration). A disturbed batch takes longer by an
	// exponential of mean Delay, and is marked.
	Disturbed, Delay float64
}

// The machines for which verdicts are promised: standard deviations of logarithms, shares,
// and slots.
var (
	Quiet   = Noise{Spread: 0.005}
	Typical = Noise{Spread: 0.02, Outliers: 0.05, Outlier: 0.15, Drift: 0.03, Memory: 200}
	Cloud   = Noise{Spread: 0.04, Outliers: 0.10, Outlier: 0.30, Drift: 0.04, Memory: 100,
		Neighbour: math.Log(1.25), Away: 60, There: 20}
	SlotPenalty = Noise{Spread: 0.02, Outliers: 0.05, Outlier: 0.15, Drift: 0.03, Memory: 200, Second: math.Log(1.01)}
)

// Machine starts a machine with this noise. Its drift and its neighbour begin in a random
// state.
func (n Noise) Machine(rng *rand.Rand) Machine {
	m := &noisy{Noise: n, rng: rng, drift: n.Drift * rng.NormFloat64()}
	if n.Memory > 0 {
		m.keeps = math.Exp(-1 / n.Memory)
		m.moves = n.Drift * math.Sqrt(1-m.keeps*m.keeps)
	}
	m.there = n.Neighbour != 0 && rng.Float64() < n.There/(n.Away+n.There)
	return m
}

type noisy struct {
	Noise
	rng          *rand.Rand
	drift        float64
	keeps, moves float64 // of the drift, in one slot
	there        bool
}

func (m *noisy) Pair(first, second float64) (one, two Batch) {
	return m.batch(first), m.batch(second + m.Second)
}

func (m *noisy) batch(log float64) Batch {
	log += m.Spread*m.rng.NormFloat64() + m.common()
	if m.Outliers > 0 && m.rng.Float64() < m.Outliers {
		log += m.Outlier * m.rng.ExpFloat64()
	}
	b := Batch{Log: log}
	if m.Disturbed > 0 && belowExp(m.rng.ExpFloat64()/m.Disturbed, log) {
		delay := m.Delay * m.rng.ExpFloat64()
		b = Batch{log + delay, true, delay}
	}
	return b
}

// belowExp reports whether x < e^y. Because 1+y ≤ e^y ≤ 1/(1−y) for y < 1, it seldom has
// to compute the exponential, which took a quarter of the time of simulations.
func belowExp(x, y float64) bool {
	switch {
	case x < 1+y:
		return true
	case y < 1 && x*(1-y) >= 1:
		return false
	}
	return x < math.Exp(y)
}

// common is the noise that neighbouring slots share. Each call moves on by one slot.
func (m *noisy) common() float64 {
	if m.Drift > 0 {
		m.drift = m.keeps*m.drift + m.moves*m.rng.NormFloat64()
	}
	if m.Neighbour == 0 {
		return m.drift
	}
	stay := m.Away
	if m.there {
		stay = m.There
	}
	if m.rng.Float64()*stay < 1 {
		m.there = !m.there
	}
	if m.there {
		return m.drift + m.Neighbour
	}
	return m.drift
}

// Recorded replays measured slots, beginning at Start and in a circle: pairs of batches of
// the same code, in the order in which they ran.
type Recorded struct {
	Pairs [][2]Batch
	Start int
}

// Pair replays the next recorded pair, with the effect of each batch added.
func (r *Recorded) Pair(first, second float64) (one, two Batch) {
	p := r.Pairs[r.Start%len(r.Pairs)]
	r.Start++
	p[0].Log += first
	p[1].Log += second
	return p[0], p[1]
}
