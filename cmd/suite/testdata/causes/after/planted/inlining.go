package planted

import (
	"fmt"

	"example.com/suite/bench"
)

func init() {
	register("inlining", func(*bench.Case) func() int {
		return func() int { return countSpaces(text) + countSpaces(text) }
	})
}

//go:noinline
func countSpaces(text string) (n int) {
	for i := range len(text) {
		if isSpace(text[i]) {
			n++
		}
	}
	return n
}

// isSpace has grown, and is called now.
func isSpace(b byte) bool {
	switch {
	case b == 0:
		panic(fmt.Sprintf("byte %#x is no text", b))
	case b > 127:
		panic(fmt.Sprintf("byte %#x is above 127", b))
	}
	return b == ' ' || b == '\n'
}
