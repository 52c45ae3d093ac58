package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/result"
)

// A report of a thousand cases would hide its verdict. If there are more rows than
// mostUnfolded, Fold keeps the ones that need attention and counts the others. A row that
// nothing has judged is always kept: nobody knows whether it needs attention.
const (
	mostUnfolded = 40 // rows of all suites
	foldedRows   = 12 // rows that are kept of all suites together
	leastRows    = 3  // rows that are kept of each suite
	foldedGates  = 4
	foldedBroken = 3
	mostListed   = 10 // gates, and broken cases
)

// Fold leaves out rows, gates and failures that do not fit on a screen, and records
// how many. It keeps the order of rows that the reader has sorted.
func (t *Table) Fold(sorted bool) {
	rows := 0
	for i := range t.Groups {
		rows += len(t.Groups[i].Rows)
	}
	for i := range t.Groups {
		t.Groups[i].Short = true
		t.Groups[i].foldFlows()
	}
	if rows > mostUnfolded {
		for i := range t.Groups {
			t.Groups[i].fold(max(leastRows, foldedRows/len(t.Groups)), sorted)
		}
	}
	if len(t.Gates) > mostListed {
		slices.SortStableFunc(t.Gates, func(a, b Gate) int { return cmp.Compare(GateRank(&a), GateRank(&b)) })
		t.MoreGates, t.Gates = verdictsOf(t.Gates[foldedGates:]), t.Gates[:foldedGates]
	}
	if n := len(t.Failures); n > mostListed {
		t.MoreFailures, t.Failures = n-foldedBroken, t.Failures[:foldedBroken]
	}
}

// fold keeps the rows that nothing has judged and the most urgent ones of the others, at
// most most of them. If the rows are sorted, it keeps the first of the others.
func (g *Group) fold(most int, sorted bool) {
	rows := slices.Clone(g.Rows)
	if !sorted {
		slices.SortStableFunc(rows, func(a, b Row) int { return MostUrgentFirst(&a, &b) })
	}
	kept, folded := rows[:0:0], rows[:0:0]
	judged := 0
	for _, r := range rows {
		if r.judged {
			judged++
		}
		if r.judged && judged > most {
			folded = append(folded, r)
		} else {
			kept = append(kept, r)
		}
	}
	if len(folded) > 0 {
		g.Rows, g.Folded = kept, verdictsOfRows(folded)
	}
}

// verdictsOf counts gates by verdict: "797 more: 2 fail, 795 inconclusive".
func verdictsOf(gates []Gate) string {
	return tallied(len(gates), func(i int) string { return gates[i].Verdict })
}

func verdictsOfRows(rows []Row) string {
	return tallied(len(rows), func(i int) string { return rows[i].worst() })
}

// tallied counts n words, the worst first.
func tallied(n int, word func(int) string) string {
	numbers := map[string]int{}
	for i := range n {
		numbers[word(i)]++
	}
	var parts []string
	for _, w := range []string{
		"not measured", "fail", "error", "inconclusive", "skipped", "pass", "not run",
		stateMissing, stateMoved, stateStill, "",
	} {
		switch {
		case numbers[w] > 0 && w == "" && len(numbers) > 1:
			parts = append(parts, fmt.Sprintf("%d without gates", numbers[w]))
		case numbers[w] > 0 && w != "":
			parts = append(parts, fmt.Sprintf("%d %s", numbers[w], w))
		}
	}
	text := fmt.Sprintf("%d more", n)
	if len(numbers) == 1 && len(parts) == 1 {
		return text + ", all " + strings.TrimPrefix(parts[0], fmt.Sprint(n)+" ")
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// worst is the word that a folded row is counted under: its state, or the worst
// verdict of its gates, empty if it has none.
func (r *Row) worst() string {
	switch {
	case r.state != "":
		return r.state
	case r.NotRun:
		return "not run"
	case r.Skipped != "":
		return "skipped"
	case r.Failure != nil:
		return "not measured"
	}
	for _, w := range []string{"fail", "error", "inconclusive", "skipped", "pass"} {
		if slices.ContainsFunc(r.Gates, func(g Gate) bool { return g.Verdict == w }) {
			return w
		}
	}
	return ""
}

// GateRank sorts the gates that make the run fail first, and the ones that only warn
// last.
func GateRank(g *Gate) int {
	switch {
	case g.Fatal:
		return 0
	case g.Warn, g.Verdict == string(result.NotJudged):
		return 2
	}
	return 1
}

// foldFlows leaves out all but the first few cases, and all but the longest arcs of each.
func (g *Group) foldFlows() {
	if n := len(g.Flows); n > mostFlows {
		g.MoreFlows, g.Flows = n-mostFlows, g.Flows[:mostFlows]
	}
	for i := range g.Flows {
		g.Flows[i].Fold(mostArcs)
	}
}

// Limits of the flows in a report, so that they do not hide its tables.
const (
	mostArcs  = 12 // of a case
	mostFlows = 4  // cases
)
