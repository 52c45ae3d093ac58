package planted

import "example.com/suite/bench"

func init() {
	register("map", func(*bench.Case) func() int { return countDifferent })
}

//go:noinline
func countDifferent() (different int) {
	var seen [256]bool
	for i := range len(text) {
		if !seen[text[i]] {
			seen[text[i]] = true
			different++
		}
	}
	return different
}
