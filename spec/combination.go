package spec

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// combinations lists the values of varying(), the first parameter slowest:
// the product of the axes without what is excluded, then what is included.
func (b *benchmark) combinations() ([][]lang.Value, *diag.Problem) {
	total := 1
	for _, a := range b.axes {
		if total *= len(a.rows); total > maxCases {
			return nil, &diag.Problem{Place: b.place, Message: fmt.Sprintf("the parameters have more than %d combinations", maxCases)}
		}
	}
	hits := make([]int, len(b.excluded))
	var rows [][]lang.Value
	for i := range total {
		if row := b.row(i, total); !b.excludes(row, hits) {
			rows = append(rows, row)
		}
	}
	if i := slices.Index(hits, 0); i >= 0 {
		return nil, &diag.Problem{Place: b.excluded[i].place, Message: "no combination has these values", Hint: "nothing is excluded by it"}
	}
	if rows = append(rows, b.included...); len(rows) == 0 {
		return nil, &diag.Problem{Place: b.place, Message: "every combination is excluded"}
	}
	return rows, nil
}

// row i of a product of total rows.
func (b *benchmark) row(i, total int) (row []lang.Value) {
	for _, a := range b.axes {
		total /= len(a.rows)
		row = append(row, a.rows[i/total]...)
		i %= total
	}
	return row
}

// excludes says whether a row is excluded, and counts by what.
func (b *benchmark) excludes(row []lang.Value, hits []int) bool {
	out := false
	for i, x := range b.excluded {
		hit := true
		for j, name := range b.varying() {
			if want, ok := x.values[name]; ok && !same(row[j], want) {
				hit = false
			}
		}
		if hit {
			hits[i]++
			out = true
		}
	}
	return out
}

// same values are spelled alike or are the same number: 1KiB is 1024.
func same(a, b lang.Value) bool {
	return a.Text == b.Text || a.Kind == lang.Number && b.Kind == lang.Number && a.Number == b.Number
}
