package markdown

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/page/markdown"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderComment writes what a reader of a pull request wants to know, and no more: the verdict, the cases that changed
// or failed, the worst first, how many did not, and how far this machine can be trusted. suite push posts it.
// Options.Report and Options.Job are where its links lead to.
func RenderComment(w io.Writer, doc *result.Document, o table.Options) error {
	t := table.NewTable(doc)
	end := runMark(t) + marker(t)
	report := page.Under(heading(t.Outcome), comment(t, o)...)
	_, err := io.WriteString(w, markdown.Text([]page.Block{report}, mostComment-len(end))+end)
	return err
}

// mostChanged is the number of cases that a comment has a row for.
const mostChanged = 20

func comment(t *table.Table, o table.Options) (blocks []page.Block) {
	add := func(more ...page.Block) { blocks = append(blocks, page.Blocks(more...)...) }
	for i := range t.Groups {
		add(against(t, &t.Groups[i])...)
	}
	all, rest := sorted(t)
	add(changedTable(all[:min(len(all), mostChanged)], o))
	add(page.Paragraph{page.Text(restText(all[min(len(all), mostChanged):], rest))})
	for i := range t.Groups {
		if f := t.Groups[i].Fitness; f.Text != "" && !f.Unfit {
			add(page.Paragraph{page.Toned(page.Faint, f.Text)})
		}
	}
	if command := t.Repeat.Command(o); command != "" {
		add(page.Paragraph{page.Text("To repeat it: ").With(command)})
	}
	add(
		links(o),
		page.Brief(slices.Concat(t.Machine, t.Commits, []string{t.Started.UTC().Format("2006-01-02 15:04 UTC")})),
	)
	return blocks
}

// changed is a case of the table.
type changed struct {
	row   *table.Row
	texts [3]string // base → head, or the value if nothing was compared; change, why
	pairs bool      // it was compared with a base
}

