package page

// Table is rows of cells. The first column tells the rows apart.
type Table struct {
	Columns []Column
	Rows    []Row
	Notes   []Line // about the whole table
}

// Column is a column of a table.
type Column struct {
	Key   string // by which people choose the column; empty if they cannot
	Head  string // no column of a table with only empty ones has a heading
	Worth int    // columns that are worth less are left out first; one that is worth 0, never
	Align Align
	Cut   bool // the middle of a cell may be left out
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

// Cell is a text, or the drawing of a figure.
type Cell struct {
	Text   string
	Tone   Tone
	Note   string    // the mark of a footnote, or of several
	Figure []float64 // the values of a Figure
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
