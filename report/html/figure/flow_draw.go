package figure

import (
	"fmt"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

func (f *flow) draw() *drawing.Drawing {
	d := &drawing.Drawing{Width: caseWidth, Height: f.height, Title: "Where the time goes"}
	for _, side := range []float64{-1, 1} {
		f.leaders(d, side)
	}
	for i := len(f.arcs) - 1; i >= 0; i-- { // the widest on top
		f.arc(d, &f.arcs[i])
	}
	for i := range f.nodes {
		f.node(d, &f.nodes[i])
	}
	d.Desc, d.Caption = f.desc(), f.caption()
	return d
}

func (f *flow) node(d *drawing.Drawing, n *flowNode) {
	var area, line path
	area.box(nodeLeft, n.top, nodeRight, n.top+n.height)
	line = slices.Clone(area)
	d.Marks = append(d.Marks, drawing.Mark{Role: drawing.Node, Path: string(area), Tip: f.about(n)})
	addPath(d, drawing.Axis, line)
	write(d, (nodeLeft+nodeRight)/2, n.top+n.height/2+4, drawing.Middle, drawing.Strong, f.name(n.name))
}

func (f *flow) about(n *flowNode) string {
	for _, p := range f.of.Points {
		if p.Name == n.name {
			text := fmt.Sprintf("%s: hit %d times", p.Name, p.Hits)
			if p.File != "" {
				text += fmt.Sprintf(", %s:%d", p.File, p.Line)
			}
			return text
		}
	}
	return n.name
}

func (f *flow) arc(d *drawing.Drawing, a *flowArc) {
	var line, head path
	role, pen := f.role(a), f.pen(a)
	size := max(6, pen)
	if a.side == 0 {
		x := float64(downAt)
		from := f.nodes[a.from].top + f.nodes[a.from].height
		to := f.nodes[a.to].top
		line.upright(x, from, to-headLength)
		head.tipDown(x, to, size)
	} else {
		x := f.edge(a.side)
		line.bow(x, a.y1, x+a.side*headLength, a.y2, x+a.side*a.reach/bowed)
		head.tipAside(x, a.y2, a.side, size)
	}
	d.Marks = append(d.Marks, drawing.Mark{Role: role, Path: string(line), Tip: f.tip(a), Pen: pen})
	addPath(d, drawing.Head, head)
	if a.side == 0 {
		write(d, downAt+pen/2+8, (f.nodes[a.from].top+f.nodes[a.from].height+f.nodes[a.to].top)/2+3, drawing.Start,
			textRole(role), f.text(a))
	}
}

func (f *flow) edge(side float64) float64 {
	if side > 0 {
		return nodeRight
	}
	return nodeLeft
}

// An arc that grew or shrank has a role for that; other roles depend on whether the arc
// was aimed.
func (f *flow) role(a *flowArc) drawing.Role {
	switch r := f.base.rise(&a.Arc); {
	case r > 0:
		return drawing.WayMore
	case r < 0:
		return drawing.WayLess
	case a.Kind == result.ArcDirected:
		return drawing.Aimed
	}
	return drawing.Way
}

// textRole is the role of an arc's label.
func textRole(r drawing.Role) drawing.Role {
	switch r {
	case drawing.WayMore, drawing.NestMore:
		return drawing.Bad
	case drawing.WayLess, drawing.NestLess:
		return drawing.Good
	}
	return drawing.Axis
}

// leaders writes the labels of a side below each other, each with a line to its arc.
func (f *flow) leaders(d *drawing.Drawing, side float64) {
	var own []*flowArc
	var at []float64
	for i := range f.arcs {
		if a := &f.arcs[i]; a.side == side {
			own, at = append(own, a), append(at, (a.y1+a.y2)/2)
		}
	}
	x, anchor := float64(caseWidth-flowText), drawing.Start
	if side < 0 {
		x, anchor = flowText, drawing.End
	}
	var lines path
	for i, y := range spread(at, textStep, flowTop+8, f.height-flowTop) {
		lines.move(f.edge(side)+side*own[i].reach, at[i])
		lines.line(x-side*4, y)
		write(d, x, y+4, anchor, textRole(f.role(own[i])), f.text(own[i]))
	}
	addPath(d, drawing.Border, lines)
}

func (f *flow) text(a *flowArc) string {
	return MeanOf(f.of, &a.Arc) + " × " + f.times(a.Count)
}

// MeanOf formats the mean of an arc: a range if hits may hide a part of it, a bound if it is
// not above the residue of an empty arc.
func MeanOf(p *result.Pegs, a *result.Arc) string {
	switch low, high := arcs.Bounds(p, a, a.Mean); {
	case low == high || a.Count == 0:
		return units.Format(a.Mean, "s")
	case low == 0:
		return "≤ " + units.Format(high, "s")
	default:
		return units.Format(low, "s") + " to " + units.Format(high, "s")
	}
}

func (f *flow) times(count int64) string { return Often(f.of, count) }

// Often formats how many times per iteration something happens that happened count
// times in the pass, with three digits.
func Often(p *result.Pegs, count int64) string {
	return often(float64(count) / float64(max(1, p.Iterations)))
}

// often prints three digits: more cannot be compared at a glance.
func often(x float64) string {
	if x >= 1000 {
		return units.Format(x, "")
	}
	return fmt.Sprintf("%.3g", x)
}

// tip has all numbers of an arc.
func (f *flow) tip(a *flowArc) string {
	text := fmt.Sprintf("%s → %s: %d times, %s each", a.From, a.To, a.Count, units.Format(a.Mean, "s"))
	if a.P99 != nil {
		text += ", p99 " + units.Format(*a.P99, "s")
	}
	text += ", " + units.Format(a.Sum, "s") + " in all"
	if f.of.Seconds > 0 {
		text += ", " + units.Format(a.Sum/f.of.Seconds, result.Percent) + " of the pass"
	}
	if c, known := f.base.of(&a.Arc); known {
		text += fmt.Sprintf("; an iteration %s, base %s", units.Format(c.Candidate, "s"), units.Format(c.Base, "s"))
	}
	return text
}
