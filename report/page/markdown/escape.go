package markdown

import (
	"fmt"
	"strings"
	"unicode"

	"example.com/suite/internal/display"
	"example.com/suite/internal/lazy"
)

// mostName is the number of columns of a name: enough to recognise it.
const mostName = 160

// codeOf shows a visible name or expression as code, so that nothing in it becomes a link,
// a mention or a format. It uses the HTML element if a backtick or the bar of a table
// would end Markdown's own.
func codeOf(s string) string {
	if strings.TrimSpace(s) != s || s == "" || strings.ContainsAny(s, "`|") {
		return "<code>" + referenced(s) + "</code>"
	}
	return "`" + s + "`"
}

// referenced replaces characters that are special to Markdown or HTML by numeric
// references.
func referenced(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) && !strings.ContainsRune(",.;/()%", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

var escapes = strings.NewReplacer(
	"\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "|", "\\|", "~", "\\~", "$", "\\$",
	"<", "&lt;", ">", "&gt;", "&", "&amp;",
)

// mention matches what would name a person, an issue or a merge request.
var mention = lazy.Regexp(`([@#!])(\w)`)

// escaped escapes a text for a line of Markdown, and breaks mentions with a zero-width
// space.
func escaped(s string) string {
	return mention().ReplaceAllString(escapes.Replace(display.Visible(s)), "$1&#8203;$2")
}
