package history

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
)

const minutes = "2006-01-02 15:04"

const mostSubject, leastSubject = 40, 8 // characters of the subject of a commit in a list

// WriteList writes a table of runs, the newest first, and returns the size of their files in
// bytes. entries are in the order of time. If the table is wider than so many columns, MACHINE and
// then FROM are left out, and then subjects are shortened. Width 0 has room for all.
func WriteList(out io.Writer, entries []Entry, columns int) (size int64, err error) {
	rows := [][]string{{"DATE", "COMMIT", "SUBJECT", "FROM", "MACHINE"}}
	for _, r := range slices.Backward(entries) {
		size += r.Size
		rows = append(rows, []string{r.When().UTC().Format(minutes), r.commitName(), display.Shorten(display.Visible(r.Subject), mostSubject), display.Visible(r.Origin), display.Visible(r.MachineName())})
	}
	for len(rows[0]) > 3 && columns > 0 && widthOf(rows) > columns {
		for i := range rows {
			rows[i] = rows[i][:len(rows[i])-1]
		}
	}
	if over := widthOf(rows) - columns; columns > 0 && over > 0 {
		for _, row := range rows {
			row[2] = display.Shorten(row[2], max(leastSubject, mostSubject-over))
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return size, w.Flush()
}

// widthOf is the width of a table with two spaces between its columns.
func widthOf(rows [][]string) (width int) {
	for j := range rows[0] {
		widest := 0
		for _, row := range rows {
			widest = max(widest, display.Width(row[j]))
		}
		width += widest + 2
	}
	return width - 2
}

func (r *Run) commitName() string {
	name := cmp.Or(display.Visible(display.Commit(r.Commit)), "-")
	if r.Dirty {
		name += "+"
	}
	return name
}

// Newest returns the newest run of a commit, which is the beginning of a hash, in lower case.
// It is nil if there is none. entries are in the order of time.
func Newest(entries []Entry, commit string) *Run {
	for i := range slices.Backward(entries) {
		if strings.HasPrefix(entries[i].Commit, commit) {
			return &entries[i].Run
		}
	}
	return nil
}

// WriteText writes what the run has measured: a line for each metric of each case.
func (r *Run) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s, commit %s %s\n%s\n", r.Started.UTC().Format(minutes), r.commitName(), display.Visible(r.Subject), display.Visible(r.MachineName()))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	suite := ""
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Suite != suite {
			suite = c.Suite
			w.Flush()
			fmt.Fprintf(out, "\n%s\n", display.Visible(suite))
		}
		name := display.Visible(c.Name)
		for _, m := range c.Metrics {
			interval, ratio := "", ""
			if m.Low != nil && m.High != nil {
				interval = fmt.Sprintf("%s … %s", units.Short(*m.Low, m.Unit), units.Short(*m.High, m.Unit))
			}
			if m.Ratio != nil {
				ratio = fmt.Sprintf("%s vs %s", m.Ratio.change(), display.Visible(against(c)))
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", name, m.Name, units.Format(m.Value, m.Unit), interval, ratio)
			name = ""
		}
	}
	return w.Flush()
}

// change is the change that a ratio is, in percent.
func (r *Ratio) change() string {
	if r.Value == nil {
		return "+∞"
	}
	return units.Signed(*r.Value-1, units.Tenths)
}

// against names what the ratios of a case refer to.
func against(c *Case) string {
	if name, is := strings.CutPrefix(c.Against, BaseCase); is {
		return name
	}
	return display.Commit(c.Against)
}
