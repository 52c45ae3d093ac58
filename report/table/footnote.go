package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// gathered is one kind of doubt with all that was said of it.
type gathered struct {
	code     result.WarningCode
	hint     string
	labels   []string
	messages []result.Sentence // of the case with the label
}

// causes gives for a kind of doubt those that it follows from: whoever is told that a
// case was disturbed need not be told of its outliers.
var causes = map[result.WarningCode][]result.WarningCode{
	"stolen": {"disturbed"}, "outliers": {"disturbed", "stopped", "gc-mixed", "stolen"}, "slowest": {"disturbed", "stopped"}, "few-samples": {"cut-short"},
}

func follows(code result.WarningCode, all []result.Warning) bool {
	return slices.ContainsFunc(all, func(w result.Warning) bool { return slices.Contains(causes[code], w.Code) })
}

// mostMarks is how many footnotes a row refers to: more are read by nobody, and
// suite explain tells them.
const mostMarks = 3

// minor are the kinds that give way to others where a row has more, the least first.
var minor = []result.WarningCode{"slowest", "outliers", "stolen", "drift", "set-aside", "loop-cost", "retried", "multiplexed"}

// general are the kinds that come from the machine or from the settings. Where more than
// half of the cases have one it says nothing about a row.
var general = []result.WarningCode{"disturbed", "stolen", "outliers", "slowest", "drift", "single-pass", "set-aside", "cut-short", "few-samples"}

// settle numbers the footnotes in the order in which rows refer to them. Those that are
// general stand by themselves.
func (ns *notes) settle(t *Table) {
	numbers, next := map[int]int{}, 1
	shared := make([]bool, len(ns.found))
	for k := range shared {
		shared[k] = ns.isGeneral(k)
	}
	for i := range t.Groups {
		for j := range t.Groups[i].Rows {
			r := &t.Groups[i].Rows[j]
			kinds := slices.DeleteFunc(r.kinds, func(k int) bool { return shared[k] })
			slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(ns.weight(b), ns.weight(a)) })
			kinds = kinds[:min(len(kinds), mostMarks)]
			slices.Sort(kinds)
			for _, k := range kinds {
				if numbers[k] == 0 {
					numbers[k], next = next, next+1
				}
				r.Notes = append(r.Notes, numbers[k])
			}
			slices.Sort(r.Notes)
		}
	}
	t.Notes = ns.finished(numbers)
}

// isGeneral needs four cases: with fewer a mark is no burden.
func (ns *notes) isGeneral(kind int) bool {
	n, code, total := ns.found[kind].cases(), ns.found[kind].code, len(ns.doc.Cases)
	if n == total && code != "killed" { // whose mark belongs to the number
		return n >= MostNamed
	}
	return n >= MostNamed && 2*n > total && slices.Contains(general, code)
}

func (ns *notes) weight(kind int) int {
	if i := slices.Index(minor, ns.found[kind].code); i >= 0 {
		return i
	}
	return len(minor)
}

// finished gives the footnotes in order; those without a number come last. A hint
// that several share is given once.
func (ns *notes) finished(numbers map[int]int) []Note {
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

// MostNamed is how many cases a footnote names before it counts the rest, and how many
// items it has.
const MostNamed = 4

func (g *gathered) note(total int) Note {
	patterns := g.patterns()
	if len(patterns) == 1 && patterns[0].isOne() {
		return Note{Text: g.who(total) + ": " + merged(g.messages)}
	}
	title := strings.ReplaceAll(string(g.code), "-", " ")
	n, told := Note{Text: title + ", " + units.Plural(g.cases(), "case") + ":"}, 0
	for _, p := range patterns {
		for _, item := range p.items(total) {
			if len(n.Items) == MostNamed {
				break
			}
			n.Items = append(n.Items, item.who+": "+strings.TrimPrefix(item.message, title+": ")) // what the title says is not said again
			told += item.n
		}
	}
	if rest := len(g.labels) - told; rest > 0 {
		n.Items = append(n.Items, fmt.Sprintf("and %d more", rest))
	}
	return n
}

// patterns cuts what was said into messages that differ in numbers alone, those of the
// most cases first.
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

// isOne says that messages are told in one: they are alike, or so many that the number
// of each is of no use.
func (g *gathered) isOne() bool {
	return g.cases() > 2 || !slices.ContainsFunc(g.messages, func(m result.Sentence) bool { return m.Text != g.messages[0].Text })
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

// cases counts those that it concerns: one may have two doubts of a kind.
func (g *gathered) cases() int { return len(g.distinct()) }

func (g *gathered) distinct() []string {
	labels := slices.Clone(g.labels)
	slices.Sort(labels)
	return slices.Compact(labels)
}

// shortList is how many columns names of cases may take before they are counted.
const shortList = 40

// who names the cases, or says how many of all they are.
func (g *gathered) who(total int) string {
	labels := g.labels
	if len(labels) > 1 {
		labels = slices.Compact(slices.Clone(g.labels))
	}
	n := g.cases()
	switch names := strings.Join(labels, ", "); {
	case n == 1, n == 2, n <= MostNamed && display.Width(names) <= shortList:
		return names
	case n == total:
		return fmt.Sprintf("all %d cases", n)
	}
	return fmt.Sprintf("%d of %d cases", n, total)
}
