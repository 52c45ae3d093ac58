// Package html makes the page of a report: its subjects, its drawings, and the suite files with the
// verdicts at their lines.
package html

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/about"
	"example.com/suite/report/column"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/page/html"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// report is the page of a document in the making.
type report struct {
	doc    *result.Document
	table  *table.Table
	chosen map[*result.Case]string // the IDs of the cases that have a part of their own
	files  []page.Block
	lines  map[string]string // the IDs of the lines of files, by lineOf
	drawn  int               // metrics besides time
	site   string            // where the pages of suite site are, "" if nowhere
}

// Render writes a page with drawings, in one file that loads nothing else.
func Render(w io.Writer, doc *result.Document, o table.Options) error {
	return PageOf(doc, o).Write(w)
}

// PageOf is the page that Render writes.
func PageOf(doc *result.Document, o table.Options) *html.Page {
	r := &report{doc: doc, table: table.Viewed(doc, table.View{All: true}), site: o.Site}
	r.chosen = choose(r.table)
	r.addFiles()
	r.link()
	t := r.table
	kind := page.Text("Benchmark report")
	if o.Site != "" {
		kind = append(kind, page.Span{Text: " · "}, page.Span{Text: "over commits", To: o.Site})
	}
	origin := about.Origin(t)
	p := &html.Page{
		Title:     names(t) + ": " + t.Outcome.Word,
		Generator: t.Tool,
		Kind:      kind,
		Foot:      page.Text(strings.Join(origin, " · ")),
	}
	p.Top = page.Under(names(t), answer(t.Outcome, shares(doc)), r.facts(origin))
	for i := range t.Groups {
		p.Blocks = append(p.Blocks, r.suite(i))
	}
	for _, s := range []page.Section{
		{Head: page.Text("What needs attention"), ID: "attention", Blocks: attention(t)},
		{Head: page.Text("Each case"), ID: "each", Blocks: r.cases()},
		{Head: page.Text("Footnotes"), ID: "notes", Blocks: about.Notes(t)},
		{Head: page.Text("Suite files"), ID: "files", Blocks: r.files},
		{Head: page.Text("Machine and clocks"), ID: "machine", Blocks: clocks(t)},
	} {
		if len(s.Blocks) > 0 {
			p.Blocks = append(p.Blocks, s)
		}
	}
	return p
}

// names are the names of the suites.
func names(t *table.Table) string {
	var all []string
	for i := range t.Groups {
		all = append(all, t.Groups[i].Name)
	}
	return units.List(all, number.MostNamed)
}

// mostCulprits is the number of culprits in the head; the others follow right below.
const mostCulprits = 5

// answer is the outcome, with its first culprits.
func answer(o result.Outcome, below ...page.Block) page.List {
	culprits := o.Culprits
	if rest := len(culprits) - mostCulprits; rest > 0 {
		culprits = append(culprits[:mostCulprits:mostCulprits], fmt.Sprintf("and %d more", rest))
	}
	mark := page.Span{Text: o.Head(), Tone: table.OutcomeClass(o)}
	return page.List{{Mark: mark, Lines: []page.Line{page.Text(o.Text)},
		Blocks: page.Blocks(append(below, page.Items(culprits...))...)}}
}

// shares are the shares of gates by outcome.
func shares(doc *result.Document) page.Drawing {
	counts := map[page.Tone]int{}
	for i := range doc.Cases {
		for j := range doc.Cases[i].Gates {
			counts[column.MarkOf(&doc.Cases[i].Gates[j]).Tone]++
		}
	}
	return page.Drawing{Drawing: figure.Shares("What became of the gates", []figure.Part{
		{Role: drawing.BadArea, Text: "failed or in error", Count: counts[page.Bad]},
		{Role: drawing.DoubtArea, Text: "undecided, accepted or warned", Count: counts[page.Doubtful]},
		{Role: drawing.FaintArea, Text: "skipped", Count: counts[page.Faint]},
		{Role: drawing.GoodArea, Text: "passed", Count: counts[page.Good]},
	})}
}

func (r *report) facts(origin page.Brief) page.Facts {
	t := r.table
	facts := page.Facts{{"started", origin[1]}, {"measured in", t.Took}, {"cases", fmt.Sprint(len(r.doc.Cases))}}
	if len(t.Machine) > 0 {
		facts = append(facts, [2]string{"machine", t.Machine[0]})
	}
	for _, c := range t.Commits {
		facts = append(facts, [2]string{"commit", strings.TrimPrefix(c, "commit ")})
	}
	return append(facts, [2]string{"tool", t.Tool})
}

// mostCards bounds the gates, and the failures, that the page shows in full. Nobody reads more, and
// the tables mark all of them.
const mostCards = 50

// attention is the cases that could not be measured and the gates that did not pass. Skipped gates
// need no attention.
func attention(t *table.Table) []page.Block {
	open := slices.DeleteFunc(slices.Clone(t.Gates), func(g table.Gate) bool { return g.Mark.Tone == page.Faint })
	some := table.Table{Failures: t.Failures[:min(mostCards, len(t.Failures))], Gates: open[:min(mostCards, len(open))]}
	blocks := append(about.Failures(&some), about.OpenGates(&some)...)
	if rest := len(open) + len(t.Failures) - len(some.Failures) - len(some.Gates); rest > 0 {
		blocks = append(blocks,
			page.Paragraph{page.Toned(page.Faint, fmt.Sprintf("and %d more, which the tables mark", rest))})
	}
	return blocks
}

// clocks are the machine, and what timing costs there.
func clocks(t *table.Table) (blocks []page.Block) {
	blocks = append(blocks, page.Items(t.Machine...))
	for i := range t.Groups {
		g := &t.Groups[i]
		lines := table.NotEmpty(append([]string{g.Fitness.Text}, g.Clock...))
		blocks = append(blocks,
			page.Under(g.Name, page.Blocks(page.Items(lines...),
				page.Paragraph{page.Toned(page.Faint, g.File+" "+g.Hash)})...))
	}
	return blocks
}
