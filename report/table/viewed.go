package table

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Viewed is NewTable with the columns, the order and the folding that view asks for.
func Viewed(doc *result.Document, view View) *Table {
	t := newTable(doc, !view.All)
	for i := range t.Groups {
		cases, _ := CasesOf(doc, t.Groups[i].Name)
		v := viewer{View: view, cases: cases, group: &t.Groups[i]}
		v.arrange()
	}
	if !view.All {
		t.Fold(view.Sort != "")
	}
	return t
}

// viewer arranges the table of one suite.
type viewer struct {
	View
	cases []*result.Case
	group *Group
}

func (v *viewer) arrange() {
	g := v.group
	if len(g.Rows) == 0 {
		return
	}
	sorted := v.sortCells()
	v.choose()
	if sorted != nil {
		v.sort(sorted)
	}
	if v.GroupBy != "" {
		v.pivot()
	}
}

// sortCells are the cells to sort by, one for each case. They are nil if the view
// does not sort, and empty if it sorts by name.
func (v *viewer) sortCells() []page.Cell {
	switch v.Sort {
	case "":
		return nil
	case "name":
		return make([]page.Cell, len(v.cases))
	}
	if c, ok := v.column(v.Sort); ok && c.Cells != nil {
		return c.Cells
	}
	return make([]page.Cell, len(v.cases))
}

// sort orders the rows by cells, which has one cell for each row. Rows without a
// number come last in both directions.
func (v *viewer) sort(cells []page.Cell) {
	order := make([]int, len(cells))
	for i := range order {
		order[i] = i
	}
	rows, cases := v.group.Rows, v.cases
	slices.SortStableFunc(order, func(a, b int) int {
		if v.Sort == "name" {
			return v.direction() * display.Natural(rows[a].Name, rows[b].Name)
		}
		return byNumber(sortKey(&cells[a]), sortKey(&cells[b]), v.direction())
	})
	sortedRows, sortedCases := make([]Row, len(rows)), make([]*result.Case, len(rows))
	for i, at := range order {
		sortedRows[i], sortedCases[i] = rows[at], cases[at]
	}
	v.group.Rows, v.cases = sortedRows, sortedCases
}

// byNumber compares numbers. NaN, of rows without one, is last in both directions.
func byNumber(x, y float64, direction int) int {
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x):
		return 1
	case math.IsNaN(y):
		return -1
	}
	return direction * cmp.Compare(x, y)
}

func (v *viewer) direction() int {
	if v.Descending {
		return -1
	}
	return 1
}

// sortKey is the number that a cell is sorted by, NaN if it shows none.
func sortKey(c *page.Cell) float64 {
	if c.Number == "" && c.Key == 0 {
		return math.NaN()
	}
	return c.Key
}
