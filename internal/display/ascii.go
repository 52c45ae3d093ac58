package display

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// spellings are the signs of a report in ASCII.
var spellings = map[rune]string{
	'✓': "+", '✗': "x", '–': "-", '—': "-", '−': "-", '…': "...", '±': "+-", '×': "x", '÷': "/", '·': "-", 'µ': "u",
	'μ': "u", '°': "'", '†': "#", '∗': "*",
	'≤': "<=", '≥': ">=", '∞': "inf", '→': "->", '←': "<-", '“': `"`, '”': `"`, '‘': "'", '’': "'", 'α': "alpha",
	'σ': "sigma", '§': "section ",
	'│': "|", '┼': "+", '┈': "-", '█': "#", '░': ".", '▁': "_", '▂': ".", '▃': ":", '▄': "-", '▅': "=", '▆': "+",
	'▇': "*", '˒': "", '\u200e': "",
	'⁰': "[0]", '¹': "[1]", '²': "[2]", '³': "[3]", '⁴': "[4]", '⁵': "[5]", '⁶': "[6]", '⁷': "[7]",
	'⁸': "[8]", '⁹': "[9]", '⁻': "-",
}

// Spell converts s to ASCII: each sign of a report by its spelling, everything else as
// an escape, \u00e9, so that names that differ also look different.
func Spell(s string) string {
	if !slices.ContainsFunc([]byte(s), func(b byte) bool { return b >= utf8.RuneSelf }) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		spelt, known := spellings[r]
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case known:
			b.WriteString(spelt)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Shown makes a text visible, and spells it if the reader has only ASCII.
func Shown(s string, isASCII bool) string {
	s = Visible(s)
	if isASCII {
		return Spell(s)
	}
	return s
}

// Speller makes a writer that spells what is written to it into w. The bytes of a
// character may come in several pieces.
func Speller(w io.Writer) io.Writer { return &speller{w: w} }

type speller struct {
	w    io.Writer
	rest []byte // the start of a character
}

func (s *speller) Write(p []byte) (int, error) {
	text := append(s.rest, p...)
	end := len(text)
	for i := max(0, end-utf8.UTFMax+1); i < end; i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			end = i
		}
	}
	s.rest = slices.Clone(text[end:])
	if _, err := io.WriteString(s.w, Spell(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}
