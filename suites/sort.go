package suites

import (
	"slices"
	"sort"

	"example.com/suite/bench"
)

func init() {
	bench.Register("sort/slices", sorting(slices.Sort[[]int]))
	bench.Register("sort/interface", sorting(sort.Ints))
}

// sorting measures sorting `size` integers that lie in random order. Each
// iteration sorts a fresh copy; copying is a small part of it.
func sorting(sort func([]int)) bench.Setup {
	return func(c *bench.Case) bench.Loop {
		original, state := make([]int, c.Int("size")), uint64(88172645463325252)
		for i := range original {
			original[i] = int(xorshift(&state) >> 1)
		}
		work := make([]int, len(original))
		return bench.Each(func() {
			copy(work, original)
			sort(work)
		})
	}
}
