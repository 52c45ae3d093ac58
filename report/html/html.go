// Package html writes a report as one page that needs no network: tables, drawings as SVG,
// and the suite files with the verdicts at their lines.
package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"text/template/parse"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

var (
	//go:embed page.html
	pageSource string
	//go:embed site.html
	siteSource string
	//go:embed style.css
	pageStyle string
	//go:embed script.js
	pageScript string
)

// pageTemplate is parsed with the first page: parsing takes 2 ms, which a run without a
// page need not spend.
var pageTemplate = sync.OnceValue(func() *template.Template {
	page := template.New("page").Funcs(template.FuncMap{"visible": visible})
	template.Must(template.Must(page.Parse(pageSource)).Parse(siteSource))
	for _, t := range page.Templates() {
		showControls(t.Tree.Root)
	}
	return page
})

// Render writes a page with drawings, in one file that loads nothing else. It is complete
// without its script, and without its style: the colours of drawings are attributes,
// which no content policy forbids.
func Render(w io.Writer, doc *result.Document, o table.Options) error {
	p := newHTMLPage(doc)
	p.Site = o.Site
	return writePage(w, p)
}

func writePage(w io.Writer, p *htmlPage) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if err := pageTemplate().Execute(out, p); err != nil {
		return err
	}
	return out.Flush()
}

// showControls makes a template apply visible to everything that it prints. A page must not
// contain control characters, which may be in any text of a result, and HTML cannot escape them.
func showControls(node parse.Node) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				showControls(child)
			}
		}
	case *parse.IfNode:
		showControls(n.List)
		showControls(n.ElseList)
	case *parse.RangeNode:
		showControls(n.List)
		showControls(n.ElseList)
	case *parse.WithNode:
		showControls(n.List)
		showControls(n.ElseList)
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			last := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{parse.NewIdentifier("visible").SetPos(n.Pos)}}
			n.Pipe.Cmds = append(n.Pipe.Cmds, last)
		}
	}
}

// visible is display.Visible for all but what this package wrote itself.
func visible(v any) any {
	switch v := v.(type) {
	case template.CSS, template.JS, template.HTMLAttr:
		return v
	case string:
		return display.Visible(v)
	default:
		return display.Visible(fmt.Sprint(v))
	}
}

// The content policy allows only the page's own style and script: a name that is not
// escaped by mistake can neither run nor load anything.
func policy() string {
	return "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src '" + digest(pageStyle) + "'; script-src '" + digest(pageScript) + "'"
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// htmlPage is the report for the template, with finished texts only.
type htmlPage struct {
	Policy        string
	Style         template.CSS
	Script        template.JS
	Title, Name   string
	Class         string // of the outcome
	Word, Text    string
	Culprits      []string
	Shares        *htmlDrawing
	Facts         []table.Fact
	Failures      []htmlFailure
	Gates         []htmlGate
	MoreGates     string
	Suites        []*htmlSuite
	Cases         []htmlCase
	Left          string // how many cases have drawings, and which
	Notes         []table.Note
	Files         []htmlFile
	drawn         int               // metrics besides time
	places        map[string]string // anchors of the lines of Files, by lineOf
	Machine       []string
	Clocks        []htmlClock
	Tool, Started string
	Took, Seed    string
	Site          string // where the pages of the history are; empty if there are none
}

type htmlClock struct {
	Name, Hash string
	Lines      []string
}

func newHTMLPage(doc *result.Document) *htmlPage {
	t := table.NewTable(doc)
	p := &htmlPage{
		Policy: policy(), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Name: htmlName(t), Tool: t.Tool, Started: t.Started.Format("2006-01-02 15:04 UTC"), Took: t.Took, Seed: t.Seed,
		Machine: t.Machine, Shares: htmlShares(doc),
	}
	p.Title = p.Name + ": " + t.Outcome.Word
	p.outcome(t)
	p.facts(t)
	p.files(doc)
	chosen := chooseCases(doc)
	p.attention(t)
	for i := range t.Groups {
		p.suite(doc, t, i, chosen)
	}
	p.cases(doc, t, chosen)
	p.notes(t)
	return p
}

// htmlName names the suites.
func htmlName(t *table.Table) string {
	var names []string
	for i := range t.Groups {
		names = append(names, t.Groups[i].Name)
	}
	return units.List(names, table.MostNamed)
}

// mostCulprits is the number of culprits in the head; the others follow right below.
const mostCulprits = 5

func (p *htmlPage) outcome(t *table.Table) {
	o := t.Outcome
	p.Class = className(table.OutcomeClass(o))
	p.Word = o.Head()
	p.Text = o.Text
	p.Culprits = o.Culprits
	if rest := len(p.Culprits) - mostCulprits; rest > 0 {
		p.Culprits = append(p.Culprits[:mostCulprits:mostCulprits], "and "+plainCount(rest)+" more")
	}
}

func (p *htmlPage) facts(t *table.Table) {
	rows := 0
	for i := range t.Groups {
		rows += len(t.Groups[i].Rows)
	}
	p.Facts = []table.Fact{{Name: "started", Value: p.Started}, {Name: "took", Value: t.Took}, {Name: "cases", Value: plainCount(rows)}}
	if len(t.Machine) > 0 {
		p.Facts = append(p.Facts, table.Fact{Name: "machine", Value: p.Machine[0]})
	}
	for _, c := range t.Commits {
		p.Facts = append(p.Facts, table.Fact{Name: "commit", Value: strings.TrimPrefix(c, "commit ")})
	}
	p.Facts = append(p.Facts, table.Fact{Name: "tool", Value: p.Tool})
}

func (p *htmlPage) notes(t *table.Table) {
	p.Notes = slices.Clone(t.Notes)
	if t.Points {
		p.Notes = append(p.Notes, table.Note{Text: "° marks a gate that was decided on point values alone, not through an interval"})
	}
	if t.Unpaired {
		p.Notes = append(p.Notes, table.Note{Text: table.TripwireSign + " marks a gate that is " + table.TripwireNote})
	}
}

func className(c table.Class) string {
	return map[table.Class]string{table.Good: "good", table.Bad: "bad", table.Doubtful: "doubtful", table.Faint: "faint"}[c]
}
