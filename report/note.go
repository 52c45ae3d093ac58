package report

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/result"
)

// Note is a footnote: one kind of doubt, with the cases that it concerns.
type Note struct {
	Number int // from 1; 0 for a doubt about the whole run
	Text   string
	Items  []string // "case: message", where the cases differ
	Hint   string
}

// notes gathers the warnings of all cases by kind, so that two hundred cases
// with one trouble make one footnote.
type notes struct {
	doc     *result.Document
	usual   map[string]timing // of each suite
	bases   map[string]string // of each suite the one that its heading names
	numbers map[string]int    // by code
	found   []gathered
}

type gathered struct {
	code, hint string
	labels     []string
	messages   []string // beside labels
}

func newNotes(doc *result.Document) *notes {
	return &notes{doc: doc, usual: usualTimings(doc), bases: sharedBases(doc), numbers: map[string]int{}}
}

// of files the warnings of a case and gives their numbers.
func (ns *notes) of(c *result.Case) []int {
	var numbers []int
	seen := map[int]bool{}
	for _, w := range slices.Concat(own(c), ns.timedBy(c), ns.comparedWith(c), c.Warnings) {
		if w.Code == "few-samples" && isOnce(c) {
			continue // one is what was asked for
		}
		n := ns.number(w)
		g := &ns.found[n-1]
		g.labels, g.messages = append(g.labels, ns.doc.Label(c)), append(g.messages, w.Message)
		if !seen[n] {
			seen[n], numbers = true, append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

func (ns *notes) number(w result.Warning) int {
	if n, ok := ns.numbers[w.Code]; ok {
		return n
	}
	ns.found = append(ns.found, gathered{code: w.Code, hint: w.Hint})
	ns.numbers[w.Code] = len(ns.found)
	return len(ns.found)
}

// own is what the numbers of a case say by themselves: that it is below
// resolution, how much of it may be the loop, that it has no interval, what was
// left out or is an estimate.
func own(c *result.Case) []result.Warning {
	s := measured(c, "time")
	var ws []result.Warning
	add := func(when bool, code, format string, args ...any) {
		if when && !warned(c, code) {
			ws = append(ws, result.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
		}
	}
	if s == nil {
		return nil
	}
	loop := c.LoopCost + c.LoopError
	add(s.Bound != nil, "below-resolution", "below resolution: not told apart from an empty loop, which takes %s",
		result.Format(loop, "s")+perUnit(c))
	add(s.Bound == nil && c.Kind == result.KindGo && loop > s.Median/10, "loop-cost", "of which loop ≤ %s", loopText(c))
	add(isOnce(c), "single-pass", "measured in a single pass: one number has no interval")
	add(s.Low == nil && s.Bound == nil && !s.Exact && !isOnce(c), "few-samples", "no interval, because there are too few samples for one (n = %d)", s.N)
	if len(c.Samples.Censored) > 0 {
		add(true, "killed", "%s", killedText(c))
	}
	add(c.Void > 0, "void", "%s", voidText(c))
	add(c.Retried > 0, "retried", "run again because a reading of the counter was disturbed: %d of %d batches", c.Retried, c.Retried+int64(c.Samples.Count()))
	if c.Multiplexed != nil {
		add(*c.Multiplexed < 1, "multiplexed", "the counters were on the hardware for %s of the time: counts are estimates", whole(*c.Multiplexed))
	}
	return ws
}

func loopText(c *result.Case) string {
	text := result.Format(c.LoopCost+c.LoopError, "s") + perUnit(c)
	if c.LoopCount == nil {
		return text
	}
	most := result.Format(c.LoopCount.Value+c.LoopCount.Error, "")
	for _, unit := range []string{"ticks", "cycles"} {
		if measured(c, unit) != nil {
			return text + ", " + most + " " + unit + perUnit(c)
		}
	}
	return text
}

// voidText counts iterations, or runs of a command, those before the first
// sample left aside.
func voidText(c *result.Case) string {
	what := "iterations"
	if c.Kind != result.KindGo {
		what = "runs"
	}
	counted := int64(c.Samples.Count()) * max(1, c.Iterations)
	return fmt.Sprintf("%d of %d %s were declared void and left out", c.Void, c.Void+counted, what)
}

func warned(c *result.Case, code string) bool {
	for _, w := range c.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// few is how many cases a footnote names before it counts the rest.
const few = 4

// finished gives the footnotes in order; those of the whole run come last.
func (ns *notes) finished() []Note {
	var out []Note
	for i, g := range ns.found {
		n := g.note()
		n.Number, n.Hint = i+1, g.hint
		out = append(out, n)
	}
	for _, w := range ns.doc.Warnings {
		out = append(out, Note{Text: w.Message, Hint: w.Hint})
	}
	return out
}

func (g *gathered) note() Note {
	if len(g.labels) == 1 || g.alike() {
		return Note{Text: list(g.labels) + ": " + g.messages[0]}
	}
	title := strings.ReplaceAll(g.code, "-", " ")
	n := Note{Text: title + ", " + g.cases() + ":"}
	for i := range min(few, len(g.labels)) { // what the title says is not said again
		n.Items = append(n.Items, g.labels[i]+": "+strings.TrimPrefix(g.messages[i], title+": "))
	}
	if rest := len(g.labels) - few; rest > 0 {
		n.Items = append(n.Items, fmt.Sprintf("and %d more", rest))
	}
	return n
}

// cases counts those that it concerns: one may have two doubts of a kind.
func (g *gathered) cases() string {
	labels := slices.Clone(g.labels)
	slices.Sort(labels)
	if n := len(slices.Compact(labels)); n > 1 {
		return fmt.Sprintf("%d cases", n)
	}
	return "1 case"
}

func (g *gathered) alike() bool {
	for _, m := range g.messages {
		if m != g.messages[0] {
			return false
		}
	}
	return true
}

// list names the first few: "a, b, c, d and 8 more".
func list(labels []string) string {
	rest := len(labels) - few
	if rest <= 0 {
		return strings.Join(labels, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(labels[:few], ", "), rest)
}
