// Package planted holds code as it was before a change and as it is after: each of the
// changes is small, reads well, and makes it slower.
package planted

import (
	"fmt"
	"strings"
	"unicode"

	"example.com/suite/bench"
)

func init() {
	bench.Register("planted/allocation", chosen(countWords, countFields))
	bench.Register("planted/inlining", chosen(countSpaces, countSpacesChecked))
	bench.Register("planted/map", chosen(tallyArray, tallyMap()))
}

// text is what all of them read: 100 lines of nine words.
var text = strings.Repeat("the quick brown fox jumps over the lazy dog\n", 100)

// chosen registers one of two versions, by the parameter change.
func chosen(before, after func(text string) int) bench.Setup {
	return func(c *bench.Case) bench.Loop {
		body := before
		switch c.String("change") {
		case "before":
		case "after":
			body = after
		default:
			c.Fatalf("change: want before or after, not %q", c.String("change"))
		}
		return bench.Each(func() {
			sum := body(text)
			bench.Keep(&sum)
		})
	}
}

// countWords counts the words of all lines.
func countWords(text string) (n int) {
	for line := range strings.SplitSeq(text, "\n") {
		for range strings.FieldsSeq(line) {
			n++
		}
	}
	return n
}

// countFields is shorter, and allocates a slice for each line.
func countFields(text string) (n int) {
	for line := range strings.SplitSeq(text, "\n") {
		n += len(strings.Fields(line))
	}
	return n
}

// countSpaces counts what separates words; the compiler puts isSpace into the loop.
func countSpaces(text string) (n int) {
	for i := range len(text) {
		if isSpace(text[i]) {
			n++
		}
	}
	return n
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' }

// countSpacesChecked differs by checks that never fail here.
func countSpacesChecked(text string) (n int) {
	for i := range len(text) {
		if isSpaceChecked(text[i]) {
			n++
		}
	}
	return n
}

// isSpaceChecked has grown by two texts, and is more than the compiler puts into a loop.
func isSpaceChecked(b byte) bool {
	switch {
	case b == 0:
		panic(fmt.Sprintf("byte %#x is no text", b))
	case b > unicode.MaxASCII:
		panic(fmt.Sprintf("byte %#x is above %#x", b, unicode.MaxASCII))
	}
	return b == ' ' || b == '\n'
}

// tallyArray counts how many different bytes there are.
func tallyArray(text string) (different int) {
	var seen [256]bool
	for i := range len(text) {
		if !seen[text[i]] {
			seen[text[i]], different = true, different+1
		}
	}
	return different
}

// tallyMap is the same in fewer words, with a map that is kept between calls: it
// allocates nothing, and hashes each byte.
func tallyMap() func(text string) int {
	seen := map[byte]bool{}
	return func(text string) int {
		clear(seen)
		for i := range len(text) {
			seen[text[i]] = true
		}
		return len(seen)
	}
}
