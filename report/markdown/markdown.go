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
	"example.com/suite/report/about"
	"example.com/suite/report/page"
	"example.com/suite/report/page/markdown"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// mostComment is below the limit of a comment, because a job may add text around the
// report.
const mostComment = 65000

// Render writes a comment for a pull request: the verdict, what failed, the cases, and the
// rest folded. It has at most Options.Most bytes, or 65,000 if that is 0, because
// GitHub refuses comments above 65,536 characters.
func Render(w io.Writer, t *table.Table, o table.Options) error {
	most := o.Most
	if most <= 0 {
		most = mostComment
	}
	end := markdown.Text(ending(t, o), most) + marker(t)
	report := page.Under(heading(t.Outcome), body(t)...)
	_, err := io.WriteString(w, markdown.Text([]page.Block{report}, most-len(end))+end)
	return err
}

func body(t *table.Table) (blocks []page.Block) {
	add := func(more ...page.Block) { blocks = append(blocks, page.Blocks(more...)...) }
	for i := range t.Groups {
		add(against(t, &t.Groups[i])...)
	}
	first, others := gates(t)
	add(about.GateTable(first))
	add(about.Failures(t)...)
	for i := range t.Groups {
		g := &t.Groups[i]
		add(cases(t, g))
		add(about.Growths(g)...)
		add(about.Latencies(g)...)
		add(profiles(g)...)
		add(flows(g)...)
	}
	if len(others) > 0 {
		what := "gate"
		if len(first) > 0 {
			what = "more gate"
		}
		add(page.Folded(units.Plural(len(others), what), about.GateTable(others)))
	}
	add(page.Folded("Notes", about.Notes(t)...))
	return blocks
}

// unfolded is the number of gates and of cases up to which they are not folded.
const unfolded = 12

// gates returns those that come before the cases, which fail the run or are among the worst, and
// the others.
func gates(t *table.Table) (first, others []table.Gate) {
	all := slices.Clone(t.Gates)
	slices.SortStableFunc(all, func(a, b table.Gate) int { return cmp.Compare(table.GateRank(&a), table.GateRank(&b)) })
	n := 0
	for n < len(all) && (n < unfolded || all[n].Fatal) {
		n++
	}
	return all[:n], all[n:]
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
			first = append(first, display.Shorten(finding, mostFinding))
		}
		text = o.With(first)
	}
	sign := signs[o.Word]
	if o.Word == "PASS" && o.Undecided != "" {
		sign = signs["ACCEPTED"]
	}
	return fmt.Sprintf("%s %s: %s", sign, o.Head(), text)
}

// signs precede the words of an outcome, in place of colours.
var signs = map[string]string{
	"PASS": "✅", "ACCEPTED": "⚠️", "FAIL": "❌", "INCONCLUSIVE": "❔", "REFUSED": "❌", "UNFIT": "❌", "NOT JUDGED": "❔",
	"NO GATES": "ℹ️",
	"EMPTY":    "ℹ️",
	"ERROR":    "❌", "INTERRUPTED": "❌", "unpaired": "ℹ️",
}

// against is what a suite was compared with, the gates that this tree relaxed, and whether the
// machine can judge.
func against(t *table.Table, g *table.Group) (blocks []page.Block) {
	if len(g.Against) > 0 {
		line := g.Against[0]
		if len(t.Groups) > 1 {
			line = g.Name + ": " + line
		}
		blocks = append(blocks, page.Paragraph{page.Text(line)}, page.Items(g.Relaxed...))
	}
	if g.Fitness.Unfit {
		blocks = append(blocks, page.Paragraph{page.Toned(page.Bad, g.Fitness.Text)})
	}
	return blocks
}

// A comment has no room for more columns than mostColumns, and none for columns worth less
// than leastWorth: those are about how the case was measured.
const (
	mostColumns = 7
	leastWorth  = 40
)

// cases is the table of a suite. It is folded if there is another, or if it is long.
func cases(t *table.Table, g *table.Group) page.Block {
	title := g.Name
	if g.Description != "" {
		title += ": " + strings.Join(strings.Fields(g.Description), " ")
	}
	title += " (" + units.Plural(len(g.Rows), "case") + ")"
	all := about.Cases(g)
	var columns []int
	for j := 1; j < len(all.Columns); j++ {
		if all.Columns[j].Worth >= leastWorth {
			columns = append(columns, j)
		}
	}
	slices.SortStableFunc(columns, func(a, b int) int {
		return cmp.Compare(all.Columns[b].Worth, all.Columns[a].Worth)
	})
	columns = append(columns[:min(len(columns), mostColumns)], 0)
	slices.Sort(columns)
	all.Keep(columns)
	if len(t.Groups) == 1 && len(g.Rows) <= unfolded {
		return page.Under(title, all)
	}
	return page.Folded(title, all)
}

// Limits of the profiles and pegs in a comment, which is read with a change; the page has all of
// them.
const (
	mostProfiled = 6  // cases
	mostFlows    = 12 // cases
	mostArcs     = 40 // of each
)

func profiles(g *table.Group) (blocks []page.Block) {
	n := 0
	for i := range g.Rows {
		r := &g.Rows[i]
		if r.Case == nil || r.Case.Profiling == nil {
			continue
		}
		if n++; n <= mostProfiled && len(r.Case.Profiling.Profiles) > 0 {
			blocks = append(blocks,
				page.Folded("Which functions cost more: "+r.Label, page.Blocks(about.Profiles(r.Case)...)...))
		}
	}
	if rest := n - mostProfiled; rest > 0 {
		blocks = append(blocks, page.Paragraph{page.Say("%s more with profiles.", units.Plural(rest, "case"))})
	}
	return blocks
}

func flows(g *table.Group) (blocks []page.Block) {
	for i := range g.Flows[:min(len(g.Flows), mostFlows)] {
		f := *g.Flows[i]
		f.Fold(mostArcs)
		inner := append([]page.Block{page.Paragraph{page.Text(f.About)}}, about.Flow(&f).Blocks...)
		blocks = append(blocks, page.Folded("Where the time goes: "+f.Case, inner...))
	}
	if rest := len(g.Flows) - mostFlows; rest > 0 {
		blocks = append(blocks, page.Paragraph{page.Say("%s more with pegs.", units.Plural(rest, "case"))})
	}
	return blocks
}

// ending is how to repeat the run, and what it was.
func ending(t *table.Table, o table.Options) []page.Block {
	if t.Sources != nil {
		return []page.Block{append(page.Brief{t.Sources.Title}, t.Sources.Files...)}
	}
	var repeat page.Paragraph
	if command := t.Repeat.Command(o); command != "" {
		repeat = page.Paragraph{page.Text("To repeat it: ").With(command)}
	}
	origin := about.Origin(t)
	return page.Blocks(repeat, slices.Concat(origin[:1], t.Machine, t.Commits, origin[1:]))
}
