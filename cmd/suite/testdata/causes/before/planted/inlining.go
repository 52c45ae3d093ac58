package planted

import "example.com/suite/bench"

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

func isSpace(b byte) bool { return b == ' ' || b == '\n' }
