package pegs

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/flow"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// Tpt writes arcs in the layout of the program tpt of the uClinux tree, byte for byte: columns
// are two blanks apart and as wide as their widest field, Count is aligned on the left and has no
// separators, and sources are in the order of time and their destinations against it. Unlike
// tpt it rounds instead of truncating, and writes 0.00 instead of an empty field. If there are
// several cases, each has a line with its name.
func Tpt(w io.Writer, cases []flow.Pegged) error {
	out := bufio.NewWriter(w)
	for i, c := range cases {
		rows := tptRows(tptSources(c.Case.Pegs))
		if len(cases) > 1 {
			rows = append([][]string{{"# " + c.Label}}, rows...)
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		writeTpt(out, rows)
	}
	return out.Flush()
}

// tptSources returns sources in the order of time. tpt turns the list of points around to get
// this order, and adds destinations in the order of the list, so those run against time.
func tptSources(p *result.Pegs) []arcs.Source {
	place := map[string]int{}
	for i, point := range p.Points {
		place[point.Name] = i
	}
	sources := arcs.InTime(p)
	for _, s := range sources {
		slices.SortStableFunc(s.Arcs, func(a, b result.Arc) int { return cmp.Compare(place[b.To], place[a.To]) })
	}
	return sources
}

// tptRows are the header, then each source below an empty line, and its arcs. A row of one field is a
// line of its own.
func tptRows(sources []arcs.Source) [][]string {
	rows := [][]string{{"Destination", "Count", "Min", "Max", "Average", "Total"}}
	for _, s := range sources {
		rows = append(rows, []string{""}, []string{cmp.Or(s.Name, flow.Outermost) + " ->"})
		for _, a := range s.Arcs {
			row := []string{a.To, strconv.FormatInt(a.Count, 10)}
			for _, x := range []float64{a.Min, a.Max, a.Mean, a.Sum} {
				row = append(row, microseconds(x))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func writeTpt(out *bufio.Writer, rows [][]string) {
	widths := map[int]int{}
	for _, row := range rows {
		row[0] = display.Visible(row[0])
		for i, field := range row {
			if len(row) > 1 {
				widths[i] = max(widths[i], display.Width(field))
			}
		}
	}
	for _, row := range rows {
		if len(row) == 1 {
			fmt.Fprintln(out, row[0])
			continue
		}
		for i, field := range row {
			row[i] = display.PadLeft(field, widths[i])
			if i == tptCount {
				row[i] = display.PadRight(field, widths[i])
			}
		}
		fmt.Fprintln(out, display.LeftToRight("  "+strings.Join(row, "  ")))
	}
}

// tptCount is the column that tpt aligns on the left.
const tptCount = 1

// microseconds prints 1,234.50.
func microseconds(seconds float64) string {
	return units.Grouped(strconv.FormatFloat(seconds*1e6, 'f', 2, 64))
}
