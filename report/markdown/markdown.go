// Package markdown writes a table as a comment for a pull request.
package markdown

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Render writes a comment for a pull request: the verdict, what failed, the cases, and the
// rest folded. It has at most Options.Most bytes, or 65,000 if that is 0, because
// GitHub refuses comments above 65,536 characters. Each list ends with the number of
// rows that did not fit.
func Render(w io.Writer, t *table.Table, o table.Options) error {
	m := &markdown{room: o.Most}
	if m.room <= 0 {
		m.room = mostComment
	}
	end := markdownEnd(t, o)
	m.room -= len(end)
	m.add(heading(t.Outcome))
	for i := range t.Groups {
		m.against(t, &t.Groups[i])
		if f := t.Groups[i].Fitness; f.Unfit {
			m.add("\n**" + mdText(f.Text) + "**\n")
		}
	}
	gates := slices.Clone(t.Gates)
	slices.SortStableFunc(gates, func(a, b table.Gate) int { return cmp.Compare(table.GateRank(&a), table.GateRank(&b)) })
	first := m.firstGates(gates)
	m.list(section{what: "gate", head: gateHead, n: first, row: func(i int) string { return gateRow(&gates[i]) }})
	m.list(section{what: "broken case", head: "\n**Could not be measured**\n\n", n: len(t.Failures),
		row: func(i int) string { return failureItem(&t.Failures[i]) }})
	for i := range t.Groups {
		m.list(caseSection(t, &t.Groups[i]))
		growths := t.Groups[i].Growths
		m.list(section{what: "growth", head: "\n**Growth of the time**\n\n", n: len(growths), row: func(k int) string { return growthItem(&growths[k]) }})
		latencies := t.Groups[i].Latencies
		m.list(section{what: "latency", head: "\n**Latency of single iterations**\n\n", n: len(latencies), row: func(k int) string { return latencyItem(&latencies[k]) }})
		m.profiles(&t.Groups[i])
		m.flows(&t.Groups[i])
	}
	rest := gates[first:]
	m.list(section{what: "gate", head: fmt.Sprintf("\n<details><summary>%s</summary>\n%s", otherGates(len(rest), first), gateHead), foot: "\n</details>\n",
		n: len(rest), row: func(i int) string { return gateRow(&rest[i]) }})
	m.list(section{what: "note", head: "\n<details><summary>Notes</summary>\n\n", foot: "\n</details>\n", n: len(t.Notes),
		row: func(i int) string { return noteItem(&t.Notes[i]) }})
	m.b.WriteString(end)
	_, err := io.WriteString(w, m.b.String())
	return err
}

const gateHead = "\n| | case | gate | why |\n|---|---|---|---|\n"

// firstGates returns how many gates come before the cases: those that fail the run, and others up
// to unfolded gates, in at most half of the room. Of gates, worst first, the others are folded
// after the cases.
func (m *markdown) firstGates(gates []table.Gate) (n int) {
	size := len(gateHead) + 2*noteRoom
	for n < len(gates) && (n < unfolded || gates[n].Fatal) {
		size += len(gateRow(&gates[n]))
		if n > 0 && size > m.room/2 {
			break
		}
		n++
	}
	return n
}

func otherGates(n, before int) string {
	if before == 0 {
		return units.Plural(n, "gate")
	}
	return units.Plural(n, "more gate")
}

// The heading names the first findings; the table below it has all of them.
const (
	mostFindings = 3
	mostFinding  = 100 // columns
)

// heading returns the answer: its sign, the word, and the numbers that it rests on.
func heading(o result.Outcome) string {
	text := o.Text
	if o.CauseFirst {
		var first []string
		for _, finding := range o.Culprits[:min(len(o.Culprits), mostFindings)] {
			first = append(first, display.Shorten(display.Visible(finding), mostFinding))
		}
		text = o.With(first)
	}
	sign := signs[o.Word]
	if o.Word == "PASS" && o.Undecided != "" {
		sign = signs["ACCEPTED"]
	}
	return fmt.Sprintf("### %s %s: %s\n", sign, o.Head(), mdText(text))
}

// against writes what a suite was compared with, and the commit of that.
func (m *markdown) against(t *table.Table, g *table.Group) {
	if len(g.Against) == 0 {
		return
	}
	line := g.Against[0]
	if len(t.Groups) > 1 {
		line = g.Name + ": " + line
	}
	m.add("\n" + mdText(display.Shorten(display.Visible(line), mostText4)) + "\n")
	m.list(section{what: "gate", head: "\n", foot: "", n: len(g.Relaxed), row: func(i int) string {
		return "- " + mdText(display.Shorten(display.Visible(g.Relaxed[i]), mostText4)) + "\n"
	}})
}

// mostComment is below the limit of a comment, because a job may add text around the
// report.
const mostComment = 65000

// signs precede the words of an outcome, in place of colours.
var signs = map[string]string{
	"PASS": "✅", "ACCEPTED": "⚠️", "FAIL": "❌", "INCONCLUSIVE": "❔", "REFUSED": "❌", "UNFIT": "❌", "NOT JUDGED": "❔", "NO GATES": "ℹ️", "EMPTY": "ℹ️",
	"ERROR": "❌", "INTERRUPTED": "❌", "unpaired": "ℹ️",
}

func markdownEnd(t *table.Table, o table.Options) string {
	if t.Beside != nil {
		return "\n<sub>" + mdText(display.Shorten(t.Beside.Title+" · "+strings.Join(t.Beside.Files, " · "), mostText4)) + "</sub>\n" + marker(t)
	}
	facts := slices.Concat([]string{t.Tool}, t.Machine, t.Commits)
	facts = append(facts, t.Started.Format("2006-01-02 15:04 UTC"), "took "+t.Took, "seed "+t.Seed)
	text := ""
	if command := t.Repeat.Command(o); command != "" {
		text = "\nTo repeat it: " + mdCode(command) + "\n"
	}
	if t.Points {
		text += "\n° point: decided on point values alone, not through an interval\n"
	}
	if t.Unpaired {
		text += "\n" + table.TripwireSign + " " + table.TripwireNote + "\n"
	}
	return text + "\n<sub>" + mdText(display.Shorten(strings.Join(facts, " · "), mostText4)) + "</sub>\n" + marker(t)
}

type markdown struct {
	b    strings.Builder
	room int // bytes left
}

// add writes a text if it fits, and reports whether it did.
func (m *markdown) add(s string) bool {
	if len(s) > m.room {
		return false
	}
	m.b.WriteString(s)
	m.room -= len(s)
	return true
}

type section struct {
	what, head, foot string
	n                int
	row              func(int) string
}

// noteRoom is kept free for the number of rows that did not fit, and for the ends of
// sections.
const noteRoom = 200

// list writes the rows that fit, and the number of the others.
func (m *markdown) list(s section) {
	if s.n == 0 {
		return
	}
	if len(s.head)+len(s.foot)+2*noteRoom > m.room {
		m.add(fmt.Sprintf("\n_No room for %s._\n", units.Plural(s.n, s.what)))
		return
	}
	m.add(s.head)
	for i := range s.n {
		row := s.row(i)
		if len(row)+len(s.foot)+2*noteRoom > m.room {
			m.add(fmt.Sprintf("\n_No room for %s more, of %d._\n", units.Plural(s.n-i, s.what), s.n))
			break
		}
		m.add(row)
	}
	m.add(s.foot)
}
