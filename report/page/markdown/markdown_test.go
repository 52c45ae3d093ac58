package markdown

import (
	"strings"
	"testing"

	"example.com/suite/internal/golden"
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
