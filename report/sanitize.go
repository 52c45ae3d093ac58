package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/lazy"
)

// Names and messages come from suite files and from the programs under test,
// so they may hold anything: sequences that move the cursor, retitle the
// window or reverse the direction of the line.

// ansi matches control sequences: CSI (ESC [ … letter), strings such as OSC
// (ESC ] … BEL or ST), and the short ones of two or three characters.
var ansi = lazy.Regexp("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-Z\\\\^-~]")

// stripANSI removes terminal control sequences, as of a coloured log.
func stripANSI(s string) string {
	if !strings.ContainsRune(s, '\x1b') {
		return s
	}
	return ansi().ReplaceAllString(s, "")
}

// Visible makes a text harmless on a terminal and keeps it to one line: control
// characters and those that change the direction of writing are written as
// escapes, \x1b or \u202e, so that two names that differ look different.
func Visible(s string) string {
	if strings.IndexFunc(s, dangerous) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case dangerous(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case dangerous(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// dangerous characters control the terminal, change the direction of writing,
// break the line or cannot be seen. The joiners of emoji and of Indic scripts
// are neither.
func dangerous(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\u200b', r == '\ufeff':
		return true
	case r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}

// visibleLines makes program output harmless: colours are dropped, tabs become
// spaces, the rest is as Visible has it, line by line.
func visibleLines(s string) []string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(stripANSI(s))
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(Visible(l), " ")
	}
	return lines
}

// xmlText drops colours and maps whatever XML 1.0 cannot hold to U+FFFD, and so the
// control characters that it only advises against: U+009B starts a sequence on a
// terminal as ESC [ does.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if xmlChar(r) {
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(stripANSI(s), "\uFFFD"))
}

// xmlChar is the production Char of XML 1.0 without U+007F to U+009F.
func xmlChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r < 0x7F || r >= 0xA0 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// token is text for an XML attribute of type token: one line, and no space at
// either end or doubled, since a reader would collapse them and names that
// differ only there would become one.
func token(s string) string { return strings.Join(strings.Fields(xmlText(s)), " ") }

// firstLine gives the first line that holds anything.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
