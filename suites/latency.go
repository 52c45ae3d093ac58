package suites

import (
	"time"

	"example.com/suite/bench"
)

func init() {
	bench.Register("latency/add", chain(add1, add4))
	bench.Register("latency/multiply", chain(multiply1, multiply4))
	bench.Register("latency/map-insert", mapInsert)
	bench.Register("latency/server", server)
}

// factor is not a constant, so that the compiler cannot work a chain out, and
// odd, so that a product never becomes zero.
var factor uint64 = 0x9E3779B97F4A7C15

// chain returns a loop of operations that each need the result of the one before. Their
// time is the latency, however many operations the core can run in parallel.
func chain(one, four func(x, k uint64, n int) uint64) bench.Setup {
	return func(c *bench.Case) bench.Loop {
		run := one
		if c.Int("length") == 4 {
			run = four
		}
		return func(n int) {
			x := run(1, factor, n)
			bench.Keep(&x)
		}
	}
}

func add1(x, k uint64, n int) uint64 {
	for range n {
		x += k
	}
	return x
}

// add4 takes turns with another operation of one cycle: the compiler would make
// one addition of four.
func add4(x, k uint64, n int) uint64 {
	for range n {
		x = ((x + k) ^ k + k) ^ k
	}
	return x
}

func multiply1(x, k uint64, n int) uint64 {
	for range n {
		x *= k
	}
	return x
}

func multiply4(x, k uint64, n int) uint64 {
	l := k + 2 // two factors: x·k·k could be made x·k²
	for range n {
		x *= k
		x *= l
		x *= k
		x *= l
	}
	return x
}

// mapInsert fills a map of `size` keys and begins again with a new one, `step` insertions in
// an iteration. Most are fast. Now and then one makes the map grow and moves a part of its
// entries: the median does not show it, the highest percentiles do.
func mapInsert(c *bench.Case) bench.Loop {
	size, step, key := c.Int("size"), c.Int("step"), 0
	table := map[int]int{}
	return bench.Each(func() {
		if key >= size {
			table, key = map[int]int{}, 0
		}
		for range step {
			table[key] = key
			key++
		}
	})
}

// server takes the time `answer` for an iteration, and in one of `every` it stops for the time
// `stop`. What that means for those who ask depends on whether they wait for each other.
func server(c *bench.Case) bench.Loop {
	answer, stop, every, asked := c.Duration("answer"), c.Duration("stop"), c.Int("every"), 0
	return bench.Each(func() {
		end := time.Now().Add(answer)
		if asked++; asked%every == 0 {
			end = end.Add(stop)
		}
		for time.Now().Before(end) {
		}
	})
}
