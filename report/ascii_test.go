package report

import (
	"bytes"
	"example.com/suite/report/reporttest"
	"strings"
	"testing"
	"unicode/utf8"
)

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// Where the locale has nothing but ASCII the text has nothing else, whatever names are,
// and what is printed for each sign is known.
func TestSpeltTextIsASCII(t *testing.T) {
	docs := recorded(t)
	docs["gallery"], docs["odd"], docs["pegs"] = gallery(t), named2("Ünïcode 日本 \U0001f469\u200d\U0001f680", "עברית"), reporttest.Flowing()
	for name, doc := range docs {
		for _, w := range []int{leastWidth, 100} {
			text := render(t, "text", doc, Options{Width: w, Spelt: true, View: View{ASCII: true, All: true}})
			if !isASCII(text) {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
	for r := range spellings {
		if !isASCII(spellings[r]) {
			t.Errorf("%c is spelt %q", r, spellings[r])
		}
	}
}

// A table is laid out with what is printed: its columns stand under each other.
func TestSpeltTableIsAligned(t *testing.T) {
	text := render(t, "text", compared(), Options{Spelt: true, View: View{ASCII: true}})
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  case ") {
			at = strings.Index(line, "gates")
		} else if at > 0 && strings.HasPrefix(line, "  sort/worse[1]") && (len(line) <= at || line[at] != 'x' || line[at-1] != ' ') {
			t.Errorf("the mark does not stand at column %d:\n%s", at, text)
		}
	}
	if at == 0 || !strings.Contains(text, "+7.2% +-") {
		t.Errorf("no table:\n%s", text)
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
