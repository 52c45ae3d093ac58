package suites

import (
	"slices"
	"sort"

	"example.com/suite/bench"
)

func init() {
	bench.Register("sort/slices", sorting(slices.Sort[[]int]))
	bench.Register("sort/interface", sorting(sort.Ints))
	bench.Register("sort/fresh", func(c *bench.Case) bench.Loop {
		original := random(c.Int("size"))
		return bench.Fresh(c, func() []int { return slices.Clone(original) }, slices.Sort[[]int])
	})
}

// sorting measures sorting `size` integers that are in random order. Each
// iteration sorts a fresh copy, and copying is a small part of it: sort/fresh
// leaves it out.
func sorting(sort func([]int)) bench.Setup {
	return func(c *bench.Case) bench.Loop {
		original := random(c.Int("size"))
		work := make([]int, len(original))
		return bench.Each(func() {
			copy(work, original)
			sort(work)
		})
	}
}

// random returns integers in random order, always the same.
func random(size int) []int {
	xs, state := make([]int, size), uint64(88172645463325252)
	for i := range xs {
		xs[i] = int(xorshift(&state) >> 1)
	}
	return xs
}
