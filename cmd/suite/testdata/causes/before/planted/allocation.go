package planted

import (
	"strings"

	"example.com/suite/bench"
)

func init() {
	register("allocation", func(*bench.Case) func() int { return countWords })
}

//go:noinline
func countWords() (n int) {
	for _, line := range lines {
		for range strings.FieldsSeq(line) {
			n++
		}
	}
	return n
}
