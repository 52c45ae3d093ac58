package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
)

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// If the locale has nothing but ASCII, neither has the text, whatever the names are.
func TestSpeltTextIsASCII(t *testing.T) {
	docs := recorded(t)
	docs["gallery"], docs["odd"], docs["pegs"] = reporttest.Gallery(), named2("Ünïcode 日本 \U0001f469\u200d\U0001f680", "עברית"), reporttest.Flowing()
	for name, doc := range docs {
		for _, w := range []int{60, 100} {
			text := render(t, "text", doc, table.Options{Width: w, Spelt: true, View: table.View{ASCII: true, All: true}})
			if !isASCII(text) {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
}

// The columns of a table are aligned as they are printed.
func TestSpeltTableIsAligned(t *testing.T) {
	text := render(t, "text", reporttest.Compared(), table.Options{Spelt: true, View: table.View{ASCII: true}})
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  case ") {
			at = strings.Index(line, "gates")
		} else if at > 0 && strings.HasPrefix(line, "  sort/worse[1]") && (len(line) <= at || line[at] != 'x' || line[at-1] != ' ') {
			t.Errorf("the mark does not stand at column %d:\n%s", at, text)
		}
	}
	if at == 0 || !strings.Contains(text, "+7.2%   (+6.1% ... +8.3%)") {
		t.Errorf("no table:\n%s", text)
	}
}