// sorted divides the cases into those that changed or failed, the worst first, and the names of the others by their
// kind.
func sorted(t *table.Table) (all []changed, rest map[string][]string) {
	rest = map[string][]string{}
	for i := range t.Groups {
		for j := range t.Groups[i].Rows {
			row := &t.Groups[i].Rows[j]
			if row.Case == nil {
				continue
			}
			if c, ok := changeOf(row); ok {
				all = append(all, c)
			} else {
				kind := unchanged(row)
				rest[kind] = append(rest[kind], row.Label)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b changed) int { return table.MostUrgentFirst(a.row, b.row) })
	return all, rest
}

// changeOf describes a case that failed or changed, and reports false for all others.
func changeOf(row *table.Row) (changed, bool) {
	one := changed{row: row}
	if f := row.Failure; f != nil {
		one.texts = [3]string{"", f.Title, f.Message}
		return one, true
	}
	fatal := slices.IndexFunc(row.Gates, func(g table.Gate) bool { return g.Fatal })
	o := table.Moved(row.Case)
	if fatal < 0 && o == nil {
		return one, false
	}
	if fatal >= 0 && (o == nil || o.Change != result.Worse) { // what got better is no reason to fail
		g := &row.Gates[fatal]
		one.texts = [3]string{strings.Join(g.Values, "; "), g.Verdict, g.Reason}
		return one, true
	}
	one.pairs = true
	one.texts = [3]string{
		sidesText(row.Case, o),
		strings.TrimSpace(number.Change(o) + " " + number.SpreadText(o)),
		why(row),
	}
	return one, true
}

func sidesText(c *result.Case, o *result.Comparison) string {
	text := units.Format(o.Base, o.Unit) + " → " + units.Format(o.Candidate, o.Unit)
	if o.Metric != c.MainMetric() || o.Metric != "time" {
		text = o.Metric + " " + text
	}
	return text
}

// why is where a change comes from: what the code does, and how the case reaches what was changed.
func why(row *table.Row) string {
	texts := []string{table.WitnessOf(row.Case)}
	for i := range row.Gates {
		if s := row.Gates[i].Sides; s != nil && s.Hint != "" {
			texts = append(texts, s.Hint)
			break
		}
	}
	if c := row.Case.Counterpart; c != nil && c.Evidence != nil {
		texts = append(texts, c.Evidence.String())
	}
	return strings.Join(table.NotEmpty(texts), "; ")
}

// unchanged is the kind of a case that has no row.
func unchanged(row *table.Row) string {
	c, o := row.Case, row.Case.MainComparison()
	open := slices.ContainsFunc(row.Gates, func(g table.Gate) bool { return g.Verdict == string(result.Inconclusive) })
	switch {
	case row.NotRun:
		return "not run"
	case row.Skipped != "":
		return "skipped"
	case c.Counterpart.IsUnaffected() && c.Counterpart.Rule == result.CannotReach:
		return "cannot reach the change"
	case c.Counterpart.IsUnaffected() && c.Counterpart.Rule == result.DidNotExecute:
		return "did not execute it"
	case c.Counterpart.IsUnaffected():
		return "unaffected"
	case o != nil && o.Change == result.Same:
		return "the same"
	case open, o != nil && len(row.Gates) == 0:
		return undecided
	case len(row.Gates) == 0:
		return "without a gate"
	case slices.ContainsFunc(row.Gates, func(g table.Gate) bool { return g.Term != "" }):
		return "accepted"
	case slices.ContainsFunc(row.Gates, func(g table.Gate) bool { return g.Verdict == string(result.Fail) }):
		return "warned"
	}
	return "pass"
}

// kinds is the order in which the kinds of unchanged cases are counted.
var kinds = []string{
	"cannot reach the change",
	"did not execute it",
	"unaffected",
	"the same",
	"pass",
	"accepted",
	"warned",
	"without a gate",
	undecided,
	"skipped",
	"not run",
}

// Undecided cases are the only ones that a reader may have to look at, so that some are named.
const (
	undecided     = "undecided"
	mostUndecided = 3
)

// restText counts the cases without a row: "12 more changed, 37 cannot reach the change, 4 the same, 1 undecided
// (parse)".
func restText(more []changed, rest map[string][]string) string {
	var texts []string
	if len(more) > 0 {
		texts = append(texts, fmt.Sprintf("%d more failed or changed", len(more)))
	}
	for _, kind := range kinds {
		n := len(rest[kind])
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", n, kind)
		if kind == undecided {
			text += " (" + units.List(rest[kind], mostUndecided) + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func changedTable(all []changed, o table.Options) *page.Table {
	heads := []string{"case", "base → head", "change", "why"}
	if !slices.ContainsFunc(all, func(c changed) bool { return c.pairs }) {
		heads[1], heads[2] = "value", "verdict"
	}
	t := &page.Table{Columns: page.Heads(heads...)}
	t.Columns[0].Code = true
	t.Columns[1].Align, t.Columns[2].Align = page.Right, page.Right
	for _, c := range all {
		t.Add(c.row.Label, c.texts[0], c.texts[1], c.texts[2])
		if o.Report != "" {
			t.Rows[len(t.Rows)-1][0].To = o.Report + "#" + c.row.ID
		}
	}
	return t
}

func links(o table.Options) page.Block {
	var line page.Line
	for _, to := range []struct{ text, address string }{{"report", o.Report}, {"job", o.Job}} {
		if to.address == "" {
			continue
		}
		if len(line) > 0 {
			line = append(line, page.Span{Text: " · "})
		}
		line = append(line, page.Span{Text: to.text, To: to.address})
	}
	if len(line) == 0 {
		return page.Paragraph{}
	}
	return page.Paragraph{line}
}

// runMark tells suite push which of two reports of a suite is newer. Nobody sees it.
func runMark(t *table.Table) string {
	return "\n<!-- suite run: " + t.Started.UTC().Format("2006-01-02T15:04:05Z") + " -->"
}
