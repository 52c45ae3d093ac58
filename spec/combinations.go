package spec

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// maxCases limits a plan. At a second each, so many cases take a day.
const maxCases = 100_000

// axis is one dimension of the product: a parameter of matrix, or all parameters of zip,
// which advance together.
type axis struct {
	names []string
	rows  [][]lang.Value
}

// exclusion removes every combination that has all of its values.
type exclusion struct {
	values map[string]lang.Value
	place  diag.Place
}

// varying lists the parameters that differ from case to case, in the order of a row's
// values.
func (b *benchmark) varying() (names []string) {
	for _, a := range b.axes {
		names = append(names, a.names...)
	}
	return names
}

// combinations computes the values of the parameters that varying names, one row for
// each case. The first parameter changes slowest. Excluded rows are left out of the
// product, and included rows follow it.
func (b *benchmark) combinations() ([][]lang.Value, *diag.Problem) {
	total := 1
	for _, a := range b.axes {
		total *= len(a.rows)
		if total > maxCases {
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
	rows = append(rows, b.included...)
	if len(rows) == 0 {
		return nil, &diag.Problem{Place: b.place, Message: "every combination is excluded"}
	}
	return rows, nil
}

// row computes row i of the product, which has total rows, without building the
// product.
func (b *benchmark) row(i, total int) (row []lang.Value) {
	for _, a := range b.axes {
		total /= len(a.rows)
		row = append(row, a.rows[i/total]...)
		i %= total
	}
	return row
}

// excludes reports whether a row is excluded, and counts the hits of each exclusion.
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

// same reports whether two values are spelled alike or are the same number: 1KiB is 1024.
func same(a, b lang.Value) bool {
	return a.Text == b.Text || a.Kind == lang.Number && b.Kind == lang.Number && a.Number == b.Number
}
