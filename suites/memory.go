package suites

import "example.com/suite/bench"

func init() {
	bench.Register("memory/chase", chase)
	bench.Register("memory/read", readThrough)
}

// line is as large as a cache line of most processors.
type line struct {
	next *line
	_    [56]byte
}

// chase follows pointers through `size` bytes, in a circle that has every line once. The
// order is random, so that no prefetcher knows the next line before the load of this one
// has its result.
func chase(c *bench.Case) bench.Loop {
	lines := make([]line, c.Int("size")/64)
	order := make([]int32, len(lines))
	for i := range order {
		order[i] = int32(i)
	}
	state := uint64(88172645463325252)
	for i := len(order) - 1; i > 0; i-- {
		j := xorshift(&state) % uint64(i+1)
		order[i], order[j] = order[j], order[i]
	}
	for i, at := range order {
		lines[at].next = &lines[order[(i+1)%len(order)]]
	}
	at := &lines[0]
	return func(n int) {
		here := at
		for range n {
			here = here.next
		}
		at = here // the next batch goes on, and the compiler needs the result
	}
}

// readThrough adds up `size` bytes, eight at a time.
func readThrough(c *bench.Case) bench.Loop {
	words := make([]uint64, c.Int("size")/8)
	for i := range words {
		words[i] = uint64(i)
	}
	return func(n int) {
		var sum uint64
		for range n {
			for _, word := range words {
				sum += word
			}
		}
		bench.Keep(&sum)
	}
}
