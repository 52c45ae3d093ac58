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
	var all []int
	for _, x := range xs {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}
