// Package table turns a result document, with its verdicts, into a Table in which every number
// is already text. Renderers only lay it out. The package judges nothing and measures nothing.
package table

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/report/column"
	"example.com/suite/report/flow"
	"example.com/suite/report/note"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Table is a finished report: everything that a renderer needs, as text. Its texts
// come from the document unchanged, so each renderer escapes them for its format.
type Table struct {
	Tool     string // "suite 0.1.0, go1.26.8"
	Machine  []string
	Commits  []string // of the suites
	Started  time.Time
	Seconds  string // of the whole run, three decimals
	Took     string // the same time for people: 18.4 s; without what comes before the cases, such as builds
	Seed     string
	Groups   []Group     // one per suite, in document order
	Notes    []note.Note // footnotes, in the order of their numbers
	Failures []Failure   // cases that could not be measured
	Gates    []Gate      // gates that did not pass
	Points   bool        // some gate was decided on point values

	ByInstructions bool // instructions decided some gate that the time did not decide
	Unpaired       bool // some gate compares with a saved result
	// MoreGates and MoreFailures count what Gates and Failures leave out.
	MoreGates    string // 797 more: 795 inconclusive, 2 fail
	MoreFailures int
	Outcome      result.Outcome
	Repeat       Repeat   // how to run the part that needs attention again
	Sources      *Sources // the title and files of a comparison of saved results; nil in a report
}

// Group is one suite.
type Group struct {
	Name, Description, File, Hash string
	Package                       string   // the name of the suite, also in its parts
	Commit                        string   // of the suite when it was measured
	Against                       []string // what it was compared with, and remarks on it
	// the remarks about gates that this tree removed or relaxed
	Relaxed    []string
	Fitness    Fitness       // of the machine, measured with the sentinel
	Clock      []string      // what timing costs here
	Seconds    string        // sum over its cases, three decimals
	Columns    []page.Column // the columns of Row.Cells
	Rows       []Row
	First      string          // heading of the names, "case" if it is empty
	Cases      []*result.Case  // all, also those that Rows leaves out
	Orders     []*result.Order // how times grow with a parameter
	Short      bool            // long lists are cut
	Flows      []*flow.Flow    // of all rows
	MoreFlows  int             // the number that Flows leaves out
	Unaffected string          // 12 unaffected, 3 measured; empty if all were measured
	Folded     string          // the cases that Rows leaves out: 988 more: 950 pass, 38 inconclusive
}

// Row is one case.
type Row struct {
	Label    string // the name, with its suite if there are several
	Name     string
	Cells    []page.Cell
	Notes    []int // numbers of the footnotes that concern it
	Gates    []Gate
	Failure  *Failure
	Flow     *flow.Flow   // nil if the case has no pegs
	Case     *result.Case // nil in a comparison of saved results
	NotRun   bool
	Skipped  string // why it was skipped, empty if it was not
	Seconds  string // wall time spent on the case, three decimals
	Facts    []Fact // parameters and settings worth keeping with the verdict
	Evidence string // one line: the headline with its interval and samples
	Pass     string // one line: work, time and rates of a case that was sampled once
	ID       string // of the case in the HTML report, if it has a part there
	Place    string
	File     string
	Line     int
	Remarks  []string  // of a comparison of saved results: what moved
	Tone     page.Tone // of its worst gate; bad if there is no number
	To       string    // where a page has more about it

	state     string // shown if there are no verdicts
	seconds   float64
	attention float64 // greater for cases that need more of it
	judged    bool    // by a gate or a comparison, or there is nothing to judge
}

// took is how long a run has measured. A run in which no change affects any case takes
// some microseconds, which nobody would believe of the whole command.
func took(seconds float64) string {
	if seconds < 1e-3 {
		return "less than 1 ms"
	}
	return units.Format(seconds, "s")
}

// NewTable reports a document that Validate accepts. It does all rounding, counting
// and choosing, so that renderers only lay out the table.
func NewTable(doc *result.Document) *Table { return newTable(doc, false) }

// newTable is NewTable. If it is brief, it leaves out footnotes that change neither what a
// reader does nor how he takes a number.
func newTable(doc *result.Document, brief bool) *Table {
	t := &Table{
		Tool:    toolText(doc.Tool),
		Machine: machines(doc),
		Commits: Commits(doc),
		Started: doc.Started.UTC(),
		Seconds: Decimals(doc.Seconds),
		Took:    took(doc.Seconds),
		Seed:    seedText(doc),
		Outcome: doc.Outcome(),
	}
	t.Repeat = repeatOf(doc)
	notes := note.New(doc, brief)
	var doubts [][]int
	for i := range doc.Suites {
		g := t.group(doc, &doc.Suites[i])
		for _, c := range g.Cases {
			doubts = append(doubts, notes.Of(c))
			c.Forget()
		}
		t.Groups = append(t.Groups, g)
	}
	ids := map[*result.Case]string{}
	for i := range doc.Cases {
		ids[&doc.Cases[i]] = fmt.Sprintf("case-%d", i+1)
	}
	marks, all := notes.Settle(doubts)
	t.Notes = all
	for i := range t.Groups {
		for j := range t.Groups[i].Rows {
			row := &t.Groups[i].Rows[j]
			row.ID = ids[row.Case]
			row.Notes, marks = marks[0], marks[1:]
		}
	}
	return t
}

