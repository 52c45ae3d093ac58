package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

const (
	// mostNodes is the most points that a reader can follow with the eye.
	mostNodes = 20
	// mostArcs is the most labels that fit next to the points without overlap.
	mostArcs = 36
	// LongestPoint is the number of letters of a point's name that there is room for.
	LongestPoint = 24
	// grown is the relative change of an arc that is coloured. Two passes of the same
	// code differ by some percent, and nobody judges them.
	grown = 0.10
)

// Flow draws how a program went from point to point: points from top to bottom in the
// order in which they were first hit, arcs as wide as the time spent on them. If base is
// not nil, arcs that take longer or shorter than in base have roles of their own. label
// returns the name to show for a point. At most mostArcs arcs are drawn, the ones with
// the most time. It returns nil if there are no arcs other than spans.
func Flow(p, base *result.Pegs, label func(string) string) *drawing.Drawing {
	if p == nil {
		return nil
	}
	f := &flow{of: p, name: label, base: compared(base, p)}
	all := slices.DeleteFunc(slices.Clone(arcs.Whole(p)), func(a result.Arc) bool { return a.Kind == result.ArcSpan })
	if len(all) == 0 {
		return nil
	}
	f.choose(all)
	f.place()
	return f.draw()
}

// flow is the part of the arcs that is drawn.
type flow struct {
	of     *result.Pegs
	name   func(string) string
	base   against
	nodes  []flowNode
	arcs   []flowArc
	left   int     // arcs that are not drawn
	share  float64 // drawn arcs' part of the time of all arcs, 0 to 1
	widest float64 // seconds
	height float64
}

type flowNode struct {
	name        string
	top, height float64
}

// flowArc is an arc between two nodes of the drawing.
type flowArc struct {
	result.Arc
	from, to int
	side     float64 // +1: right of the nodes, −1: left, 0: straight down
	y1, y2   float64 // where it leaves and arrives
	reach    float64 // how far from the nodes it goes
}

// choose keeps the arcs with the most time, as long as there is room for their points.
func (f *flow) choose(all []result.Arc) {
	slices.SortStableFunc(all, func(a, b result.Arc) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(b.Count, a.Count))
	})
	f.widest = all[0].Sum
	points := map[string]bool{}
	kept := []result.Arc{}
	sum := 0.0
	total := 0.0
	for _, a := range all {
		total += a.Sum
		if more := newPoints(points, a); len(kept) < mostArcs && len(points)+more <= mostNodes {
			points[a.From], points[a.To] = true, true
			kept, sum = append(kept, a), sum+a.Sum
		}
	}
	f.left, f.share = len(all)-len(kept), 1
	if total > 0 && !math.IsInf(total, 0) {
		f.share = sum / total
	}
	f.connect(points, kept)
}

// newPoints counts the ends of an arc that are not in points yet.
func newPoints(points map[string]bool, a result.Arc) int {
	n := 0
	if !points[a.From] {
		n++
	}
	if !points[a.To] && a.To != a.From {
		n++
	}
	return n
}

// connect numbers the points in the order in which they were first hit; points that the
// document does not list are last.
func (f *flow) connect(points map[string]bool, kept []result.Arc) {
	at := map[string]int{}
	add := func(name string) {
		if _, known := at[name]; points[name] && !known {
			at[name] = len(f.nodes)
			f.nodes = append(f.nodes, flowNode{name: name})
		}
	}
	for _, p := range f.of.Points {
		add(p.Name)
	}
	for _, a := range kept {
		add(a.From)
		add(a.To)
	}
	for _, a := range kept {
		one := flowArc{Arc: a, from: at[a.From], to: at[a.To]}
		one.side = sideOf(&one)
		f.arcs = append(f.arcs, one)
	}
}

// sideOf is 0 for an arc straight down to the next point, 1 (right) for any other arc
// downwards, −1 (left) for an arc back or to its own point.
func sideOf(a *flowArc) float64 {
	switch {
	case a.to <= a.from:
		return -1
	case a.to == a.from+1 && a.Kind == result.ArcNext:
		return 0
	}
	return 1
}

func (f *flow) desc() string {
	var longest []string
	for _, a := range f.arcs[:min(3, len(f.arcs))] {
		longest = append(longest, fmt.Sprintf("%s to %s %s", f.name(a.From), f.name(a.To), units.Format(a.Sum, "s")))
	}
	return fmt.Sprintf("%s and %s; most time of the whole pass: %s",
		units.Plural(len(f.nodes), "point"), units.Plural(len(f.arcs), "arc"), strings.Join(longest, ", "))
}

func (f *flow) caption() string {
	text := "Points in the order in which they were first hit; an arc is as wide as the time spent on it, " +
		"and says its mean and how often it is taken in an iteration."
	if slices.ContainsFunc(f.arcs, func(a flowArc) bool { return a.Kind == result.ArcDirected }) {
		text += " Dashed arcs go from a point that was named, whatever lies between."
	}
	text += f.base.hint()
	if f.left > 0 {
		text += fmt.Sprintf(" Left out: %s with %s of the time.",
			units.Plural(f.left, "arc"), units.Format(max(0, 1-f.share), result.Percent))
	}
	return text
}

// Grew is 1 if an arc takes over a tenth longer per iteration than in the base, −1 if
// it takes less by as much, and 0 otherwise: two passes of one code may differ by a
// tenth, or by the residue of empty arcs if that is more.
func Grew(base, own *result.Pegs, c arcs.Change) int {
	if c.IsUnshown || math.Abs(c.Difference) <= max(grown*c.Base, c.Residue) {
		return 0
	}
	return cmp.Compare(c.Difference, 0)
}

// against is what arcs are compared with.
type against struct {
	base, own *result.Pegs
	changes   map[arcKey]arcs.Change // empty without a base
}

type arcKey struct {
	from, to string
	kind     result.ArcKind
}

func compared(base, own *result.Pegs) against {
	out := against{base, own, map[arcKey]arcs.Change{}}
	if base != nil {
		for _, c := range arcs.Changes(base, own) {
			out.changes[arcKey{c.From, c.To, c.Kind}] = c
		}
	}
	return out
}

// of looks up the change of an arc. The result is false if there is no base.
func (g *against) of(a *result.Arc) (arcs.Change, bool) {
	c, known := g.changes[arcKey{a.From, a.To, a.Kind}]
	return c, known
}

// rise is Grew of an arc, 0 if the arc has no change.
func (g *against) rise(a *result.Arc) int {
	c, known := g.of(a)
	if !known {
		return 0
	}
	return Grew(g.base, g.own, c)
}

// hint explains the colours; it is empty without a base.
func (g *against) hint() string {
	if len(g.changes) == 0 {
		return ""
	}
	return fmt.Sprintf(" Red takes over %g%% longer than in the base, or is new; green takes less by as "+
		"much: one pass of each, which nobody judges.",
		100*grown)
}
