package table

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// View is a reader's choice of columns and rows in the text report. The zero value
// shows the columns of NewTable in the order of the document. If there are too many
// cases for a screen, it shows only the ones that need attention.
type View struct {
	Columns    []string // keys of columns, or METRIC.STATISTIC, in this order
	Sort       string   // name, or the key of a column
	Descending bool
	GroupBy    string // a parameter: its values become rows, the variants columns
	All        bool   // show all rows and gates
	ASCII      bool   // draw with ASCII characters only
}

// Names are the names that a View may use: the metrics and parameters of a plan or a
// document.
type Names struct{ Metrics, Params []string }

// NamesOf collects the names that a document declares. They may repeat.
func NamesOf(doc *result.Document) (n Names) {
	for i := range doc.Cases {
		for _, d := range doc.Cases[i].Declared {
			n.Metrics = append(n.Metrics, d.Name)
		}
		for _, p := range doc.Cases[i].Params {
			n.Params = append(n.Params, p.Name)
		}
	}
	return n
}

// ViewError is an unknown name in a View, with a hint at a known one.
type ViewError struct{ Message, Hint string }

func (e ViewError) Error() string { return e.Message }

// Check returns a ViewError for the first name of v that n lacks.
func (v View) Check(n Names) error {
	keys := keysOf(n)
	for _, key := range v.Columns {
		if err := checkKey("column", key, keys); err != nil {
			return err
		}
	}
	if v.Sort != "" && v.Sort != "name" {
		if err := checkKey("sort key", v.Sort, append(keys, "name")); err != nil {
			return err
		}
	}
	params := distinctSorted(n.Params)
	switch {
	case v.GroupBy == "" || slices.Contains(params, v.GroupBy):
		return nil
	case len(params) == 0:
		return ViewError{fmt.Sprintf("no parameter %q to group by", v.GroupBy), "no case has parameters"}
	}
	return unknownKey("parameter", v.GroupBy, params)
}

// computed lists the keys of columns that are not metrics, and so have no statistics.
var computed = []string{"ratio", BaseHead, "net", "distribution", "stolen", "samples", "gates"}

// Keys returns the keys of all columns, by which rows can be sorted too.
func Keys(n Names) []string { return keysOf(n) }

// Statistics returns the names of the statistics in METRIC.STATISTIC, sorted.
func Statistics() []string { return slices.Sorted(maps.Keys(ofSummary)) }

func keysOf(n Names) []string {
	keys := slices.Clone(computed)
	for _, m := range result.Metrics() {
		keys = append(keys, m.Name)
	}
	return append(keys, distinctSorted(n.Metrics)...)
}

func distinctSorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

func checkKey(what, key string, keys []string) error {
	name, statistic, cut := cutKey(key, keys)
	switch {
	case !slices.Contains(keys, name):
		return unknownKey(what, key, keys)
	case !cut:
		return nil
	case slices.Contains(computed, name):
		return ViewError{fmt.Sprintf("unknown %s %q", what, key), fmt.Sprintf("%q has no statistics", name)}
	case ofSummary[statistic] == nil:
		return unknownKey("statistic", statistic, slices.Sorted(maps.Keys(ofSummary)))
	}
	return nil
}

// cutKey splits METRIC.STATISTIC at the last dot, unless key is itself one of keys:
// names of metrics may contain dots.
func cutKey(key string, keys []string) (name, statistic string, cut bool) {
	i := strings.LastIndex(key, ".")
	if i < 0 || slices.Contains(keys, key) {
		return key, "", false
	}
	return key[:i], key[i+1:], true
}

func unknownKey(what, word string, known []string) error {
	hint := "one of " + strings.Join(known, ", ")
	if near, ok := diag.Nearest(word, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return ViewError{fmt.Sprintf("unknown %s %q", what, word), hint}
}

// Viewed is NewTable with the columns, the order and the folding that view asks for.
func Viewed(doc *result.Document, view View) *Table {
	t := newTable(doc, !view.All)
	for i := range t.Groups {
		cases, _ := CasesOf(doc, t.Groups[i].Name)
		v := viewer{View: view, cases: cases, group: &t.Groups[i], floor: memoryFloor(doc.Calibrations, t.Groups[i].Name)}
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
	floor float64 // smallest peak memory that can be measured, in bytes
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
			return v.direction() * compareNames(rows[a].Name, rows[b].Name)
		}
		x, y := sortKey(&cells[a]), sortKey(&cells[b])
		if math.IsNaN(x) || math.IsNaN(y) {
			return cmp.Compare(b2i(math.IsNaN(x)), b2i(math.IsNaN(y)))
		}
		return v.direction() * cmp.Compare(x, y)
	})
	sortedRows, sortedCases := make([]Row, len(rows)), make([]*result.Case, len(rows))
	for i, at := range order {
		sortedRows[i], sortedCases[i] = rows[at], cases[at]
	}
	v.group.Rows, v.cases = sortedRows, sortedCases
}

func (v *viewer) direction() int {
	if v.Descending {
		return -1
	}
	return 1
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sortKey is the number that a cell is sorted by, NaN if it shows none.
func sortKey(c *page.Cell) float64 {
	if c.Number == "" && c.Key == 0 {
		return math.NaN()
	}
	return c.Key
}

// compareNames compares runs of digits by their value: size=9 is before size=10.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := leadingNumber(a), leadingNumber(b)
		if x != "" && y != "" {
			if c := cmp.Or(cmp.Compare(wholeNumber(x), wholeNumber(y)), cmp.Compare(len(x), len(y))); c != 0 {
				return c
			}
			a, b = a[len(x):], b[len(y):]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func wholeNumber(digits string) float64 {
	x, _ := strconv.ParseFloat(digits, 64)
	return x
}

func leadingNumber(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
