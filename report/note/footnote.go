package note

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// gathered is one kind of doubt with all its messages.
type gathered struct {
	code     result.WarningCode
	hint     string
	labels   []string
	messages []result.Sentence // in the order of labels
}

// causes maps a kind of doubt to the kinds that it follows from. Once a footnote
// reports that a case was disturbed, one about its outliers adds nothing.
var causes = map[result.WarningCode][]result.WarningCode{
	result.WarnStolen:     {result.WarnDisturbed},
	result.WarnOutliers:   {result.WarnDisturbed, result.WarnStopped, result.WarnGCMixed, result.WarnStolen},
	result.WarnSlowest:    {result.WarnDisturbed, result.WarnStopped},
	result.WarnFewSamples: {result.WarnCutShort},
}

func follows(code result.WarningCode, all []result.Warning) bool {
	return slices.ContainsFunc(all, func(w result.Warning) bool { return slices.Contains(causes[code], w.Code) })
}

// MostMarks is how many footnotes a row refers to: nobody reads more, and suite
// explain prints all of them.
const MostMarks = 3

// minor lists the kinds that are left out if a row has more than mostMarks, the least
// important first.
var minor = []result.WarningCode{
	result.WarnNoInstructions, result.WarnSlowest, result.WarnOutliers, result.WarnStolen, result.WarnDrift,
	result.WarnSetAside, result.WarnLoopCost, result.WarnRetried, result.WarnMultiplexed,
}

// noise lists the kinds of disturbance that verdicts already take into account: a case that passed
// is no less fine because of them.
var noise = []result.WarningCode{
	result.WarnDisturbed, result.WarnStopped, result.WarnStolen, result.WarnOutliers,
	result.WarnSlowest, result.WarnDrift,
	result.WarnGCMixed,
	result.WarnRetried, result.WarnSetAside, result.WarnLayouts, result.WarnCollections,
	result.WarnFixedLayout, result.WarnOldFile, result.WarnKeptFiles, result.WarnNoInstructions,
}

// background lists the kinds that help nobody decide what to do about a verdict.
var background = []result.WarningCode{result.WarnSetAside, result.WarnRetried, result.WarnFixedLayout,
	result.WarnOldFile, result.WarnKeptFiles, result.WarnNoInstructions}

// isIdle reports whether a footnote about a case gives its reader nothing to do and changes
// the meaning of no number. What nothing has judged keeps all of its footnotes.
func isIdle(code result.WarningCode, c *result.Case) bool {
	if len(c.Gates) == 0 && len(c.Comparisons) == 0 {
		return false
	}
	return slices.Contains(background, code) || isFine(c) && slices.Contains(noise, code)
}

// isFine reports whether a case was measured, its gates passed, and its time is not unclear
// or worse.
func isFine(c *result.Case) bool {
	o := c.MainComparison()
	return c.Status == result.Measured && (o == nil || o.Change == result.Same || o.Change == result.Better) &&
		!slices.ContainsFunc(c.Gates, func(g result.Gate) bool { return g.Verdict != result.Pass })
}

// general lists the kinds that come from the machine or from the settings. If more
// than half of the cases have one, its mark would not distinguish a row from others.
var general = []result.WarningCode{
	result.WarnDisturbed, result.WarnStolen, result.WarnOutliers, result.WarnSlowest, result.WarnDrift,
	result.WarnSinglePass, result.WarnSetAside, result.WarnCutShort, result.WarnFewSamples, result.WarnCallgrind,
}

// Settle numbers the footnotes in the order in which rows refer to them, and returns the numbers of
// each row, given the kinds of its doubts. General footnotes have no number, and no row refers to them.
func (ns *Notes) Settle(rows [][]int) (marks [][]int, all []Note) {
	numbers, next := map[int]int{}, 1
	shared := make([]bool, len(ns.found))
	for k := range shared {
		shared[k] = ns.isGeneral(k)
	}
	marks = make([][]int, len(rows))
	for i, kinds := range rows {
		kinds = slices.DeleteFunc(kinds, func(k int) bool { return shared[k] })
		slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(ns.weight(b), ns.weight(a)) })
		kinds = kinds[:min(len(kinds), MostMarks)]
		slices.Sort(kinds)
		for _, k := range kinds {
			if numbers[k] == 0 {
				numbers[k], next = next, next+1
			}
			marks[i] = append(marks[i], numbers[k])
		}
		slices.Sort(marks[i])
	}
	return marks, ns.finished(numbers)
}

