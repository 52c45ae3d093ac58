package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// PathText writes what the arcs along a path come to, case by case, and which cases do
// not have it. Where none has, the error is that of arcs.Path for the first of them, and
// nothing is written.
func PathText(w io.Writer, cases []table.Pegged, path []string, o table.Options) error {
	sums, err := pathsOf(cases, path)
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
		p.para(table.Plain, "", indent, display.Visible(c.Label)+": "+strings.Join(all(sums[i].Names, display.Visible), arrow))
		p.sum(c.Case.Pegs, sums[i])
	}
	if len(without) > 0 {
		p.blank()
		p.para(table.Faint, "", indent, "without these arcs: "+units.List(all(without, display.Visible), table.MostNamed))
	}
	return p.w.Flush()
}

// pathsOf adds up a path in each of some cases; nil stands for those that do not have it.
// The error is that of the first case where none has, which it names where there are several.
func pathsOf(cases []table.Pegged, path []string) ([]*arcs.Sum, error) {
	sums, found, first := make([]*arcs.Sum, len(cases)), false, error(nil)
	for i, c := range cases {
		s, err := arcs.Path(c.Case.Pegs, path...)
		if err == nil {
			sums[i], found = &s, true
		} else if first == nil {
			first = ofCase(err, c.Label, len(cases))
		}
	}
	if found {
		return sums, nil
	}
	return nil, first
}

func ofCase(err error, label string, n int) error {
	var missing *arcs.Missing
	if errors.As(err, &missing) && n > 1 {
		return &arcs.Missing{Message: fmt.Sprintf("case %q: %s", label, missing.Message), Hint: missing.Hint}
	}
	return err
}

// sum writes a line for each number, and for each whether it is one or a bound.
func (p *page) sum(pegs *result.Pegs, s *arcs.Sum) {
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
		p.para(table.Faint, indent, indent, "bounds: points on the way are reached or left by other ways as well, and an arc does not know what was before it")
	}
}
