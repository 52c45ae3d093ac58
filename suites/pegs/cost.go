package pegs

import (
	"time"

	"example.com/suite/bench"
	"example.com/suite/peg"
)

func init() {
	bench.Register("pegs/clock", readClock)
	bench.Register("pegs/hit", hit)
	bench.Register("pegs/disabled", pass)
}

// Only this peg is switched on, by name, so that the other one stays off.
const enabled = "cost/enabled"

var (
	on  = peg.New(enabled)
	off = peg.New("cost/disabled")
)

// readClock is what a hit is held against: one reading of the ordinary clock.
func readClock(*bench.Case) bench.Loop {
	start := time.Now()
	return func(n int) {
		var last time.Duration
		for range n {
			last = time.Since(start)
		}
		bench.Keep(&last)
	}
}

// hit is the cost of a hit that is recorded, with what follows from it: each writes a
// line of a log, which its lane works off from time to time.
func hit(c *bench.Case) bench.Loop {
	peg.Enable(enabled)
	c.Cleanup(peg.Disable)
	return hits(c, on)
}

// pass is the cost of a hit while pegs are off.
func pass(c *bench.Case) bench.Loop { return hits(c, off) }

// hits is not inlined: in a copy of its loop Go 1.26 calls Hit, which programs have
// inlined, 3.6 ns instead of less than one.
//
//go:noinline
func hits(c *bench.Case, p *peg.Point) bench.Loop {
	lane := peg.NewLane("cost")
	c.Cleanup(lane.Close)
	return func(n int) {
		for range n {
			lane.Hit(p)
		}
	}
}
