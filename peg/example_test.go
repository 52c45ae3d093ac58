//go:build !nopeg

package peg_test

import (
	"fmt"
	"strings"

	"example.com/suite/peg"
)

// Points are package variables: each name is there once.
var (
	begin = peg.New("words/begin")
	split = peg.New("words/split")
	count = peg.New("words/count")
)

// occurrences counts words, and tells on its way how far it has come.
func occurrences(text string) map[string]int {
	begin.Start() // nothing has led here, so no arc ends here
	words := strings.Fields(text)
	split.Hit() // the arc begin → split ends, the next begins
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	count.Stop() // the arc split → count ends, and none begins
	return counts
}

// A simple program uses the default lane. Pegs are off until suite switches them on
// (pegs: true), or the program itself.
func Example() {
	peg.Enable()
	defer peg.Disable()
	peg.Reset()

	for range 3 {
		occurrences("to be or not to be")
	}
	for _, a := range peg.Snapshot().Arcs {
		fmt.Printf("%s → %s: %d times\n", a.From, a.To, a.Count)
	}
	// Output:
	// words/begin → words/split: 3 times
	// words/split → words/count: 3 times
}
