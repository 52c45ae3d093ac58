package pegs

import (
	"math/rand/v2"

	"example.com/suite/bench"
	"example.com/suite/peg"
)

func init() {
	bench.Register("pegs/chain", chain)
	bench.Register("pegs/sums", sums)
	bench.Register("pegs/chase", chase)
}

// Work of known length between two points: nothing else is in an iteration, so the arc is
// the time that suite measures without pegs.
var (
	workBegun = peg.New("known/begun")
	workDone  = peg.New("known/done")
)

// chain waits for one multiplication after the other, and leaves room for hits.
func chain(c *bench.Case) bench.Loop {
	steps := c.Int("steps")
	x := uint64(1)
	return known(c, func(uint64) uint64 {
		for range steps {
			x = x*6364136223846793005 + 1442695040888963407
		}
		return x
	})
}

// sums keeps the arithmetic units busy, and leaves no room for hits.
func sums(c *bench.Case) bench.Loop {
	steps := c.Int("steps")
	return known(c, func(x uint64) uint64 {
		p, q, r, s := x, x+1, x+2, x+3
		for range steps {
			p += p>>7 ^ x
			q += q>>9 ^ x
			r += r>>11 ^ x
			s += s>>13 ^ x
		}
		return p ^ q ^ r ^ s
	})
}

// chase waits for one cache miss after the other, in a cycle of 64 MiB.
func chase(c *bench.Case) bench.Loop {
	steps := c.Int("steps")
	next := make([][16]uint32, 64<<20/64) // a cache line each
	for i := range next {
		next[i][0] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := len(next) - 1; i > 0; i-- { // Sattolo's algorithm: one cycle
		j := rng.IntN(i)
		next[i][0], next[j][0] = next[j][0], next[i][0]
	}
	at := uint32(0)
	return known(c, func(uint64) uint64 {
		for range steps {
			at = next[at][0]
		}
		return uint64(at)
	})
}

func known(c *bench.Case, work func(uint64) uint64) bench.Loop {
	lane := peg.NewLane("known")
	c.Cleanup(lane.Close)
	return func(n int) {
		var last uint64
		for i := range n {
			lane.Start(workBegun)
			last += work(uint64(i))
			lane.Stop(workDone)
		}
		bench.Keep(&last)
	}
}
