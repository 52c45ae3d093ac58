package planted

import (
	"sync"
	"sync/atomic"

	"example.com/suite/bench"
)

func init() {
	register("sharing", func(*bench.Case) func() int {
		t := &tallies{}
		return func() int { return t.count() }
	})
}

// tallies are counters of two goroutines, in one cache line.
type tallies struct {
	odd  atomic.Int64
	even atomic.Int64
}

//go:noinline
func (t *tallies) count() int {
	var both sync.WaitGroup
	both.Go(func() { bump(&t.odd) })
	both.Go(func() { bump(&t.even) })
	both.Wait()
	return int(t.odd.Load())
}

//go:noinline
func bump(x *atomic.Int64) {
	for range 4000 {
		x.Add(1)
	}
}
