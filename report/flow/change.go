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

// Rise is which arcs of a case take longer than in its base. The zero value is of a case that, or
// whose base, has no pegs.
type Rise struct {
	Arcs  []string // a line each, or one line that explains why none is named
	Basis string   // what Arcs rest on; empty if none is named
}

// Lines returns the arcs, and what they rest on in brackets.
func (r Rise) Lines() []string {
	if r.Basis == "" {
		return r.Arcs
	}
	return append(slices.Clip(r.Arcs), "("+r.Basis+")")
}

// String returns the same in one line.
func (r Rise) String() string {
	text := strings.Join(r.Arcs, "; ")
	if r.Basis == "" {
		return text
	}
	return text + " (" + r.Basis + ")"
}

// Slower returns the arcs that a case takes longer for. Without pairs of passes they rest on one pass
// of each side. With pairs, an arc is named only if it is shown to take longer.
func Slower(c *result.Case) Rise {
	if c.Pegs == nil || c.BasePegs == nil || c.Pegs.Iterations < 1 || c.BasePegs.Iterations < 1 {
		return Rise{}
	}
	if c.PegPairs != nil {
		all, whole := arcs.Differences(c)
		passes := fmt.Sprintf("%s with pegs took %s, in the base %s (medians of %s)",
			turn(c), EachTime(whole.Candidate), EachTime(whole.Base), passPairs(c))
		return newRise(whole.Median, passes, "no arc is shown to take longer", shownRisen(c, all), PairsText(c))
	}
	passes := fmt.Sprintf("%s with pegs took %s, in the base %s (one pass of each, not judged)",
		turn(c), EachTime(arcs.PerIteration(c.Pegs)), EachTime(arcs.PerIteration(c.BasePegs)))
	return newRise(arcs.Rise(c.BasePegs, c.Pegs), passes, "no arc took longer", risen(c),
		"one pass of each with pegs, not judged")
}

// newRise names the arcs that cause most of the difference, if there is one.
func newRise(rise float64, passes, none string, all []riser, basis string) Rise {
	if rise <= 0 {
		return Rise{Arcs: []string{"pegs do not show it: " + passes}}
	}
	if some := mostOf(all); len(some) > 0 {
		return Rise{some, basis}
	}
	return Rise{Arcs: []string{none + ": " + passes}}
}

// riser is an arc that takes longer than in the base.
type riser struct {
	kind  result.ArcKind
	share float64 // of the difference
	text  func() string
}

// mostOf are the arcs that cause most of the difference, at most mostRisen. Directed arcs and
// spans contain other arcs and are less specific, so they are left out if any plain
// arc has a tenth of the difference.
func mostOf(all []riser) (texts []string) {
	holds := func(r riser) bool { return r.kind != result.ArcNext }
	if slices.ContainsFunc(all, func(r riser) bool { return !holds(r) && r.share >= leastShare }) {
		all = slices.DeleteFunc(all, holds)
	}
	for i, r := range all {
		if i == mostRisen || i > 0 && r.share < leastShare {
			break
		}
		texts = append(texts, r.text())
	}
	return texts
}

// turn is what a pass repeats.
func turn(c *result.Case) string {
	if c.Kind == result.KindCommand || c.Kind == result.KindShell {
		return "a run"
	}
	return "an iteration"
}

// risen are the arcs that took longer by more than arcs with nothing in them may differ.
func risen(c *result.Case) (all []riser) {
	for _, d := range arcs.Changes(c.BasePegs, c.Pegs) {
		if d.Difference > 0 && !isWithinResidue(&d) {
			all = append(all, riser{d.Kind, d.Share, func() string { return risenText(&d, turn(c)) }})
		}
	}
	return all
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

// ArcText describes one arc of a pass:
// arc parse → emit: 1.21 µs each, 1,024 times, 61.2% of the pass.
func ArcText(p *result.Pegs, a *result.Arc) string {
	f := flow{pegs: p}
	return fmt.Sprintf("%s: %s each, %s times, %s of the pass",
		arcName(a.From, a.To, a.Kind), MeanText(p, a), units.Thousands(fmt.Sprint(a.Count)), f.shareText(a))
}
