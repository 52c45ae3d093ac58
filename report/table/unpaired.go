package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Saved is a result under the name of its file.
type Saved struct {
	Name string
	Doc  *result.Document
}

// Unpaired is a comparison of saved results: what suite compare prints. It contains no
// verdict.
type Unpaired struct {
	Saved      []Saved
	Metric     string
	Confidence float64 // of the intervals of ratios
	Floor      float64 // relative change within which two runs of the same code may differ
	Rows       []UnpairedRow
	Notes      []string // how the runs differed
}

// UnpairedRow is one case.
type UnpairedRow struct {
	Suite, Name string
	Cases       []*result.Case   // one for each of Saved; nil if the result lacks the case
	Ratios      []*UnpairedRatio // to the first, one for each of Saved[1:]; nil if there is none
	Notes       []string         // how the case differed between runs
}

// UnpairedRatio is the ratio of two medians that were measured at different times.
type UnpairedRatio struct {
	Ratio     float64
	Low, High *float64
	Exact     bool
	Moved     bool // the whole interval is beyond the floor
}

// sameMachine reports whether a and b are the same machine, whatever its load.
func sameMachine(a, b result.Machine) bool {
	a.Load, b.Load = "", ""
	return a == b
}

// Letter is the short name of a file in headings: A to Z, then 27 and so on.
func (u *Unpaired) Letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprint(i + 1)
}

// fill adds a column for each file and one for each ratio to a table.
func (u *Unpaired) fill(g *Group, rows []UnpairedRow) {
	add := func(head string, worth int, cells []page.Cell) {
		g.Columns = append(g.Columns, page.Column{Head: head, Worth: worth})
		for i := range rows {
			g.Rows[i].Cells = append(g.Rows[i].Cells, cells[i])
		}
	}
	for k := range u.Saved {
		add(u.Letter(k), 80-min(k, 20), u.values(rows, k))
	}
	for k := range u.Saved[1:] {
		cells := make([]page.Cell, len(rows))
		for i := range rows {
			cells[i] = rows[i].Ratios[k].cell()
		}
		add(u.Letter(k+1)+" vs "+u.Letter(0), 100, cells)
	}
}

// values shows the medians of one file: bytes with binary prefixes, everything else
// with the metric's prefixes.
func (u *Unpaired) values(rows []UnpairedRow, k int) []page.Cell {
	cells := number.NewCells(len(rows))
	for i := range rows {
		c := rows[i].Cases[k]
		switch {
		case c == nil || c.Status == result.Measured && c.Summary(u.Metric) == nil:
			cells.Set(i, page.Cell{Text: "–", Tone: page.Faint})
			continue
		case c.Status != result.Measured:
			cells.Set(i, page.Cell{Text: "not measured", Tone: page.Bad})
			continue
		}
		s := c.Summary(u.Metric)
		if s.Bound != nil {
			cells.Set(i, number.Bound(*s.Bound, number.UnitFor(c, s), number.ScaleOf(c, s)))
		} else {
			cells.Put(i, number.Median(s, number.UnitFor(c, s)), number.ScaleOf(c, s))
		}
	}
	return cells.Filled()
}

// cell shows a ratio with its interval, never in the colours of a verdict.
func (r *UnpairedRatio) cell() page.Cell {
	switch {
	case r == nil:
		return page.Cell{Text: "–", Tone: page.Faint}
	case r.Moved:
		return page.Cell{Marks: []page.Span{{Text: r.text() + "  moved", Tone: page.Doubtful}}, Key: r.Ratio}
	}
	return page.Cell{Marks: []page.Span{{Text: r.text(), Tone: page.Faint}}, Key: r.Ratio}
}

// text is the change and its interval: +10.0% (+5.0% … +16.0%).
func (r *UnpairedRatio) text() string {
	text := number.RatioText(r.Ratio, 1)
	if math.IsInf(r.Ratio, 1) {
		text = "from 0"
	}
	if r.Low != nil && r.High != nil {
		text += " (" + number.RatioText(*r.Low, 1) + " … " + number.RatioText(*r.High, 1) + ")"
	}
	return text
}

// Sorted copies u and orders the rows of each suite by key: name or the ratio. Rows
// without a ratio come last.
func (u *Unpaired) Sorted(key string, descending bool) *Unpaired {
	if key == "" {
		return u
	}
	out, at := *u, map[string]int{}
	for i := range u.Rows {
		if _, known := at[u.Rows[i].Suite]; !known {
			at[u.Rows[i].Suite] = i
		}
	}
	direction := 1
	if descending {
		direction = -1
	}
	out.Rows = slices.Clone(u.Rows)
	slices.SortStableFunc(out.Rows, func(a, b UnpairedRow) int {
		switch {
		case a.Suite != b.Suite:
			return cmp.Compare(at[a.Suite], at[b.Suite])
		case key == "name":
			return direction * display.Natural(a.Name, b.Name)
		}
		return byNumber(a.first(), b.first(), direction)
	})
	return &out
}

// first is the ratio of the second file to the first, NaN if there is none.
func (r *UnpairedRow) first() float64 {
	if len(r.Ratios) == 0 || r.Ratios[0] == nil {
		return math.NaN()
	}
	return r.Ratios[0].Ratio
}
