package planted

import (
	"bytes"

	"example.com/suite/bench"
)

func init() {
	register("conversion", func(*bench.Case) func() int {
		page := bytes.Split([]byte(text), []byte("\n"))
		return func() int { return countDogs(page) }
	})
}

//go:noinline
func countDogs(page [][]byte) (n int) {
	for _, line := range page {
		if bytes.HasSuffix(line, []byte("dog")) {
			n++
		}
	}
	return n
}
