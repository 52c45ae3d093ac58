package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/note"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

const UnpairedTitle = "unpaired: measured at different times, so changes of the machine are in the difference"

// Table finishes the comparison for the renderers of reports: a group per suite, in the
// order of the rows, with a column for each file and one for each ratio.
func (u *Unpaired) Table() *Table {
	t := &Table{Sources: &Sources{UnpairedTitle, u.files()}, Outcome: u.Outcome()}
	for start := 0; start < len(u.Rows); {
		end := start
		for end < len(u.Rows) && u.Rows[end].Suite == u.Rows[start].Suite {
			end++
		}
		t.Groups = append(t.Groups, u.group(u.Rows[start:end], t))
		start = end
	}
	if len(u.Rows) == 0 {
		t.Notes = append(t.Notes, note.Note{Text: "no case has the metric " + u.Metric})
	}
	for _, n := range u.Notes {
		t.Notes = append(t.Notes, note.Note{Text: n})
	}
	t.Notes = append(t.Notes, note.Note{Text: u.legend()})
	return t
}

// files lists the results under their letters. The machine is printed again only if
// it differs from the first one's.
func (u *Unpaired) files() (lines []string) {
	for i, s := range u.Saved {
		where := strings.Join(machine(s.Doc.Machine), ", ")
		if i > 0 && sameMachine(s.Doc.Machine, u.Saved[0].Doc.Machine) {
			where = "there too"
		}
		lines = append(lines,
			fmt.Sprintf("%s %s: %s, %s", u.Letter(i), s.Name,
				s.Doc.Started.UTC().Format("2006-01-02 15:04 UTC"), where))
	}
	return lines
}

func (u *Unpaired) group(rows []UnpairedRow, t *Table) Group {
	g := Group{Name: rows[0].Suite, Package: rows[0].Suite, Description: u.Metric}
	for i := range rows {
		r := &rows[i]
		row := Row{Name: r.Name, Label: r.Name, state: r.state(), attention: r.attention(), judged: true}
		row.File, row.Line = r.place()
		if r.Moved() {
			row.Tone = page.Doubtful
		}
		if len(r.Notes) > 0 {
			t.Notes = append(t.Notes, note.Note{Number: len(t.Notes) + 1,
				Text: r.Name + ": " + strings.Join(r.Notes, "; ")})
			row.Notes = []int{len(t.Notes)}
		}
		for k, ratio := range r.Ratios {
			if ratio != nil && ratio.Moved {
				row.Remarks = append(row.Remarks, fmt.Sprintf("%s vs %s: %s", u.Letter(k+1), u.Letter(0), ratio.text()))
			}
		}
		g.Rows = append(g.Rows, row)
	}
	u.fill(&g, rows)
	return g
}

// The states of a row, by which folded rows are counted.
const (
	stateMissing = "without a ratio"
	stateMoved   = "moved"
	stateStill   = "not moved"
)

func (r *UnpairedRow) state() string {
	switch {
	case slices.Contains(r.Ratios, nil):
		return stateMissing
	case r.Moved():
		return stateMoved
	}
	return stateStill
}

// attention orders rows for folding: without a ratio first, then moved ones, then by
// the size of the ratio.
func (r *UnpairedRow) attention() float64 {
	x := map[string]float64{stateMissing: 4, stateMoved: 2}[r.state()]
	most := 0.0
	for _, ratio := range r.Ratios {
		if ratio != nil && ratio.Ratio > 0 {
			most = max(most, math.Abs(math.Log(ratio.Ratio)))
		}
	}
	return x + math.Tanh(most)
}

// place is where the case is declared in the last file that has it.
func (r *UnpairedRow) place() (file string, line int) {
	for _, c := range r.Cases {
		if c != nil {
			file, line = c.Place.File, c.Place.Line
		}
	}
	return file, line
}

// Outcome counts the cases that moved. It has no verdict.
func (u *Unpaired) Outcome() result.Outcome {
	o := result.Outcome{Word: "unpaired"}
	for i := range u.Rows {
		if u.Rows[i].Moved() {
			o.Culprits = append(o.Culprits, u.Rows[i].Name)
		}
	}
	o.Text = fmt.Sprintf("no verdict. %d of %s moved", len(o.Culprits), units.Plural(len(u.Rows), "case"))
	return o
}

func (r *UnpairedRow) Moved() bool {
	return slices.ContainsFunc(r.Ratios, func(ratio *UnpairedRatio) bool { return ratio != nil && ratio.Moved })
}

func (u *Unpaired) legend() string {
	return fmt.Sprintf("“moved”: the %g%% interval of the ratio of medians is beyond ±%g%%, the difference that two "+
		"runs of the same code may have. For a verdict measure both in one run, with base:.",
		100*u.Confidence, 100*u.Floor)
}
