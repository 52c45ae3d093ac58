// Package planted has twelve functions that another version of it makes slower, each in its
// own way. Every benchmark also does work that stays the same.
package planted

import (
	"slices"
	"strings"

	"example.com/suite/bench"
)

// text is 40 lines of nine words.
var text = strings.Repeat("the quick brown fox jumps over the lazy dog\n", 40)

var lines = strings.Split(text, "\n")

var numbers = func() (xs []int) {
	for i := range 300 {
		xs = append(xs, i*7919%601)
	}
	return xs
}()

// register adds work that stays the same before and after the body.
func register(name string, setup func(c *bench.Case) func() int) {
	bench.Register("planted/"+name, func(c *bench.Case) bench.Loop {
		body := setup(c)
		return func(n int) {
			for range n {
				sum := digest(text) + body() + order()
				bench.Keep(&sum)
			}
		}
	})
}

//go:noinline
func digest(text string) int {
	sum := uint32(2166136261)
	for i := range len(text) {
		sum = (sum ^ uint32(text[i])) * 16777619
	}
	return int(sum)
}

//go:noinline
func order() int {
	var room [128]int
	copy(room[:], numbers)
	slices.Sort(room[:])
	return room[64]
}
