package figure

import (
	"cmp"
	"slices"
)

const (
	nodeLeft   = 190 // edges of the points
	nodeRight  = 370
	downAt     = 232 // where arcs go straight down: their texts have room before the bows
	nodeHeight = 28  // least
	nodeGap    = 36
	flowTop    = 8
	widestArc  = 14 // drawing units
	thinnest   = 1.2
	flowText   = 130  // room for the labels on either side
	bowed      = 0.75 // a Bézier curve reaches this part of the way to its control points
	textStep   = 16
)

// place computes the positions of points and arcs.
func (f *flow) place() {
	ends := f.ends()
	y := float64(flowTop)
	for i := range f.nodes {
		n := &f.nodes[i]
		n.top, n.height = y, max(nodeHeight, stack(ends[i][0])+6, stack(ends[i][1])+6)
		f.dock(n, ends[i][0])
		f.dock(n, ends[i][1])
		y += n.height + max(nodeGap, f.crowd())
	}
	last := &f.nodes[len(f.nodes)-1]
	f.height = max(last.top+last.height+flowTop, textStep*float64(max(f.count(-1), f.count(1)))+2*flowTop)
	f.lanes(-1)
	f.lanes(1)
}

// crowd is the gap between points that leaves room for all labels of a side.
func (f *flow) crowd() float64 {
	most := float64(max(f.count(-1), f.count(1)))
	return textStep*most/float64(len(f.nodes)) - nodeHeight
}

func (f *flow) count(side float64) (n int) {
	for _, a := range f.arcs {
		if a.side == side {
			n++
		}
	}
	return n
}

func (f *flow) pen(a *flowArc) float64 {
	if f.widest <= 0 {
		return thinnest
	}
	return tenth(max(thinnest, widestArc*a.Sum/f.widest))
}

// end is one end of an arc, on a side of a point.
type end struct {
	arc   *flowArc
	out   bool
	other int     // point at the other end
	room  float64 // that it takes
}

// ends sorts the ends of arcs on the left and on the right of each point, from top to
// bottom: arcs that go up before arcs that go down, and ordered so that the arc to a
// farther point encloses the arc to a nearer one.
func (f *flow) ends() [][2][]end {
	all := make([][2][]end, len(f.nodes))
	for i := range f.arcs {
		a := &f.arcs[i]
		if a.side == 0 {
			continue
		}
		k, room := 0, f.pen(a)+5
		if a.side > 0 {
			k = 1
		}
		all[a.from][k] = append(all[a.from][k], end{a, true, a.to, room})
		all[a.to][k] = append(all[a.to][k], end{a, false, a.from, room})
	}
	for i := range all {
		for k := range all[i] {
			slices.SortStableFunc(all[i][k], func(a, b end) int {
				return cmp.Or(cmp.Compare(heading(a.other, i), heading(b.other, i)), cmp.Compare(b.other, a.other))
			})
		}
	}
	return all
}

// heading is −1 for up, 0 for the point itself, 1 for down.
func heading(other, self int) int { return cmp.Compare(other, self) }

func stack(ends []end) (height float64) {
	for _, e := range ends {
		height += e.room
	}
	return height
}

// dock puts the ends of one side of a point in the middle of its height, one below the
// other.
func (f *flow) dock(n *flowNode, ends []end) {
	y := n.top + (n.height-stack(ends))/2
	for _, e := range ends {
		if at := y + e.room/2; e.out {
			e.arc.y1 = at
		} else {
			e.arc.y2 = at
		}
		y += e.room
	}
}

// lanes assigns each arc of a side to the nearest free lane, short arcs first.
func (f *flow) lanes(side float64) {
	var own []*flowArc
	for i := range f.arcs {
		if f.arcs[i].side == side {
			own = append(own, &f.arcs[i])
		}
	}
	slices.SortStableFunc(own, func(a, b *flowArc) int { return cmp.Compare(a.length(), b.length()) })
	var taken [][]*flowArc
	for _, a := range own {
		i := slices.IndexFunc(taken, func(lane []*flowArc) bool { return !slices.ContainsFunc(lane, a.meets) })
		if i < 0 {
			taken, i = append(taken, nil), len(taken)
		}
		taken[i] = append(taken[i], a)
	}
	f.widths(taken)
}

func (a *flowArc) length() float64 { return max(a.y1, a.y2) - min(a.y1, a.y2) }

// meets reports whether two arcs on one lane would touch.
func (a *flowArc) meets(b *flowArc) bool {
	return min(a.y1, a.y2) <= max(b.y1, b.y2)+4 && min(b.y1, b.y2) <= max(a.y1, a.y2)+4
}

// widths puts lanes next to each other, and closer if there is not enough room.
func (f *flow) widths(taken [][]*flowArc) {
	const room = nodeLeft - flowText - 10
	reaches, x := make([]float64, len(taken)), 8.0
	for i, lane := range taken {
		widest := 0.0
		for _, a := range lane {
			widest = max(widest, f.pen(a))
		}
		reaches[i], x = x+widest/2+4, x+widest+5
	}
	scale := 1.0
	if x > room {
		scale = room / x
	}
	for i, lane := range taken {
		for _, a := range lane {
			a.reach = reaches[i] * scale
		}
	}
}
