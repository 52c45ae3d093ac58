package markdown

import (
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
	"example.com/suite/report/page/pagetest"
)

func TestEveryBlock(t *testing.T) {
	golden.Check(t, "testdata/every.md", Text(pagetest.Every(), 1<<20))
}

// No text is longer than there is room for, and what is opened is closed.
func TestTextFits(t *testing.T) {
	for most := 0; most < 6000; most += 5 {
		text := Text(pagetest.Every(), most)
		if len(text) > most {
			t.Errorf("%d bytes of %d", len(text), most)
		}
		if strings.Count(text, "<details") != strings.Count(text, "</details>") {
			t.Errorf("%d bytes: a fold is open:\n%s", most, text)
		}
	}
}

// Control characters are written as escapes wherever a text is, also in code.
func TestTextIsVisible(t *testing.T) {
	const evil = "a\x1b[2J\u202eb\n"
	table := &page.Table{Columns: []page.Column{{Head: evil, Code: true}, {Head: evil}}, Caption: page.Text(evil)}
	table.Add(evil, evil)
	text := Text([]page.Block{
		page.Paragraph{{{Text: evil}, {Text: evil, Code: true}, {Text: evil, Tone: page.Bad}}},
		page.List{{Mark: page.Span{Text: evil}, Lines: []page.Line{page.Text(evil)}}},
		page.Facts{{evil, evil}},
		page.Folded(evil, page.Source(evil), table),
	}, 1<<20)
	if n := strings.Count(text, "202eb"); n < 12 {
		t.Errorf("%d of 12 texts are visible:\n%s", n, text)
	}
	for _, r := range text {
		if display.IsDangerous(r) && r != '\n' {
			t.Fatalf("%q is in %q", r, text)
		}
	}
}
