// Package pegs writes arcs of pegs for other programs: graphs, JSON, lines for sort and awk.
package pegs

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/suite/internal/display"
	"example.com/suite/report/flow"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// sortHead are the columns of ArcLines. Times are in nanoseconds, without unit and
// separators.
var sortHead = []string{"from", "->", "to", "count", "min_ns", "max_ns", "mean_ns", "total_ns", "p50_ns", "p99_ns",
	"stddev_ns", "kind", "lane", "case"}

// ArcLines writes a line for each arc of all cases, the greatest total first, for
// sort, awk and similar programs. Columns are separated by blanks, no field contains
// one, and an empty field is a minus. With lanes, each lane is a line.
func ArcLines(w io.Writer, cases []flow.Pegged, lanes bool) error {
	rows := [][]string{slices.Clone(sortHead)}
	for _, r := range byTotal(cases, lanes) {
		rows = append(rows, r.fields(lanes))
	}
	widths := make([]int, len(sortHead))
	for _, row := range rows {
		for i, field := range row {
			widths[i] = max(widths[i], min(display.Width(field), mostField))
		}
	}
	out := bufio.NewWriter(w)
	for _, row := range rows {
		for i, field := range row {
			row[i] = display.PadRight(field, widths[i])
			if i >= 3 && i <= 10 {
				row[i] = display.PadLeft(field, widths[i]) // numbers
			}
		}
		fmt.Fprintln(out, strings.TrimRight(strings.Join(row, " "), " "))
	}
	return out.Flush()
}

// mostField limits the width of names, so that one long name does not move the
// numbers of all lines off the screen.
const mostField = 40

type arcLine struct {
	label string
	arc   result.Arc
}

func byTotal(cases []flow.Pegged, lanes bool) (all []arcLine) {
	for _, c := range cases {
		list := arcs.Whole(c.Case.Pegs)
		if lanes {
			list = c.Case.Pegs.Arcs
		}
		for _, a := range list {
			all = append(all, arcLine{c.Label, a})
		}
	}
	slices.SortStableFunc(all, func(a, b arcLine) int { return cmp.Compare(b.arc.Sum, a.arc.Sum) })
	return all
}

func (l *arcLine) fields(lanes bool) []string {
	a := &l.arc
	row := []string{field(a.From), "->", field(a.To), strconv.FormatInt(a.Count, 10)}
	for _, x := range []*float64{&a.Min, &a.Max, &a.Mean, &a.Sum, a.P50, a.P99, &a.StdDev} {
		row = append(row, nanoseconds(x))
	}
	lane := "-"
	if lanes {
		lane = field(flow.LaneName(a))
	}
	return append(row, cmp.Or(string(a.Kind), "-"), lane, field(l.label))
}

// nanoseconds prints one decimal, a tenth of a tick.
func nanoseconds(seconds *float64) string {
	if seconds == nil {
		return "-"
	}
	return strconv.FormatFloat(*seconds*1e9, 'f', 1, 64)
}

// field quotes a name that contains blanks, or characters that could be misread, as
// Go and C do. A blank becomes \x20.
func field(name string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || display.IsDangerous(r) || r == '"' || r == '\\' }
	if name != "" && name != "-" && name != "->" && strings.IndexFunc(name, odd) < 0 {
		return name
	}
	return strings.ReplaceAll(strconv.Quote(name), " ", `\x20`)
}
