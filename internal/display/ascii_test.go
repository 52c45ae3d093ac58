package display

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is printed for each sign is ASCII.
func TestSpellingsAreASCII(t *testing.T) {
	for r, spelt := range spellings {
		if strings.IndexFunc(spelt, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			t.Errorf("%c is spelt %q", r, spelt)
		}
	}
}

// The bytes of a character may come in pieces, as from a buffer that is full.
func TestSpellerJoinsCharacters(t *testing.T) {
	const text, want = "é 3 µs ± 1% 日 \U0001f680 \xff.", `\u00e9 3 us +- 1% \u65e5 \U0001f680 \xff.`
	for size := 1; size < len(text); size++ {
		var b bytes.Buffer
		w := Speller(&b)
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			if k, err := w.Write(rest[:n]); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, b.String(), want)
		}
	}
}