func (t *Table) group(doc *result.Document, s *result.Suite) Group {
	cases, total := CasesOf(doc, s.Name)
	columns := column.ColumnsOf(s, cases, memoryFloor(doc.Calibrations, s.Name))
	g := Group{
		Name: s.Name, Package: s.Name, Description: s.Description, File: s.File, Hash: s.Hash,
		Commit: commitText(s.Commit), Against: Against(s.Against,
			cases), Fitness: FitnessOf(s), Clock: clockLines(doc.Calibrations, s.Name), Seconds: Decimals(total),
		Cases: cases,
	}
	for i := range doc.Orders {
		if doc.Orders[i].Suite == s.Name {
			g.Orders = append(g.Orders, &doc.Orders[i])
		}
	}
	if s.Against != nil {
		g.Relaxed = gateChanges(s.Against)
	}
	g.Unaffected = unaffected(cases)
	for _, c := range columns {
		g.Columns = append(g.Columns, c.Column)
	}
	for i, c := range cases {
		row := t.row(doc, c)
		for _, col := range columns {
			row.Cells = append(row.Cells, number.Fitting(col.Cells[i]))
		}
		if row.Flow != nil {
			g.Flows = append(g.Flows, row.Flow)
		}
		g.Rows = append(g.Rows, row)
		c.Forget()
	}
	return g
}

// CasesOf selects the cases of a suite in document order, and adds up the seconds
// spent on them.
func CasesOf(doc *result.Document, suite string) (cases []*result.Case, total float64) {
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Suite == suite {
			cases, total = append(cases, c), total+c.Seconds
		}
	}
	return cases, total
}

// unaffected counts the cases that were skipped because no change affects them, and
// those measured. It is empty if none was skipped.
func unaffected(cases []*result.Case) string {
	left, measured := 0, 0
	for _, c := range cases {
		switch c.Status {
		case result.Unaffected:
			left++
		case result.Measured:
			measured++
		}
	}
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("%d unaffected, %d measured", left, measured)
}

func (t *Table) row(doc *result.Document, c *result.Case) Row {
	r := Row{
		Case: c, Label: doc.Label(c), Name: c.Name, attention: attention(c), judged: isJudged(c),
		NotRun:  c.Status == result.NotRun,
		Seconds: Decimals(c.Seconds), seconds: c.Seconds, Facts: append(Facts(c),
			versusFacts(c)...), Evidence: JoinEvidence(Evidence(c), versusEvidence(c)),
		Pass: pass(c), Place: c.Place.String(), File: c.Place.File, Line: c.Place.Line,
	}
	if r.NotRun || c.Status == result.Failed {
		r.Tone = page.Bad
	}
	if c.Status == result.LeftOut {
		r.Skipped = c.MissingText()
	}
	if c.Pegs != nil {
		f := flow.Of(r.Label, c, flow.Options{})
		r.Flow = &f
	}
	if c.Status == result.Failed {
		f := NewFailure(r.Label, c)
		r.Failure, t.Failures = &f, append(t.Failures, f)
	}
	for i := range c.Gates {
		g := gate(r.Label, c, &c.Gates[i])
		g.Suite = c.Suite
		r.Tone = column.WorseOf(r.Tone, g.Mark.Tone)
		t.Points, t.Unpaired = t.Points || g.Point, t.Unpaired || g.Unpaired
		t.ByInstructions = t.ByInstructions || c.Gates[i].DecidedBy == result.Instructions
		if wantsSides(&c.Gates[i]) && !slices.ContainsFunc(r.Gates, hasSides) { // once is enough
			g.Sides, g.Arcs = movedSides(doc, c), flow.Slower(c)
			g.Case = c
			g.Witness = WitnessOf(c)
		}
		r.Gates = append(r.Gates, g)
		if g.Verdict != string(result.Pass) && r.Failure == nil && !isNew(c, &c.Gates[i]) {
			t.Gates = append(t.Gates, g)
		}
	}
	return r
}

// isNew reports whether a gate is skipped because its case is new, which the row of the case says, and a footnote.
func isNew(c *result.Case, g *result.Gate) bool {
	return g.Verdict == result.NotJudged && g.Cause == result.CauseNoBase &&
		c.Counterpart != nil && c.Counterpart.State == result.CounterpartNew
}

// Parts cuts a suite between cases into parts of at most most gates, or of one case
// that has more. A case without gates counts as one. The name of each part contains
// its number: sort (2 of 3).
func (g *Group) Parts(most int) []Group {
	var cuts []int // index of the first row of each part but the first
	n := 0
	for i := range g.Rows {
		gates := max(1, len(g.Rows[i].Gates))
		n += gates
		if n > most && i > 0 {
			cuts, n = append(cuts, i), gates
		}
	}
	if len(cuts) == 0 {
		return []Group{*g}
	}
	parts, start := make([]Group, 0, len(cuts)+1), 0
	for i, end := range append(cuts, len(g.Rows)) {
		part, total := *g, 0.0
		part.Rows = g.Rows[start:end]
		for _, r := range part.Rows {
			total += r.seconds
		}
		part.Name, part.Seconds = fmt.Sprintf("%s (%d of %d)", g.Name, i+1, len(cuts)+1), Decimals(total)
		parts, start = append(parts, part), end
	}
	return parts
}

// Decimals formats seconds as JUnit requires them: three decimals, no exponent.
func Decimals(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 3, 64) }

// Sources is the head of a table of saved results side by side. Such a table judges
// nothing: it has neither gates nor a verdict.
type Sources struct {
	Title string   // the kind of comparison
	Files []string // A old.json: 2026-11-20 13:20 UTC, machine
}

func hasSides(g Gate) bool { return g.Sides != nil }
