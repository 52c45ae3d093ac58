package text

import (
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// Path writes the sums of the arcs along a path, case by case, and names the cases
// without it. If no case has the path, nothing is written and the error is the one of
// arcs.Path for the first case.
func Path(w io.Writer, cases []table.Pegged, path []string, o table.Options) error {
	sums, err := table.PathSums(cases, path)
	if err != nil {
		return err
	}
	p := newPage(w, o)
	var without []string
	for i, c := range cases {
		if sums[i] == nil {
			without = append(without, c.Label)
			continue
		}
		if i > len(without) {
			p.blank()
		}
		p.para(table.Plain, "", indent, display.Visible(c.Label)+": "+strings.Join(display.AllVisible(sums[i].Names), arrow))
		p.sum(c.Case.Pegs, sums[i])
	}
	if len(without) > 0 {
		p.blank()
		p.para(table.Faint, "", indent, "without these arcs: "+units.List(display.AllVisible(without), table.MostNamed))
	}
	return p.w.Flush()
}

// sum writes a line for each number. If the sum is not exact, the numbers are bounds.
func (p *printer) sum(pegs *result.Pegs, s *arcs.Sum) {
	line := func(what, text string) {
		p.para(table.Plain, indent+display.PadRight(what, 8), indent+display.PadRight("", 8), text)
	}
	most := "at most "
	if s.Exact {
		most = ""
	}
	line("count", most+units.Thousands(fmt.Sprint(s.Count)))
	share := ""
	if pegs.Seconds > 0 {
		share = fmt.Sprintf(", %s of the pass", units.Tenths(s.Total/pegs.Seconds))
	}
	line("total", most+table.EachTime(s.Total)+share)
	if s.Exact && s.Count > 0 {
		line("mean", table.EachTime(s.Total/float64(s.Count)))
	}
	if len(s.Arcs) == 1 {
		line("min", table.EachTime(s.Min))
		line("max", table.EachTime(s.Max))
		return
	}
	line("min", "at least "+table.EachTime(s.Min)+" (the sum of the least times of each arc)")
	line("max", "at most "+table.EachTime(s.Max)+" (the sum of the greatest times of each arc)")
	if !s.Exact {
		p.para(table.Faint, indent, indent, "bounds: points on the path are on other paths as well, and an arc does not record what was before it")
	}
}
