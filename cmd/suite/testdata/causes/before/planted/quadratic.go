package planted

import (
	"slices"

	"example.com/suite/bench"
)

func init() {
	register("quadratic", func(*bench.Case) func() int { return func() int { return len(distinct(numbers)) } })
}

//go:noinline
func distinct(xs []int) []int {
	all := slices.Clone(xs)
	slices.Sort(all)
	return slices.Compact(all)
}
