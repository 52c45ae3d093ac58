package html

import (
	"fmt"
	"strings"
	"unicode"

	"example.com/suite/internal/display"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

type htmlSuite struct {
	ID, Name, Description string
	Against               []string // what it was compared with
	Fitness, FitnessClass string
	Latencies             []table.Latency
	Growths               []table.Growth // how times grow with a size
	Columns               []htmlColumn
	Rows                  []htmlRow
	Sparks                bool
	Forest                *htmlForest
	Others                []*htmlForest // of the other metrics that gates judge
	Curves                []*htmlDrawing
	More                  string // drawings that were left out
}

// htmlRows is a table of cases.
type htmlRows struct {
	ID, Label string
	Sparks    bool
	Columns   []htmlColumn
	Rows      []htmlRow
}

// mostRows bounds the cases of a suite in the table that is unfolded at first. A browser
// lays out only what is unfolded, and needs 20 s for a table of 10,000 cases.
const mostRows = 500

// First is the table that is unfolded at first.
func (s *htmlSuite) First() *htmlRows {
	return &htmlRows{s.ID + "-table", "cases of " + s.Name, s.Sparks, s.Columns, s.Rows[:min(len(s.Rows), mostRows)]}
}

// Rest is the table of all other cases, nil if there are none.
func (s *htmlSuite) Rest() *htmlRows {
	if len(s.Rows) <= mostRows {
		return nil
	}
	return &htmlRows{s.ID + "-rest", "more cases of " + s.Name, s.Sparks, s.Columns, s.Rows[mostRows:]}
}

type htmlColumn struct {
	Head  string
	Right bool
}

type htmlRow struct {
	Anchor, Name, Class, Spark string
	Notes                      []int
	Cells                      []htmlCell
}

// htmlCell is a Cell whose numbers are padded so that decimal points are aligned.
type htmlCell struct {
	Key                                     string // what rows are sorted by; empty if there is no number: such rows stay last
	Number, Unit, Spread, Word, Text, Class string
	Marks                                   []htmlVerdict
}

type htmlVerdict struct{ Text, Class, Title string }

type htmlForest struct {
	Title, Caption, More string
	Drawing              *htmlDrawing
}

func (p *htmlPage) suite(doc *result.Document, t *table.Table, i int, chosen map[*result.Case]int) {
	g := &t.Groups[i]
	cases, _ := table.CasesOf(doc, g.Package)
	s := &htmlSuite{ID: fmt.Sprintf("suite-%d", i+1), Name: g.Name, Description: strings.Join(strings.Fields(g.Description), " ")}
	s.Growths = g.Growths
	s.Latencies = g.Latencies
	s.Against = g.Against
	s.Fitness = g.Fitness.Text
	s.FitnessClass = className(g.Fitness.Class())
	s.columns(g)
	for k := range g.Rows {
		s.name(&s.Rows[k], &g.Rows[k], cases[k], chosen)
	}
	s.forests(cases)
	s.curves(cases)
	p.Suites = append(p.Suites, s)
	p.Clocks = append(p.Clocks, htmlClock{g.Name, g.File + " " + g.Hash, table.NotEmpty(append([]string{g.Fitness.Text}, g.Clock...))})
}

func (s *htmlSuite) columns(g *table.Group) {
	for j, c := range g.Columns {
		s.Columns = append(s.Columns, htmlColumn{c.Head, true})
		for i := range g.Rows {
			if g.Rows[i].Cells[j].Marks != nil && !strings.HasPrefix(c.Head, "vs ") {
				s.Columns[j].Right = false
			}
		}
	}
	widths := make([]int, len(g.Columns)) // of fractions
	for i := range g.Rows {
		for j := range widths {
			widths[j] = max(widths[j], fractionWidth(&g.Rows[i].Cells[j]))
		}
		s.Rows = append(s.Rows, htmlRow{})
	}
	for i := range g.Rows {
		s.Rows[i].Cells = make([]htmlCell, len(widths))
		for j := range widths {
			s.Rows[i].Cells[j] = htmlCellOf(&g.Rows[i].Cells[j], widths[j])
		}
	}
	s.gates(g)
}

// gates fills the column of verdicts, with the verdict in words for each sign, and sets
// the class of each row.
func (s *htmlSuite) gates(g *table.Group) {
	for i := range g.Rows {
		class, rank := "plain", 0.0
		var marks []htmlVerdict
		for _, gate := range g.Rows[i].Gates {
			marks = append(marks, htmlVerdict{gate.Mark.Text, className(gate.Mark.Tone), gate.Verdict})
			if r := ranks[gate.Mark.Tone]; r > rank {
				class, rank = className(gate.Mark.Tone), r
			}
		}
		if g.Rows[i].Failure != nil || g.Rows[i].NotRun {
			class = "bad"
		}
		s.Rows[i].Class = class
		for j := range s.Rows[i].Cells {
			if g.Columns[j].Head == table.GatesHead && len(marks) > 0 {
				s.Rows[i].Cells[j] = htmlCell{Key: fmt.Sprint(rank), Marks: fewMarks(marks, g.Rows[i].Cells[j].Marks)}
			}
		}
	}
}

// ranks sort rows by their worst gate.
var ranks = map[table.Class]float64{table.Faint: 0.5, table.Good: 1, table.Doubtful: 2, table.Bad: 3}

// fewMarks falls back to the counted signs if there are too many.
func fewMarks(all []htmlVerdict, counted []table.Mark) []htmlVerdict {
	if len(all) <= table.MostMarks {
		return all
	}
	var out []htmlVerdict
	for _, m := range counted {
		out = append(out, htmlVerdict{m.Text, className(m.Tone), ""})
	}
	return out
}

// Spaces as wide as a digit and as a decimal point.
const (
	digitSpace = "\u2007"
	pointSpace = "\u2008"
)

// fractionWidth is the width of the decimal point and the digits after it.
func fractionWidth(c *table.Cell) int {
	_, fraction := page.SplitNumber(c.Number)
	return display.Width(fraction)
}

// htmlCellOf lays out a cell whose column has fractions of this width.
func htmlCellOf(c *table.Cell, width int) htmlCell {
	out := htmlCell{Key: fmt.Sprintf("%g", c.Key), Unit: table.Word(c.Unit), Spread: c.Spread, Word: table.Word(c.Word), Text: table.Word(c.Text), Class: className(c.Tone)}
	if len(c.Marks) > 0 && c.Number == "" { // a mark takes the place of the number
		out.Text, out.Class = c.Marks[0].Text, className(c.Marks[0].Tone)
	}
	if c.Number == "" {
		if c.Key == 0 && strings.IndexFunc(out.Text, unicode.IsDigit) != 0 { // a reason, not a number
			out.Key = ""
		}
		return out
	}
	whole, fraction := page.SplitNumber(c.Number)
	pad := width - display.Width(fraction)
	if fraction == "" && pad > 0 {
		fraction, pad = pointSpace, pad-1
	}
	out.Number = whole + fraction + strings.Repeat(digitSpace, max(0, pad))
	if c.From != "" {
		out.Number = c.From + table.To + out.Number
	}
	return out
}

func (s *htmlSuite) name(row *htmlRow, r *table.Row, c *result.Case, chosen map[*result.Case]int) {
	row.Name = r.Name
	row.Notes = r.Notes
	row.Spark = figure.Spark(c)
	c.Forget()
	if n, ok := chosen[c]; ok {
		row.Anchor = anchor(n)
	}
	s.Sparks = s.Sparks || row.Spark != ""
}

func forestText(o *result.Comparison) string {
	if o.Change == result.Unclear {
		return table.UnclearText(o)
	}
	return strings.TrimSpace(table.Change(o) + " " + table.SpreadText(o) + "  " + string(o.Change))
}

func (s *htmlSuite) curves(cases []*result.Case) {
	drawings, left := figure.Curves(cases, func(c *result.Case) string { return display.Visible(c.Name) })
	for i, d := range drawings {
		s.Curves = append(s.Curves, drawingOf(d, fmt.Sprintf("%s-curves-%d", s.ID, i+1)))
	}
	if left > 0 {
		s.More = fmt.Sprintf("%d more drawings of parameters are left out.", left)
	}
}
