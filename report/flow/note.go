package flow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// notes explain what the columns cannot show: the clock, bounds, overlaps and gaps.
func (f *flow) notes() (lines []page.Line) {
	add := func(class page.Tone, text string) {
		if text != "" {
			lines = append(lines, page.Toned(class, text))
		}
	}
	add(page.Faint, f.clock())
	add(page.Faint, f.cold())
	add(page.Faint, f.overlaps())
	add(page.Faint, f.below())
	switch {
	case f.isHidden() && f.case_.PegPairs != nil:
		add(page.Faint, unshownNote)
	case f.isHidden():
		add(page.Faint, nothingNote)
	}
	add(page.Faint, f.lanes())
	add(page.Faint, f.overlap())
	add(page.Faint, f.recursion())
	add(page.Faint, f.others())
	add(page.Faint, f.gone())
	add(page.Doubtful, f.unmatched())
	for _, text := range f.pegs.Problems {
		add(page.Doubtful, text)
	}
	if f.pegs.Truncated {
		add(page.Doubtful, "the program did not end normally: there may be more arcs")
	}
	if len(f.arcs) == 0 {
		add(page.Doubtful, "no arc: "+f.points())
	}
	return lines
}

// unshownNote explains a dash if passes were taken in pairs.
const unshownNote = dash + ": not shown to differ"

const nothingNote = dash + ": no more than what arcs with nothing in them may differ by"

func (f *flow) clock() string {
	p := f.pegs
	var parts []string
	if p.Clock != "" {
		parts = append(parts, "clock "+p.Clock)
	}
	if p.Cost > 0 {
		parts = append(parts, fmt.Sprintf("a hit costs %s", EachTime(p.Cost)))
	}
	if p.Residue > 0 {
		parts = append(parts, fmt.Sprintf("an arc with nothing in it shows %s at most", EachTime(p.Residue)))
	}
	return strings.Join(parts, ", ")
}

// cold states the greatest residue of an arc, if some arcs have one of their own.
func (f *flow) cold() string {
	residue := 0.0
	for i := range f.pegs.Arcs {
		residue = max(residue, f.pegs.Arcs[i].Residue)
	}
	if residue <= f.pegs.Residue {
		return ""
	}
	return fmt.Sprintf("an arc with hits after a pause, or as long as one, may be off by %s", EachTime(residue))
}

// overlaps explains the ranges.
func (f *flow) overlaps() string {
	for i := range f.arcs {
		if low, high := arcs.Bounds(f.pegs, &f.arcs[i], f.arcs[i].Mean); 0 < low && low < high {
			return "a range: the program may have worked during its hits, so from all to none of their cost " +
				"is subtracted"
		}
	}
	return ""
}

func (f *flow) below() string {
	for i := range f.arcs {
		if f.isBelow(&f.arcs[i]) {
			return "≤: below resolution, no longer than an arc with nothing in it"
		}
	}
	return ""
}

// lanes explains why the shares may add up to more than 100%.
func (f *flow) lanes() string {
	sum := "work at the same time counts for each lane, so "
	if f.pegs.Seconds > 0 {
		sum += "shares may add up to more than 100%"
	} else {
		sum += "totals may add up to more than the time that passed"
	}
	names := map[string]bool{}
	for _, a := range f.pegs.Arcs {
		names[a.Lane] = true
	}
	switch {
	case len(names) > 1:
		return fmt.Sprintf("lanes of %d names: %s", len(names), sum)
	case isAtOnce(f.pegs):
		return "together longer than the pass: lanes of one name that run at the same time count each, and " +
			"several stops may measure from one start"
	}
	return ""
}

// isAtOnce reports whether the arcs that should not overlap took longer than the
// pass. Workers may use one lane name, and each stop measures from the last start.
// The limit is 0.5% above the pass, because the pass is timed by another clock.
func isAtOnce(p *result.Pegs) bool {
	var next, outer float64
	for i := range p.Arcs {
		switch a := &p.Arcs[i]; {
		case a.Kind == result.ArcNext:
			next += a.Sum
		case a.Kind == result.ArcSpan && a.From == arcs.Outermost:
			outer += a.Sum
		}
	}
	return p.Seconds > 0 && max(next, outer) > 1.005*p.Seconds
}

func (f *flow) overlap() string {
	if slices.ContainsFunc(f.arcs, func(a result.Arc) bool { return a.Kind != result.ArcNext }) {
		return "spans and directed arcs contain other arcs, so their times overlap"
	}
	return ""
}

// recursion names the spans that contain themselves: their time is counted at every
// depth.
func (f *flow) recursion() string {
	if names := arcs.Recursive(f.pegs); len(names) > 0 {
		return "spans inside themselves count their time at each depth: " + units.List(names, number.MostNamed)
	}
	return ""
}

func (f *flow) others() string {
	if slices.ContainsFunc(f.arcs, func(a result.Arc) bool { return a.From == arcs.Other }) {
		return arcs.Other + " is all other sources of a point with too many sources to record separately"
	}
	return ""
}

// gone names the arcs that only the base has.
func (f *flow) gone() string {
	if f.base == nil {
		return ""
	}
	var names []string
	for _, c := range arcs.Changes(f.base, f.pegs) {
		if c.BaseOnly {
			names = append(names, fmt.Sprintf("%s (%s %s)", arcName(c.From, c.To, c.Kind),
				EachTime(c.Base), turn(f.case_)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "only in the base: " + units.List(names, number.MostNamed)
}

func (f *flow) unmatched() string {
	var names []string
	for _, p := range f.pegs.Points {
		if p.Unmatched > 0 {
			names = append(names, fmt.Sprintf("%s %s", p.Name, units.Thousands(fmt.Sprint(p.Unmatched))))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "ended nothing, because nothing had begun: " + units.List(names, number.MostNamed)
}

// points lists the points that were hit, for a flow without arcs.
func (f *flow) points() string {
	points := slices.Clone(f.pegs.Points)
	slices.SortStableFunc(points, func(a, b result.PegPoint) int { return cmp.Compare(b.Hits, a.Hits) })
	var names []string
	for _, p := range points {
		names = append(names, fmt.Sprintf("%s %s", p.Name, units.Thousands(fmt.Sprint(p.Hits))))
	}
	if len(names) == 0 {
		return "no point was hit"
	}
	return "an arc needs two points, and only these were hit: " + units.List(names, number.MostNamed)
}