// isGeneral reports whether a footnote is about the run and not about single cases.
// It takes at least four cases: with fewer, marks do not clutter the table.
func (ns *Notes) isGeneral(kind int) bool {
	n := ns.found[kind].cases()
	code := ns.found[kind].code
	total := len(ns.doc.Cases)
	if n == total && code != result.WarnKilled { // a bound needs its mark in every row
		return n >= number.MostNamed
	}
	return n >= number.MostNamed && 2*n > total && slices.Contains(general, code)
}

func (ns *Notes) weight(kind int) int {
	if i := slices.Index(minor, ns.found[kind].code); i >= 0 {
		return i
	}
	return len(minor)
}

// finished sorts the footnotes by number, those without one last. If several share a
// hint, only the last keeps it.
func (ns *Notes) finished(numbers map[int]int) []Note {
	out, hinted := make([]Note, 0, len(ns.found)), map[string]bool{}
	for k := range ns.found {
		n := ns.found[k].note(len(ns.doc.Cases))
		n.Number, n.Hint = numbers[k], ns.found[k].hint
		out = append(out, n)
	}
	for _, w := range ns.doc.Warnings {
		out = append(out, Note{Text: w.Message, Hint: w.Hint})
	}
	slices.SortStableFunc(out, func(a, b Note) int { return cmp.Compare(uint(a.Number-1), uint(b.Number-1)) })
	for i := len(out) - 1; i >= 0; i-- {
		if hinted[out[i].Hint] {
			out[i].Hint = ""
		}
		hinted[out[i].Hint] = true
	}
	return out
}

func (g *gathered) note(total int) Note {
	patterns := g.patterns()
	if len(patterns) == 1 && patterns[0].isOne() {
		return Note{Text: g.who(total) + ": " + merged(g.messages)}
	}
	title := strings.ReplaceAll(string(g.code), "-", " ")
	n, shown := Note{Text: title + ", " + units.Plural(g.cases(), "case") + ":"}, 0
	for _, p := range patterns {
		for _, item := range p.items(total) {
			if len(n.Items) == number.MostNamed {
				break
			}
			// the title is printed once
			n.Items = append(n.Items, item.who+": "+strings.TrimPrefix(item.message, title+": "))
			shown += item.n
		}
	}
	if rest := len(g.labels) - shown; rest > 0 {
		n.Items = append(n.Items, fmt.Sprintf("and %d more", rest))
	}
	return n
}

// patterns groups messages that differ only in their numbers, the largest group
// first.
func (g *gathered) patterns() []*gathered {
	var out []*gathered
	at := map[string]*gathered{}
	for i, m := range g.messages {
		key := patternOf(m)
		if at[key] == nil {
			at[key] = &gathered{code: g.code}
			out = append(out, at[key])
		}
		p := at[key]
		p.labels, p.messages = append(p.labels, g.labels[i]), append(p.messages, m)
	}
	slices.SortStableFunc(out, func(a, b *gathered) int { return cmp.Compare(len(b.labels), len(a.labels)) })
	return out
}

// isOne reports whether one sentence can replace all messages: they are alike, or
// they concern more than two cases, too many to print the numbers of each.
func (g *gathered) isOne() bool {
	return g.cases() > 2 ||
		!slices.ContainsFunc(g.messages, func(m result.Sentence) bool { return m.Text != g.messages[0].Text })
}

type item struct {
	who, message string
	n            int
}

func (g *gathered) items(total int) (out []item) {
	if g.isOne() {
		return []item{{g.who(total), merged(g.messages), len(g.labels)}}
	}
	for i, m := range g.messages {
		out = append(out, item{g.labels[i], m.Text, 1})
	}
	return out
}

// cases counts labels once: a case may have two doubts of one kind.
func (g *gathered) cases() int { return len(g.distinct()) }

func (g *gathered) distinct() []string {
	labels := slices.Clone(g.labels)
	slices.Sort(labels)
	return slices.Compact(labels)
}

// shortList is how many columns names of cases may take before they are counted.
const shortList = 40

// who names the cases, or counts them if the names are too long.
func (g *gathered) who(total int) string {
	labels := g.labels
	if len(labels) > 1 {
		labels = slices.Compact(slices.Clone(g.labels))
	}
	n := g.cases()
	switch names := strings.Join(labels, ", "); {
	case n == 1, n == 2, n <= number.MostNamed && display.Width(names) <= shortList:
		return names
	case n == total:
		return fmt.Sprintf("all %d cases", n)
	}
	return fmt.Sprintf("%d of %d cases", n, total)
}
