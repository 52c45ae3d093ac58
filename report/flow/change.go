package flow

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

const (
	mostRisen  = 3   // arcs that are named at most
	leastShare = 0.1 // of the difference; one arc is named whatever its share
)

// Slower has a line for each arc that took longer than in the base, and a last
// one that reminds of their origin: one pass of each side. It is nil if the case or
// its base has no pegs.
func Slower(c *result.Case) []string {
	if c.Pegs == nil || c.BasePegs == nil || c.Pegs.Iterations < 1 || c.BasePegs.Iterations < 1 {
		return nil
	}
	if c.PegPairs != nil {
		return shownArcs(c)
	}
	passes := fmt.Sprintf("%s with pegs took %s, in the base %s (one pass of each, not judged)",
		turn(c), EachTime(arcs.PerIteration(c.Pegs)), EachTime(arcs.PerIteration(c.BasePegs)))
	if arcs.Rise(c.BasePegs, c.Pegs) <= 0 {
		return []string{"pegs do not show it: " + passes}
	}
	changes := risen(c.BasePegs, c.Pegs)
	if len(changes) == 0 {
		return []string{"no arc took longer: " + passes}
	}
	var lines []string
	for i := range changes {
		lines = append(lines, risenText(&changes[i], turn(c)))
	}
	return append(lines, "(one pass of each with pegs, not judged)")
}

// ArcsInOneLine joins the lines of Slower. The last one may be in brackets.
func ArcsInOneLine(lines []string) string {
	if n := len(lines) - 1; n > 0 && strings.HasPrefix(lines[n], "(") {
		return strings.Join(lines[:n], "; ") + " " + lines[n]
	}
	return strings.Join(lines, "; ")
}

// turn is what a pass repeats.
func turn(c *result.Case) string {
	if c.Kind == result.KindCommand || c.Kind == result.KindShell {
		return "a run"
	}
	return "an iteration"
}

// risen are the arcs that cause most of the difference, at most 3. Directed arcs and
// spans contain other arcs and are less specific, so they are left out if any plain
// arc has a tenth of the difference.
func risen(base, own *result.Pegs) (some []arcs.Change) {
	all := slices.DeleteFunc(arcs.Changes(base, own), func(c arcs.Change) bool {
		return c.Difference <= 0 || isWithinResidue(&c)
	})
	holds := func(c arcs.Change) bool { return c.Kind != result.ArcNext }
	if slices.ContainsFunc(all, func(c arcs.Change) bool { return !holds(c) && c.Share >= leastShare }) {
		all = slices.DeleteFunc(all, holds)
	}
	for i, c := range all {
		if i == mostRisen || i > 0 && c.Share < leastShare {
			break
		}
		some = append(some, c)
	}
	return some
}

// isWithinResidue reports whether an arc differs by no more than arcs with nothing in them
// may differ.
func isWithinResidue(c *arcs.Change) bool {
	return max(c.Difference, -c.Difference) <= c.Residue
}

func risenText(c *arcs.Change, turn string) string {
	text := fmt.Sprintf("%s: %s %s, in the base %s",
		arcName(c.From, c.To, c.Kind), EachTime(c.Candidate), turn, EachTime(c.Base))
	times, before := units.Amount(c.Hits, 0, units.Count), units.Amount(c.BaseHits, 0, units.Count)
	if c.NewlyThere {
		text = fmt.Sprintf("%s is new: %s %s", arcName(c.From, c.To, c.Kind), EachTime(c.Candidate), turn)
	} else if times != before {
		text += fmt.Sprintf(", %s times instead of %s", times, before)
	}
	return text + "; " + partOf(c.Share)
}

// partOf is an arc's share of the difference. It may be more than all: lanes that run
// at the same time count each, and other arcs may have become faster.
func partOf(share float64) string {
	if share > 1.005 {
		return "more than all of the difference"
	}
	return units.Whole(share) + " of the difference"
}

func EachTime(seconds float64) string { return units.Amount(seconds, 0, units.Time) }

func arcName(from, to string, kind result.ArcKind) string {
	switch {
	case kind == result.ArcSpan && from == arcs.Outermost:
		return "span " + to
	case kind == result.ArcSpan:
		return "span " + to + " in " + from
	case kind == result.ArcDirected:
		return "arc " + from + " → " + to + " (directed)"
	}
	return "arc " + from + " → " + to
}

// SlowerArcs are the lines of Slower without the last one in brackets: suite
// explain has its own.
func SlowerArcs(c *result.Case) []string {
	lines := Slower(c)
	if n := len(lines); n > 1 && strings.HasPrefix(lines[n-1], "(") {
		return lines[:n-1]
	}
	return lines
}

// ArcText describes one arc of a pass:
// arc parse → emit: 1.21 µs each, 1,024 times, 61.2% of the pass.
func ArcText(p *result.Pegs, a *result.Arc) string {
	f := flow{pegs: p}
	return fmt.Sprintf("%s: %s each, %s times, %s of the pass",
		arcName(a.From, a.To, a.Kind), MeanText(p, a), units.Thousands(fmt.Sprint(a.Count)), f.shareText(a))
}
