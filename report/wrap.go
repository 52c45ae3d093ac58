package report

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// The signs of a report, ✓ × µ ±, take one column on every terminal that we
// know; a locale of East Asia would have them counted as two, and the golden
// files depend on the machine.
func init() { text.OverrideRuneWidthEastAsianWidth(false) }

// width is the number of columns that s takes on a terminal.
func width(s string) int { return text.StringWidthWithoutEscSequences(s) }

// padLeft and padRight fill s up with spaces to w columns.
func padLeft(s string, w int) string  { return strings.Repeat(" ", max(0, w-width(s))) + s }
func padRight(s string, w int) string { return s + strings.Repeat(" ", max(0, w-width(s))) }

// wrap breaks s at spaces into lines of at most w columns, and inside words
// where they are longer than that.
func wrap(s string, w int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		for _, piece := range pieces(word, w) {
			n := width(piece)
			switch {
			case line == "":
				line, used = piece, n
			case used+1+n <= w:
				line, used = line+" "+piece, used+1+n
			default:
				lines, line, used = append(lines, line), piece, n
			}
		}
	}
	return append(lines, line)
}

// pieces cuts a word that is longer than w columns.
func pieces(word string, w int) []string {
	if width(word) <= w {
		return []string{word}
	}
	var out []string
	start, used := 0, 0
	for i, r := range word {
		n := text.RuneWidth(r)
		if used+n > w && i > start {
			out, start, used = append(out, word[start:i]), i, 0
		}
		used += n
	}
	return append(out, word[start:])
}

// joined puts parts on lines of at most w columns with sep between them,
// breaking between parts only.
func joined(parts []string, sep string, w int) []string {
	var lines []string
	for _, p := range parts {
		if n := len(lines); n > 0 && width(lines[n-1])+width(sep)+width(p) <= w {
			lines[n-1] += sep + p
			continue
		}
		lines = append(lines, wrap(p, w)...)
	}
	return lines
}

// shorten cuts the middle out of s so that it takes at most w columns. Three
// fifths of what stays are the end: parameters stand there, and they are what
// tells the cases of a matrix apart.
func shorten(s string, w int) string {
	if width(s) <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	tail := (w - 1) * 3 / 5
	return head(s, w-1-tail) + "…" + tailOf(s, tail)
}

// head gives as much of the start of s as fits in w columns.
func head(s string, w int) string {
	used := 0
	for i, r := range s {
		if used += text.RuneWidth(r); used > w {
			return s[:i]
		}
	}
	return s
}

// tailOf gives as much of the end of s as fits in w columns, and no combining
// mark without the letter that it belongs to.
func tailOf(s string, w int) string {
	rs := []rune(s)
	i, used := len(rs), 0
	for i > 0 && used+text.RuneWidth(rs[i-1]) <= w {
		i--
		used += text.RuneWidth(rs[i])
	}
	for i < len(rs) && text.RuneWidth(rs[i]) == 0 {
		i++
	}
	return string(rs[i:])
}

// leftToRight ends a name that is written from right to left, so that a
// terminal that reverses such text leaves the numbers after it in their place.
func leftToRight(s string) string {
	if strings.IndexFunc(s, isRightToLeft) < 0 {
		return s
	}
	return s + "\u200e"
}

func isRightToLeft(r rune) bool {
	return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}
