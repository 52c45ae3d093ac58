package pegs

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result/arcs"
)

// Tpt writes arcs as the program tpt did: by source, in the order of time, times in
// microseconds with two decimals and separators of thousands. Unlike tpt it rounds
// instead of truncating, and writes 0.00 instead of an empty field.
func Tpt(w io.Writer, cases []table.Pegged) error {
	out := bufio.NewWriter(w)
	for i, c := range cases {
		if len(cases) > 1 {
			if i > 0 {
				fmt.Fprintln(out)
			}
			fmt.Fprintf(out, "# %s\n", display.Visible(c.Label))
		}
		tptTable(out, arcs.InTime(c.Case.Pegs))
	}
	return out.Flush()
}

// tptTable writes one header, then each source and its arcs. The row of a source has
// one field, which widens no column.
func tptTable(out *bufio.Writer, sources []arcs.Source) {
	rows := [][]string{{"Destination", "Count", "Average", "Min", "Max", "Total"}}
	for _, s := range sources {
		rows = append(rows, []string{cmp.Or(display.Visible(s.Name), table.Outermost) + " ->"})
		for _, a := range s.Arcs {
			row := []string{display.Visible(a.To), units.Grouped(strconv.FormatInt(a.Count, 10))}
			for _, x := range []float64{a.Mean, a.Min, a.Max, a.Sum} {
				row = append(row, microseconds(x))
			}
			rows = append(rows, row)
		}
	}
	widths := []int{32, 11, 12, 12, 12, 14}
	for i := range widths {
		widths[i] = tptWidth(rows, i, widths[i])
	}
	for _, row := range rows {
		if len(row) == 1 {
			fmt.Fprintln(out) // also below the header
			fmt.Fprintln(out, row[0])
			continue
		}
		for i, field := range row {
			row[i] = display.PadLeft(field, widths[i])
		}
		fmt.Fprintln(out, display.LeftToRight(strings.Join(row, " ")))
	}
}

func tptWidth(rows [][]string, column, least int) int {
	for _, row := range rows {
		if len(row) > 1 {
			least = max(least, display.Width(row[column]))
		}
	}
	return least
}

// microseconds prints 1,234.50.
func microseconds(seconds float64) string {
	return units.Grouped(strconv.FormatFloat(seconds*1e6, 'f', 2, 64))
}
