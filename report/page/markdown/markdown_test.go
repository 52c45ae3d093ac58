package markdown

import (
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
)

func every() []page.Block {
	runs := &page.Table{
		Columns: []page.Column{{Head: "case", Code: true}, {Head: "time", Align: page.Right}, {Head: "note|s"}},
		Rows: []page.Row{
			{{Text: "a|b`c", Notes: []int{1}}, {From: "1.0", Number: "2.0", Unit: "µs", Spread: "± 1%", Word: "worse"}, {Marks: []page.Span{{Text: "✓"}, {Text: "✗"}}}},
			{{Text: "<b>@all</b>"}},
		},
		Notes: []page.Line{page.Text("a note of the *table*")},
	}
	return []page.Block{page.Under("❌ FAIL: `a` #1",
		page.Paragraph{page.Text("To repeat it: ").With("suite run 'a`b' @x"), page.Toned(page.Bad, "unfit"), page.Toned(page.Faint, "seed @1")},
		page.Under("inner", runs),
		page.List{{Mark: page.Span{Text: "✗"}, Lines: []page.Line{page.Text("an [item]"), page.Text("its detail")},
			Blocks: []page.Block{page.Source("panic\x1b[31m\n```"), page.Paragraph{page.Text("what to try")}}}},
		page.Brief{"2 CPUs", "load 1"},
		page.Facts{{"governor", "power_save"}},
		page.Bars{Caption: page.Text("ratios"), Rows: []page.Bar{{Label: "0% to 3%", Count: 9, Notes: []string{"← median"}}}},
		page.Figure{Caption: page.Text("a caption"), Values: []float64{1}},
		page.Fold{Summary: page.Text("2 <more>"), Blocks: []page.Block{page.Items("x", "y"), page.Paragraph{page.Text(strings.Repeat("many words ", 40)), page.Text("few"), page.Text("")}}},
		page.Source("code"),
	)}
}

func TestEveryBlock(t *testing.T) { golden.Check(t, "testdata/every.md", Text(every(), 1<<20)) }

// No text is longer than there is room for, and what is opened is closed.
func TestTextFits(t *testing.T) {
	for most := range 3000 {
		text := Text(every(), most)
		if len(text) > most {
			t.Errorf("%d bytes of %d", len(text), most)
		}
		if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
			t.Errorf("%d bytes: a fold is open:\n%s", most, text)
		}
	}
}
