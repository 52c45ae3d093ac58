package spec

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// maxCases limits a plan. At a second each, so many cases take a day.
const maxCases = 100_000

// parameters are the parameters of a benchmark, whose values make its cases.
type parameters struct {
	axes      []axis
	included  [][]lang.Value // rows over varying()
	excluded  []exclusion
	constants []Param
}

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
func (p *parameters) varying() (names []string) {
	for _, a := range p.axes {
		names = append(names, a.names...)
	}
	return names
}

// names lists all parameters: the varying ones and those with one value.
func (p *parameters) names() []string {
	names := p.varying()
	for _, constant := range p.constants {
		names = append(names, constant.Name)
	}
	return names
}

// combinations computes the values of the parameters that varying names, one row for
// each case. place is the benchmark's. The first parameter changes slowest. Excluded rows are left out of the
// product, and included rows follow it.
func (p *parameters) combinations(place diag.Place) ([][]lang.Value, *diag.Problem) {
	total := 1
	for _, a := range p.axes {
		total *= len(a.rows)
		if total > maxCases {
			return nil, &diag.Problem{
				Place:   place,
				Message: fmt.Sprintf("the parameters have more than %d combinations", maxCases),
			}
		}
	}
	hits := make([]int, len(p.excluded))
	var rows [][]lang.Value
	for i := range total {
		if row := p.row(i, total); !p.excludes(row, hits) {
			rows = append(rows, row)
		}
	}
	if i := slices.Index(hits, 0); i >= 0 {
		return nil, &diag.Problem{
			Place:   p.excluded[i].place,
			Message: "no combination has these values",
			Hint:    "nothing is excluded by it",
		}
	}
	rows = append(rows, p.included...)
	if len(rows) == 0 {
		return nil, &diag.Problem{Place: place, Message: "every combination is excluded"}
	}
	return rows, nil
}

// row computes row i of the product, which has total rows, without building the
// product.
func (p *parameters) row(i, total int) (row []lang.Value) {
	for _, a := range p.axes {
		total /= len(a.rows)
		row = append(row, a.rows[i/total]...)
		i %= total
	}
	return row
}

// excludes reports whether a row is excluded, and counts the hits of each exclusion.
func (p *parameters) excludes(row []lang.Value, hits []int) bool {
	out := false
	for i, x := range p.excluded {
		hit := true
		for j, name := range p.varying() {
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
