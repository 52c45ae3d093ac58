package planted

import "example.com/suite/bench"

func init() {
	register("defer", func(*bench.Case) func() int { return visit })
}

var visited int

//go:noinline
func visit() int {
	for _, x := range numbers {
		leave(x)
	}
	return visited
}

//go:noinline
func leave(x int) { visited += x }
