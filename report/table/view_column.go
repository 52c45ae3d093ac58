package table

import (
	"slices"
	"strings"

	"example.com/suite/report/column"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// choose replaces the columns by the ones that the view names. If it names none, it
// only adds the distribution.
func (v *viewer) choose() {
	if len(v.Columns) == 0 {
		if cells := column.Sparks(v.cases); cells != nil {
			v.insert(number.Column{Column: page.Column{Head: column.SparkHead, Worth: column.SparkWorth}, Cells: cells})
		}
		return
	}
	var chosen []number.Column
	for i, key := range v.Columns {
		if c, ok := v.column(key); ok {
			c.Worth = 200 - i // in a narrow terminal the first ones stay longest
			chosen = append(chosen, c)
		}
	}
	v.group.Columns = nil
	for i := range v.group.Rows {
		v.group.Rows[i].Cells = nil
	}
	for _, c := range chosen {
		v.append(c)
	}
}

func (v *viewer) append(c number.Column) {
	if c.Cells == nil {
		c.Cells = make([]page.Cell, len(v.group.Rows))
	}
	v.group.Columns = append(v.group.Columns, c.Column)
	for i := range v.group.Rows {
		v.group.Rows[i].Cells = append(v.group.Rows[i].Cells, c.Cells[i])
	}
}

func (v *viewer) insert(c number.Column) {
	at := min(column.Headline(v.group.Columns)+1, len(v.group.Columns))
	v.group.Columns = slices.Insert(v.group.Columns, at, c.Column)
	for i := range v.group.Rows {
		v.group.Rows[i].Cells = slices.Insert(v.group.Rows[i].Cells, at, c.Cells[i])
	}
}

// column finds or makes the column of a key. It is false if the cases of this suite
// have no such number.
func (v *viewer) column(key string) (number.Column, bool) {
	if key == "distribution" {
		return number.Column{Column: page.Column{Head: column.SparkHead, Worth: 1}, Cells: column.Sparks(v.cases)}, true
	}
	for j, c := range v.group.Columns {
		if c.Key == key {
			cells := make([]page.Cell, len(v.group.Rows))
			for i := range cells {
				cells[i] = v.group.Rows[i].Cells[j]
			}
			return number.Column{Column: c, Cells: cells}, true
		}
	}
	return v.metric(key)
}

// metric makes a column of one statistic of a metric.
func (v *viewer) metric(key string) (number.Column, bool) {
	name := key
	of := ofSummary["median"]
	if i := strings.LastIndex(key, "."); i >= 0 && ofSummary[key[i+1:]] != nil {
		name, of = key[:i], ofSummary[key[i+1:]]
	}
	cells := number.NewCells(len(v.cases))
	for i, c := range v.cases {
		s := number.MeasuredSummary(c, name)
		if s == nil {
			continue
		}
		unit, scale := number.UnitFor(c, s), number.ScaleOf(c, s)
		if s.Bound != nil {
			cells.Set(i, number.Bound(boundOf(s, of(s)), unit, scale))
		} else {
			cells.Put(i, uncertain(number.Value{X: of(s), Unit: unit}, s), scale)
		}
	}
	out := number.Column{Column: page.Column{Head: key, Worth: 1}, Cells: cells.All()}
	return out, out.Cells != nil
}

// boundOf is the upper bound of a statistic of a metric that is below resolution. The bound
// of the summary is the bound of the median, and so of all below it.
func boundOf(s *result.Summary, x float64) float64 { return *s.Bound + max(x-s.Median, 0) }

// visibleError is the share of a number from which its error is printed.
const visibleError = 0.0005

// uncertain adds the error of a statistic that samples do not reduce.
func uncertain(v number.Value, s *result.Summary) number.Value {
	if s.Error > visibleError*v.X {
		v.Half, v.Within = s.Error, &[2]float64{max(v.X-s.Error, 0), v.X + s.Error}
	}
	return v
}
