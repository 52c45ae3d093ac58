package selfcheck

import (
	"math/rand/v2"
	"os/exec"

	"example.com/suite/bench"
)

// The bodies are part of this package, so that the injected work is known: an iteration
// is exactly as many steps as its parameter, and each step waits for the one before it.
func init() {
	bench.Register("selfcheck/arithmetic", arithmetic)
	bench.Register("selfcheck/memory", memory)
}

// arithmetic takes steps that never leave the registers: three shifts, about 2 ns.
func arithmetic(c *bench.Case) bench.Loop {
	steps, x := c.Int("steps"), uint64(88172645463325252)
	return func(n int) {
		for range n {
			x = xorshift(x, steps)
		}
		bench.Keep(&x)
	}
}

func xorshift(x uint64, steps int) uint64 {
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// slots is the number of slots of memory that are visited: 1 MiB, for which the caches next to a
// core hardly have room.
const slots = 1 << 18

// memory takes steps from slot to slot, in an order that no prefetcher knows.
func memory(c *bench.Case) bench.Loop {
	steps := c.Int("steps")
	next := cycle(slots)
	at := uint32(0)
	return func(n int) {
		for range n {
			at = walk(next, at, steps)
		}
		bench.Keep(&at)
	}
}

func walk(next []uint32, at uint32, steps int) uint32 {
	for range steps {
		at = next[at]
	}
	return at
}

// cycle links n slots to one ring in random order (Sattolo). The order is the same every time.
func cycle(n int) []uint32 {
	next, rng := make([]uint32, n), rand.New(rand.NewPCG(1, 2))
	for i := range next {
		next[i] = uint32(i)
	}
	for i := n - 1; i > 0; i-- {
		j := rng.IntN(i)
		next[i], next[j] = next[j], next[i]
	}
	return next
}

// Quickest is a program that ends at once, nil if there is none.
func Quickest() []string {
	if path, err := exec.LookPath("true"); err == nil {
		return []string{path}
	}
	if path, err := exec.LookPath("cmd.exe"); err == nil {
		return []string{path, "/c", "exit"}
	}
	return nil
}
