package table

import (
	"cmp"
	"slices"

	"example.com/suite/report/column"
	"example.com/suite/report/note"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"fmt"
)

// pivot turns the values of a parameter into rows and the variants into columns. A
// variant is the name of a case without the value. Cases without the parameter follow
// as rows of their own, in a last column.
func (v *viewer) pivot() {
	p := &pivoted{cells: map[[2]string]page.Cell{}, rows: map[string]*Row{}}
	if len(v.Columns) == 0 { // else the first column that the reader named
		p.shown = column.Headline(v.group.Columns)
	}
	variants := result.Variants(v.cases, v.GroupBy)
	for i, c := range v.cases {
		if param := paramOf(c, v.GroupBy); param != nil && len(v.group.Columns) > 0 {
			p.put(v.group.Rows[i], cmp.Or(variants[i], "time"), *param)
		}
	}
	if len(p.values) == 0 {
		return
	}
	p.sort()
	rest := restOf(v.cases, v.group.Rows, v.GroupBy)
	head := v.group.Columns[p.shown].Head
	g := v.group
	g.First = v.GroupBy
	g.Rows = nil
	g.Columns = nil
	if head != "time" {
		g.First += ": " + head
	}
	for _, value := range p.values {
		g.Rows = append(g.Rows, *p.rows[value.Text])
	}
	for i, name := range p.variants {
		g.Columns = append(g.Columns, page.Column{Head: name, Worth: 200 - i})
		for j, value := range p.values {
			g.Rows[j].Cells = append(g.Rows[j].Cells, p.cells[[2]string{value.Text, name}])
		}
	}
	if len(rest) > 0 {
		g.Columns = append(g.Columns, page.Column{Head: "alone", Worth: 90})
		for j := range g.Rows {
			g.Rows[j].Cells = append(g.Rows[j].Cells, page.Cell{})
		}
		for _, r := range rest {
			r.Cells = append(make([]page.Cell, len(p.variants)), r.Cells[p.shown])
			g.Rows = append(g.Rows, r)
		}
	}
}

// pivoted is a table in the making: cells by value and variant.
type pivoted struct {
	shown    int // the index of the column that supplies the cells
	values   []result.Param
	variants []string
	cells    map[[2]string]page.Cell
	rows     map[string]*Row
}

func (p *pivoted) put(r Row, variant string, value result.Param) {
	row := p.rows[value.Text]
	if row == nil {
		row = &Row{Name: value.Text, Label: value.Text}
		p.rows[value.Text], p.values = row, append(p.values, value)
	}
	name := variant
	for i := 2; ; i++ {
		if _, taken := p.cells[[2]string{value.Text, name}]; !taken {
			break
		}
		name = NumberedName(variant, i)
	}
	if !slices.Contains(p.variants, name) {
		p.variants = append(p.variants, name)
	}
	p.cells[[2]string{value.Text, name}] = r.Cells[p.shown]
	for _, n := range r.Notes {
		if !slices.Contains(row.Notes, n) && len(row.Notes) < note.MostMarks {
			row.Notes = append(row.Notes, n)
		}
	}
	slices.Sort(row.Notes)
	row.Gates, row.attention = append(row.Gates, r.Gates...), max(row.attention, r.attention)
	row.judged = row.judged && r.judged
}

// sort orders values that are numbers; other values keep their order.
func (p *pivoted) sort() {
	for _, v := range p.values {
		if v.Number == nil {
			return
		}
	}
	slices.SortStableFunc(p.values, func(a, b result.Param) int { return cmp.Compare(*a.Number, *b.Number) })
}

func paramOf(c *result.Case, name string) *result.Param {
	for i := range c.Params {
		if c.Params[i].Name == name {
			return &c.Params[i]
		}
	}
	return nil
}

func restOf(cases []*result.Case, rows []Row, param string) (rest []Row) {
	for i, c := range cases {
		if paramOf(c, param) == nil && len(rows[i].Cells) > 0 {
			rest = append(rest, rows[i])
		}
	}
	return rest
}

// Distinct is the set of names in use. Name numbers a name that is taken: sort (2).
type Distinct map[string]bool

func (d Distinct) Name(s string) string {
	name := s
	for i := 2; d[name]; i++ {
		name = NumberedName(s, i)
	}
	d[name] = true
	return name
}

func NumberedName(s string, i int) string { return fmt.Sprintf("%s (%d)", s, i) }
