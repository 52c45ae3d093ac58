// Package display makes texts that other people wrote harmless, and fits them into the columns
// of a terminal. Names and messages come from suite files and from the programs under test, so
// they may contain anything: sequences that move the cursor, retitle the window or reverse the
// direction of the line.
package display

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/lazy"
)

// ansi matches control sequences: CSI (ESC [ … letter), strings such as OSC
// (ESC ] … BEL or ST), and the short ones of two or three characters.
var ansi = lazy.Regexp("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-Z\\\\^-~]")

// StripANSI removes terminal control sequences, as a coloured log has them.
func StripANSI(s string) string {
	if !strings.ContainsRune(s, '\x1b') {
		return s
	}
	return ansi().ReplaceAllString(s, "")
}

// Visible puts s on one line and makes it harmless on a terminal: control characters
// and characters that change the direction of writing become escapes, \x1b or \u202e,
// so that names that differ also look different.
func Visible(s string) string {
	if strings.IndexFunc(s, IsDangerous) < 0 && utf8.ValidString(s) {
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
		case IsDangerous(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case IsDangerous(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// IsDangerous reports whether r controls the terminal, changes the direction of writing, breaks
// the line or cannot be seen. The joiners of emoji and of Indic scripts do none of these.
func IsDangerous(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\u200b', r == '\ufeff':
		return true
	case r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}

// Lines makes each line visible, and puts them below each other.
func Lines(lines ...string) string {
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = Visible(line)
	}
	return strings.Join(shown, "\n")
}

// VisibleLines splits a program's output into lines, each made harmless by Visible.
// Colours are dropped, and tabs become spaces.
func VisibleLines(s string) []string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(StripANSI(s))
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(Visible(l), " ")
	}
	return lines
}

// XML drops colours and replaces by U+FFFD whatever XML 1.0 forbids, and also the control
// characters that it only advises against: U+009B starts a sequence on a terminal as ESC [ does.
func XML(s string) string {
	return strings.Map(func(r rune) rune {
		if IsXML(r) {
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(StripANSI(s), "\uFFFD"))
}

// IsXML reports whether r matches the production Char of XML 1.0 and is not in U+007F to U+009F.
func IsXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r < 0x7F || r >= 0xA0 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// Token prepares s for an XML attribute of type token: one line, without double spaces
// or spaces at either end. A reader would collapse them, and names that differ only
// there would be the same.
func Token(s string) string { return strings.Join(strings.Fields(XML(s)), " ") }

// FirstLine is the first line that is not blank.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" {
			return line
		}
	}
	return ""
}

// JSON formats s as a JSON string.
func JSON(s string) string {
	text, err := json.Marshal(s)
	if err != nil { // no string is refused
		panic(err)
	}
	return string(text)
}

// Commit is the beginning of a commit's hash, as people read it. git shows 7 to 12 of 40
// digits; 10 are unique in a repository of a million commits.
func Commit(hash string) string { return hash[:min(len(hash), 10)] }
