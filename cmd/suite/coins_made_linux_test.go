package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/suite/internal/sim"
	"example.com/suite/result"
)

// The judge of every suite keeps its promise over slots that are made up: on a machine
// of typical noise, where a set-up makes code 2 % faster or slower in all of its pairs
// and the second slot costs 1 %. Counted pair by pair, or with the base always first,
// the same slots are called changes.
func TestCoinsOverSlotsThatAreMadeUp(t *testing.T) {
	over := []slots{madeUp(0.02)}
	for _, c := range []struct {
		how                 tossing
		suites, least, most int
	}{
		{byCoin, 200, 0, 8}, // fair coins: one in 200, and nine by a chance of 10⁻⁶
		{byPair, 20, 10, 20},
		{baseFirst, 20, 10, 20},
	} {
		red, err := (&tossed{over, 30, c.how}).red(c.suites)
		if err != nil || red < c.least || red > c.most {
			t.Errorf("tossing %d: %d of %d suites are red, want %d to %d: %v", c.how, red, c.suites, c.least, c.most, err)
		}
	}
}

// madeUp gives slots of functions in 400 set-ups, of which each has a speed of its own.
func madeUp(setUp float64) slots {
	rng := rand.New(rand.NewPCG(1, 2))
	machine, s := sim.SlotPenalty.Machine(rng), slots{kind: result.KindGo}
	for range 400 {
		speed, b := [2]float64{setUp * rng.NormFloat64(), setUp * rng.NormFloat64()}, block{}
		for i := range 10 {
			first := rng.IntN(2)
			one, two := machine.Pair(speed[first], speed[1-first])
			b.first = append(b.first, first)
			for who := range b.times {
				b.times[who], b.disturbed[who] = append(b.times[who], 0), append(b.disturbed[who], false)
			}
			b.times[first][i], b.times[1-first][i] = math.Exp(one.Log), math.Exp(two.Log)
		}
		s.blocks = append(s.blocks, b)
	}
	return s
}
