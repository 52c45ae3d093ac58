package page

import (
	"fmt"
	"slices"
	"strings"
)

// Table is rows of cells. The first column tells the rows apart.
type Table struct {
	Caption Line
	Columns []Column
	Rows    []Row
	Notes   []Line // about the whole table

	// Tones are what the rows are as a whole, one for each, or none. Kinds has a name for the rows
	// of a tone, such as "failed", if people look for rows of one kind.
	Tones []Tone
	Kinds map[Tone]string
}

// Column is a column of a table.
type Column struct {
	Key   string // by which people choose the column; empty if they cannot
	Head  string // no column of a table with only empty ones has a heading
	Worth int    // columns that are worth less are left out first; one that is worth 0, never
	Align Align
	Cut   bool // the middle of a cell may be left out
	Once  bool // a cell that is like the one above belongs to it, and has no text of its own
	Code  bool // its cells are names or expressions
}

// Align is the side of a column on which its cells are in line.
type Align int

// The sides.
const (
	Left Align = iota
	Right
)

// Row is the cells of a row. If it has fewer cells than the table has columns, the last one
// extends over the others.
type Row []Cell

// Cell is a text, a number, signs, or the drawing of a figure. The parts of a number are separate,
// so that a writer can align them.
type Cell struct {
	Text   string
	Number string // without its unit: 2.31
	From   string // a lower bound in the same unit, if Number is the upper one
	Unit   string
	Spread string    // of the number: ± 1.0%
	Word   string    // a verdict after the number
	Marks  []Span    // one for each verdict
	Figure []float64 // the values of a Figure
	Bars   []int     // counts of ranges of one width: a small histogram
	Tone   Tone
	To     string  // where it leads to, as a Span does
	Notes  []int   // the numbers of footnotes
	Key    float64 // by which rows are sorted: the number itself, in SI base units
}

// String returns the cell in one piece: 2.31 µs ± 1.0%, worse.
func (c *Cell) String() string {
	text := c.Text
	for _, mark := range c.Marks {
		text += mark.Text
	}
	if text != "" || c.Number == "" {
		return text
	}
	text = c.Number
	for _, part := range []string{c.Unit, c.Spread} {
		if part != "" {
			text += " " + part
		}
	}
	if c.From != "" {
		text = c.From + " to " + text
	}
	if c.Word != "" {
		text += ", " + c.Word
	}
	return text
}

// Keep leaves out all columns but these. Rows have a cell for each.
func (t *Table) Keep(columns []int) {
	kept := *t
	kept.Columns, kept.Rows = nil, make([]Row, len(t.Rows))
	for _, j := range columns {
		kept.Columns = append(kept.Columns, t.Columns[j])
		for i, row := range t.Rows {
			kept.Rows[i] = append(kept.Rows[i], row[j])
		}
	}
	*t = kept
}

// Filled leaves out columns that no row fills.
func (t *Table) Filled() *Table {
	var filled []int
	for j := range t.Columns {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return r[j].String() != "" || r[j].Figure != nil }) {
			filled = append(filled, j)
		}
	}
	t.Keep(filled)
	return t
}

// Numbers returns columns with headings, of which all but the first are aligned on the right.
func Numbers(heads ...string) []Column {
	all := Heads(heads...)
	for j := range all[1:] {
		all[j+1].Align = Right
	}
	return all
}

// Heads returns columns with headings that cannot be left out.
func Heads(heads ...string) []Column {
	all := make([]Column, len(heads))
	for i, head := range heads {
		all[i].Head = head
	}
	return all
}

// Add appends a row of plain texts.
func (t *Table) Add(texts ...string) {
	row := make(Row, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	t.Rows = append(t.Rows, row)
}

// HasHeads reports whether a column of the table has a heading.
func (t *Table) HasHeads() bool {
	for _, c := range t.Columns {
		if c.Head != "" {
			return true
		}
	}
	return false
}

// NoteID is the ID of the footnote with a number.
func NoteID(number int) string { return fmt.Sprint("note-", number) }

// Superscript writes a number in superscript digits, as the mark of a footnote: ¹².
func Superscript(number int) string {
	return strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(fmt.Sprint(number))
}

// NoteMarks are the marks of the cell's footnotes: ¹˒³.
func (c *Cell) NoteMarks() string {
	marks := make([]string, len(c.Notes))
	for i, n := range c.Notes {
		marks[i] = Superscript(n)
	}
	return strings.Join(marks, "˒")
}

// SplitNumber cuts a number before its decimal point or percent sign.
func SplitNumber(number string) (whole, fraction string) {
	if i := strings.IndexAny(number, ".%"); i >= 0 {
		return number[:i], number[i:]
	}
	return number, ""
}

// Shown is a row without the cells that belong to the ones above.
func (t *Table) Shown(i int) Row {
	row := t.Rows[i]
	for j := range row {
		if i > 0 && t.Columns[j].Once && j < len(t.Rows[i-1]) && row[j].Text == t.Rows[i-1][j].Text {
			row = slices.Clone(row)
			row[j] = Cell{}
		}
	}
	return row
}
