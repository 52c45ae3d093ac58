package suites

import (
	"time"

	"example.com/suite/bench"
)

func init() {
	bench.Register("basics/empty", func(*bench.Case) bench.Loop {
		return func(n int) {
			for range n {
			}
		}
	})
	bench.Register("basics/empty-call", func(*bench.Case) bench.Loop { return bench.Each(func() {}) })
	bench.Register("basics/xorshift", xorshiftGlobal)
	bench.Register("basics/spin", spin)
	bench.Register("basics/sleep", sleep)
	bench.Register("alloc/slice", allocate)
	bench.Register("alloc/append", grow)
}

// state lives in memory, so that each step loads and stores it: about 4 ns.
var state uint64 = 88172645463325252

func xorshiftGlobal(*bench.Case) bench.Loop {
	return func(n int) {
		for range n {
			xorshift(&state)
		}
	}
}

// spin keeps the CPU busy for a time that is known, by the wall clock.
func spin(c *bench.Case) bench.Loop {
	length := c.Duration("time")
	return bench.Each(func() {
		for start := time.Now(); time.Since(start) < length; {
		}
	})
}

// sleep takes time and no CPU.
func sleep(c *bench.Case) bench.Loop {
	length := c.Duration("time")
	return bench.Each(func() { time.Sleep(length) })
}

// held keeps the last allocation alive, so that none of them stays on the stack.
var held []byte

func allocate(c *bench.Case) bench.Loop {
	size := c.Int("size")
	c.Work(float64(size), "byte")
	return func(n int) {
		for range n {
			held = make([]byte, size)
		}
		bench.Keep(&held)
	}
}

// grow appends to a slice that begins empty: ten reallocations for 1000.
func grow(c *bench.Case) bench.Loop {
	size := c.Int("size")
	return bench.Each(func() {
		var all []int
		for i := range size {
			all = append(all, i)
		}
		bench.Keep(&all)
	})
}
