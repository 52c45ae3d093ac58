package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
)

const minutes = "2006-01-02 15:04"

// List is a table of runs, the newest first. entries are in the order of time.
func List(entries []Entry) *page.Table {
	t := &page.Table{Columns: page.Heads("DATE", "COMMIT", "SUBJECT", "FROM", "MACHINE")}
	t.Columns[2].Cut = true
	t.Columns[3].Worth = 20
	t.Columns[4].Worth = 10
	for _, r := range slices.Backward(entries) {
		t.Add(r.When().UTC().Format(minutes), r.commitName(), r.Subject, r.Origin, r.MachineName())
	}
	return t
}

func (r *Run) commitName() string {
	name := cmp.Or(display.Commit(r.Commit), "-")
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

// Show has what a run has measured: a row for each metric of each case.
func Show(r *Run) []page.Block {
	head := page.Say("%s, commit %s %s", r.Started.UTC().Format(minutes), r.commitName(), r.Subject)
	if r.Author != "" {
		head = append(head, page.Span{Text: ", by " + r.Author})
	}
	blocks := []page.Block{page.Paragraph{head, page.Text(r.MachineName())}}
	var t *page.Table
	for i := range r.Cases {
		c := &r.Cases[i]
		if i == 0 || c.Suite != r.Cases[i-1].Suite {
			t = &page.Table{Columns: make([]page.Column, 5)}
			blocks = append(blocks, page.Under(c.Suite, t))
		}
		name := c.Name
		for _, m := range c.Metrics {
			interval, ratio := "", ""
			if m.Low != nil && m.High != nil {
				interval = fmt.Sprintf("%s … %s", units.Short(*m.Low, m.Unit), units.Short(*m.High, m.Unit))
			}
			if m.Ratio != nil {
				ratio = fmt.Sprintf("%s vs %s", m.Ratio.change(), against(c))
			}
			t.Add(name, m.Name, units.Format(m.Value, m.Unit), interval, ratio)
			name = ""
		}
	}
	return blocks
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
