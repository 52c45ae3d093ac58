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
)

const (
	flameRow    = 20  // height of a depth
	flameDeep   = 24  // depths that are drawn
	flameMargin = 5   // before the name in a cell, and after it
	leastFlame  = 1.5 // drawing units; what is narrower cannot be seen
	// A call whose amount differs by less than this share of the whole is drawn as the same:
	// the readings of a profiler are some hundreds.
	flameSame = 0.02
)

// Flame draws the calls of a profile: each as wide as what it costs with all that it calls,
// below its caller. If there is a base, the colour and a sign show which calls cost more or
// less than they did. It returns nil if the profile has no calls.
func Flame(p *result.Profile, label func(string) string) *drawing.Drawing {
	f := &flame{of: p, name: label, calls: make([][]int, len(p.Stacks)+1)}
	for i := range p.Stacks {
		f.calls[p.Stacks[i].Parent+1] = append(f.calls[p.Stacks[i].Parent+1], i)
	}
	for _, i := range f.calls[0] {
		f.whole += p.Stacks[i].Here
	}
	if f.whole <= 0 {
		return nil
	}
	return f.draw()
}

// flame is a Flame in the making.
type flame struct {
	of    *result.Profile
	name  func(string) string
	calls [][]int // of each call, by its index plus one; the first are the outermost
	whole float64
	cells []flameCell
	depth int
	small int
}

type flameCell struct {
	nested
	call int
}

func (f *flame) draw() *drawing.Drawing {
	const left, right = 4.0, caseWidth - 4
	f.row(0, left, (right-left)/f.whole, 0)
	d := &drawing.Drawing{Width: caseWidth, Height: 2*nestTop + flameRow*float64(f.depth+1), Title: f.title()}
	for i := range f.cells {
		f.cell(d, &f.cells[i])
	}
	d.Desc = f.desc()
	d.Caption = f.caption()
	d.Sheet = f.sheet()
	return d
}

func (f *flame) title() string {
	return map[result.ProfileKind]string{
		result.ProfileCPU: "Time on processors by call", result.ProfileAlloc: "Bytes allocated by call",
		result.ProfileMutex: "Time that others waited for locks, by call",
		result.ProfileBlock: "Time of waiting by call",
	}[f.of.Kind]
}

// row puts the calls of a caller next to each other, in alphabetical order so that the page
// of another run is easy to compare, and their calls below them.
func (f *flame) row(caller int, x, scale float64, depth int) {
	calls := slices.Clone(f.calls[caller])
	slices.SortStableFunc(calls, func(a, b int) int { return cmp.Compare(f.of.Stacks[a].Name, f.of.Stacks[b].Name) })
	for _, i := range calls {
		width := f.of.Stacks[i].Here * scale
		if width < leastFlame || depth == flameDeep {
			f.small++
			continue
		}
		f.cells = append(f.cells, flameCell{nested{x, width, depth}, i})
		f.depth = max(f.depth, depth)
		f.row(i+1, x, scale, depth+1)
		x += width
	}
}

// differs reports whether anything in the profile is shown to differ from the base: if
// nothing is, no call is marked, however large its difference looks.
func (f *flame) differs() bool {
	return f.of.Change.Differs() ||
		slices.ContainsFunc(f.of.Functions, func(one result.ProfileFunction) bool { return one.Change.Differs() })
}

// moved is 1 if a call costs clearly more than in the base, -1 if less, else 0.
func (f *flame) moved(call int) int {
	s := &f.of.Stacks[call]
	switch d := s.Here - s.Base; {
	case f.of.Base == nil || !f.differs() || math.Abs(d) < flameSame*math.Max(f.whole, f.of.Base.Total):
		return 0
	case d > 0:
		return 1
	}
	return -1
}

func (f *flame) cell(d *drawing.Drawing, c *flameCell) {
	moved := f.moved(c.call)
	role := [...]drawing.Role{drawing.FlameLess, drawing.FlameSame, drawing.FlameMore}[moved+1]
	name := [...]string{"▼ ", "", "▲ "}[moved+1] + f.name(f.of.Stacks[c.call].Name)
	c.draw(d, flameRow, role, f.tip(c.call))
	c.label(d, flameRow, flameMargin, drawing.FlameText, cut(name, c.room(flameMargin), 4))
}

func (f *flame) tip(call int) string {
	s := &f.of.Stacks[call]
	text := fmt.Sprintf("%s: %s an iteration, %s", s.Name, units.Short(s.Here, f.of.Unit), units.Tenths(s.Here/f.whole))
	if f.of.Base != nil {
		text += fmt.Sprintf("; in the base %s (%s)", units.Short(s.Base, f.of.Unit), f.change(s))
	}
	return text
}

func (f *flame) change(s *result.ProfileStack) string {
	switch d := s.Here - s.Base; {
	case d > 0:
		return "+" + units.Short(d, f.of.Unit)
	case d < 0:
		return "−" + units.Short(-d, f.of.Unit)
	}
	return "the same"
}

// desc names the calls that moved most.
func (f *flame) desc() string {
	text := fmt.Sprintf("%s of %s an iteration", units.Plural(len(f.cells), "call"), units.Short(f.whole, f.of.Unit))
	if f.of.Base == nil {
		return text
	}
	var more []string
	for _, i := range f.byChange() {
		if s := &f.of.Stacks[i]; f.moved(i) > 0 && len(more) < 3 {
			more = append(more, fmt.Sprintf("%s %s", f.name(s.Name), f.change(s)))
		}
	}
	if len(more) == 0 {
		return text + "; no call costs clearly more than in the base"
	}
	return text + "; more than in the base: " + strings.Join(more, ", ")
}

func (f *flame) byChange() []int {
	order := make([]int, len(f.of.Stacks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &f.of.Stacks[a], &f.of.Stacks[b]
		return cmp.Compare(math.Abs(y.Here-y.Base), math.Abs(x.Here-x.Base))
	})
	return order
}

func (f *flame) caption() string {
	text := "A call is as wide as what it costs with all that it calls, and is below its caller."
	if f.of.Base != nil {
		text += fmt.Sprintf(" ▲ costs more than in the base, ▼ less, by at least %s of the whole. This is a "+
			"picture of all profiles together; the table has intervals.",
			units.Brief(flameSame))
	}
	if f.small > 0 {
		text += fmt.Sprintf(" Left out: %s too small, or too deep, to be seen.", units.Plural(f.small, "call"))
	}
	return text
}

// mostFlameRows of the table that has the same as the drawing.
const mostFlameRows = 60

// sheet is the drawing in numbers, for those who cannot see it or point at it.
func (f *flame) sheet() *drawing.Sheet {
	s := &drawing.Sheet{Head: []string{"call", "an iteration"}}
	if f.of.Base != nil {
		s.Head = append(s.Head, "base", "change")
	}
	for _, c := range f.cells[:min(len(f.cells), mostFlameRows)] {
		one := &f.of.Stacks[c.call]
		row := []string{strings.Repeat("· ", c.depth) + f.name(one.Name), units.Short(one.Here, f.of.Unit)}
		if f.of.Base != nil {
			row = append(row, units.Short(one.Base, f.of.Unit), f.change(one))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
