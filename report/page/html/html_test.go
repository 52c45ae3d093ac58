package html

import (
	"regexp"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
	"example.com/suite/report/page/pagetest"
)

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every block, and each of its parts, is written as the golden file has it.
func TestEveryBlock(t *testing.T) {
	text := written(t, &Page{Title: "every <block>", Generator: "suite", Kind: page.Line{{Text: "a page of "}, {Text: "others", To: "../index.html"}},
		Top: page.Under("every \u202eblock", page.Facts{{"cases", "2"}}), Blocks: pagetest.Every(), Foot: page.Text("the end"), Assets: "../"})
	golden.Check(t, "testdata/every.html", text)
	loads := regexp.MustCompile(`(?i) style="|<iframe| on[a-z]+="|javascript:|secret`)
	if found := loads.FindString(text); found != "" {
		t.Errorf("the page has %q", found)
	}
}

// Rows beyond the first 500 are folded if people look for rows, and none is missing.
func TestManyRowsAreFolded(t *testing.T) {
	for n, want := range map[int]string{mostRows: "", mostRows + 1: "1 more case<", 1200: "700 more cases<"} {
		many := &page.Table{Columns: page.Heads("case"), Kinds: map[page.Tone]string{page.Bad: "failed"}, Tones: make([]page.Tone, n)}
		for range n {
			many.Add("a")
		}
		first, rest, folded := strings.Cut(written(t, &Page{Blocks: []page.Block{many}}), `<details class="rest"><summary>`)
		if rows := strings.Count(first+rest, `<th scope="row"><`); rows != n {
			t.Errorf("%d rows of %d", rows, n)
		}
		if folded != (want != "") || !strings.HasPrefix(rest, want) {
			t.Errorf("%d rows: %.40s, want %q", n, rest, want)
		}
	}
}
