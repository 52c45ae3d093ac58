package display

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// The signs of a report, ✓ × µ ±, take one column on every terminal that we know. In a locale of
// East Asia they would be counted as two, and golden files would depend on the machine.
func init() { text.OverrideRuneWidthEastAsianWidth(false) }

// Width is the number of columns that s takes on a terminal, escape sequences not
// counted.
func Width(s string) int { return text.StringWidthWithoutEscSequences(s) }

// PadLeft puts spaces before s up to w columns.
func PadLeft(s string, w int) string { return strings.Repeat(" ", max(0, w-Width(s))) + s }

// PadRight puts spaces after s up to w columns.
func PadRight(s string, w int) string { return s + strings.Repeat(" ", max(0, w-Width(s))) }

// Wrap breaks s at spaces into lines of at most w columns. A longer word has a line of its own,
// which a terminal breaks: a path or a name that is copied from there is still whole.
func Wrap(s string, w int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		n := Width(word)
		switch {
		case line == "":
			line, used = word, n
		case used+1+n <= w:
			line, used = line+" "+word, used+1+n
		default:
			lines = append(lines, line)
			line, used = word, n
		}
	}
	return append(lines, line)
}

// Joined joins the parts, with sep between them, in lines of at most w columns. Lines
// are broken between parts only, unless one part is longer than a line and has spaces.
func Joined(parts []string, sep string, w int) []string {
	var lines []string
	for _, p := range parts {
		if n := len(lines); n > 0 && Width(lines[n-1])+Width(sep)+Width(p) <= w {
			lines[n-1] += sep + p
			continue
		}
		lines = append(lines, Wrap(p, w)...)
	}
	return lines
}

// Shorten makes s visible, and cuts its middle out so that it takes at most w columns.
func Shorten(s string, w int) string { return Cut(Visible(s), w) }

// Cut cuts the middle out of a visible text so that it takes at most w columns. Three fifths of what
// is left are from the end, where names have the parameters by which the cases of a matrix differ.
func Cut(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	tail := (w - 1) * 3 / 5
	return Head(s, w-1-tail) + "…" + tailOf(s, tail)
}

// Head keeps as much of the start of s as fits in w columns.
func Head(s string, w int) string {
	used := 0
	for i, r := range s {
		used += text.RuneWidth(r)
		if used > w {
			return s[:i]
		}
	}
	return s
}

// tailOf keeps as much of the end of s as fits in w columns. It does not begin with a
// combining mark, whose letter is cut off.
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

// LeftToRight appends a mark to a name that is written from right to left, so that a terminal that
// reverses such text leaves the numbers after it where they are.
func LeftToRight(s string) string {
	if strings.IndexFunc(s, isRightToLeft) < 0 {
		return s
	}
	return s + "\u200e"
}

func isRightToLeft(r rune) bool {
	return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}
