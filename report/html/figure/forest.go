package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

// Row is one comparison of a forest.
type Row struct {
	Name, Text string // the case, and its result in words
	Aside      string // its interval in words, if there is room
	Comparison *result.Comparison
}

const (
	forestWidth = 1120
	forestStep  = 40 // of a row: a line of text, and below it the interval
	forestTop   = 18
	tolerated   = 16 // height of the tolerance, around the interval
	// mostRatio is the end of the axis on the right, its inverse on the left: a ratio
	// outside is an arrow.
	mostRatio = 16
	// LongestName is the number of letters of a name that there is room for.
	LongestName = 30
	// mostRows is the most that a reader can compare; the rest is only in the table.
	mostRows = 60
)

// Forest draws the ratios of comparisons of one metric with their intervals, on a
// logarithmic axis, each with its tolerance; the worst first and the best last. left is
// the number of rows without room, which are the least important ones by byWeight. d is
// nil if no row has a ratio.
func Forest(rows []Row) (d *drawing.Drawing, left int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !(r.Comparison.Ratio > 0) })
	if len(rows) == 0 {
		return nil, 0
	}
	if len(rows) > mostRows {
		slices.SortStableFunc(rows, byWeight)
		rows, left = rows[:mostRows], len(rows)-mostRows
	}
	slices.SortStableFunc(rows, worstFirst)
	f := forest{metric: cmp.Or(rows[0].Comparison.Metric, headline), rows: rows, axis: ratioAxis(rows)}
	f.bottom = forestTop + float64(len(rows))*forestStep
	d = &drawing.Drawing{
		Width:  forestWidth,
		Right:  forestWidth,
		Height: f.bottom + 26,
		Title:  "Ratios of " + f.metric + ", case ÷ base",
	}
	f.tolerances(d)
	f.frame(d)
	for i := range rows {
		f.row(d, i)
	}
	d.Desc, d.Caption = f.desc(), ForestCaption(d, "a ratio",
		"the tolerance, a change too small to care about")+" Worst first."
	return d, left
}

// ForestCaption explains what a forest has of intervals and of the grey band, and nothing else.
func ForestCaption(d *drawing.Drawing, ratio, band string) string {
	text := "Each dot is " + ratio
	if slices.ContainsFunc(forestLines, func(r drawing.Role) bool { return has(d, r) }) {
		text = "Each line is the interval of " + ratio + ", the dot its estimate"
	}
	if has(d, drawing.Tolerance) {
		text += "; the grey band is " + band
	}
	return text + "."
}

var forestLines = []drawing.Role{drawing.Bad, drawing.Good, drawing.Doubtful, drawing.Faint}

var weights = map[result.Change]int{result.Worse: 0, result.Unclear: 1, result.Better: 2, result.Same: 3}

// byWeight orders rows by importance: worse before unclear, better and same, and the
// greater change before the smaller one.
func byWeight(a, b Row) int {
	return cmp.Or(cmp.Compare(weights[a.Comparison.Change], weights[b.Comparison.Change]),
		cmp.Compare(size(b), size(a)))
}

// A change to half the time has the size of a change to twice the time.
func size(r Row) float64 { return math.Abs(math.Log(float64(r.Comparison.Ratio))) }

// worstFirst is the order of the drawing: worse, unclear, same, better. The greatest
// improvement is last.
func worstFirst(a, b Row) int {
	x, y := a.Comparison.Change, b.Comparison.Change
	if x == result.Better && y == result.Better {
		return cmp.Compare(size(a), size(b))
	}
	return cmp.Or(cmp.Compare(of(x == result.Better), of(y == result.Better)), byWeight(a, b))
}

func of(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

type forest struct {
	metric string
	rows   []Row
	axis   axis
	bottom float64
}

// ratioAxis covers all ratios and tolerances up to mostRatio; 1 is in its middle.
func ratioAxis(rows []Row) axis {
	most := 1.02
	for _, r := range rows {
		o := r.Comparison
		size := max(float64(o.Ratio), 1/float64(o.Ratio))
		most = max(most, 1+1.6*o.Tolerance, size)
		if o.Low != nil && o.High != nil && *o.Low > 0 {
			// The interval of a few pairs is wide. It extends the axis to 1.5 times its
			// ratio at most, or all other intervals would shrink to dots.
			most = max(most, min(*o.High, 1.5*size), min(1 / *o.Low, 1.5*size))
		}
	}
	most = min(mostRatio, math.Pow(most, 1.06))
	return axis{low: 1 / most, high: most, from: 14, to: forestWidth - 14, log: true}
}

// y is the height of the interval of row i.
func (f *forest) y(i int) float64 { return forestTop + float64(i+1)*forestStep - tolerated/2 }

func (f *forest) tolerances(d *drawing.Drawing) {
	var bands path
	for i, r := range f.rows {
		if t := r.Comparison.Tolerance; t > 0 {
			bands.box(f.axis.at(1/(1+t)), f.y(i)-tolerated/2, f.axis.at(1+t), f.y(i)+tolerated/2)
		}
	}
	addPath(d, drawing.Tolerance, bands)
}

func (f *forest) frame(d *drawing.Drawing) {
	var grid, one path
	var texts labelRow
	for _, ratio := range f.ticks() {
		x, line := f.axis.at(ratio), &grid
		if ratio == 1 {
			line = &one
		}
		for i := range f.rows {
			line.upright(x, f.y(i)-tolerated/2, f.y(i)+tolerated/2)
		}
		texts.put(d, x, f.bottom+18, drawing.Axis, f.changeText(ratio))
	}
	addPath(d, drawing.Grid, grid)
	addPath(d, drawing.Axis, one)
	less, more := "less", "more"
	if f.metric == headline {
		less, more = "faster", "slower"
	}
	write(d, 0, forestTop-6, drawing.Start, drawing.Axis, "← "+less+" than the base")
	write(d, forestWidth, forestTop-6, drawing.End, drawing.Axis, more+" than the base →")
}

// ticks are in ascending order: round percentages on both sides of 1, or powers of two if the axis goes
// beyond +100 %.
func (f *forest) ticks() []float64 {
	out := []float64{1}
	if f.axis.high > 2 {
		for x := 2.0; x <= f.axis.high; x *= 2 {
			out = append(out, x, 1/x)
		}
		slices.Sort(out)
		return out
	}
	step := roundStep((f.axis.high - 1) / 4)
	for _, x := range multiples(step, f.axis.high-1, step) {
		out = append(out, 1+x)
		if 1-x >= f.axis.low {
			out = append(out, 1-x)
		}
	}
	slices.Sort(out)
	return out
}

// changeText writes a ratio as a change, or as a factor.
func (f *forest) changeText(ratio float64) string {
	switch {
	case ratio == 1:
		return "same"
	case f.axis.high > 2 && ratio < 1:
		return "÷" + units.Short(1/ratio, "")
	case f.axis.high > 2:
		return "×" + units.Short(ratio, "")
	case ratio < 1:
		return "−" + strconv.FormatFloat(100*(1-ratio), 'g', 3, 64) + "%"
	}
	return "+" + strconv.FormatFloat(100*(ratio-1), 'g', 3, 64) + "%"
}

var forestRoles = map[result.Change][2]drawing.Role{
	result.Worse: {drawing.Bad, drawing.BadDot}, result.Better: {drawing.Good, drawing.GoodDot},
	result.Unclear: {drawing.Doubtful, drawing.DoubtDot},
	result.Same:    {drawing.Faint, drawing.FaintDot},
}

func (f *forest) row(d *drawing.Drawing, i int) {
	r, y := f.rows[i], f.y(i)
	o, roles := r.Comparison, forestRoles[r.Comparison.Change]
	write(d, 0, y-14, drawing.Start, drawing.Strong, r.Name)
	write(d, forestWidth, y-14, drawing.End, roles[0], r.Text)
	d.Labels[len(d.Labels)-1].Aside = r.Aside
	if o.Low != nil && o.High != nil {
		addPath(d, roles[0], f.whisker(*o.Low, *o.High, y))
	}
	var dot path
	switch ratio := float64(o.Ratio); {
	case ratio > f.axis.high:
		dot.arrowRight(f.axis.to+8, y, 9)
		d.Marks = append(d.Marks, drawing.Mark{Role: drawing.Beyond, Path: string(dot), Tip: r.Text + " " + r.Aside})
	case ratio < f.axis.low:
		dot.arrowRight(f.axis.from-8, y, -9)
		d.Marks = append(d.Marks, drawing.Mark{Role: drawing.Beyond, Path: string(dot), Tip: r.Text + " " + r.Aside})
	default:
		dot.dot(f.axis.at(ratio), y)
		d.Marks = append(d.Marks, drawing.Mark{Role: roles[1], Path: string(dot), Tip: r.Text + " " + r.Aside})
	}
}

// An end of the interval has an upright bar; an end that the drawing cuts off has none.
func (f *forest) whisker(low, high, y float64) (p path) {
	p.level(f.axis.at(low), f.axis.at(high), y)
	if low >= f.axis.low {
		p.upright(f.axis.at(low), y-4, y+4)
	}
	if high <= f.axis.high {
		p.upright(f.axis.at(high), y-4, y+4)
	}
	return p
}

func (f *forest) desc() string {
	counts := map[result.Change]int{}
	for _, r := range f.rows {
		counts[r.Comparison.Change]++
	}
	return fmt.Sprintf("%d worse, %d unclear, %d better, %d the same; the table above holds the numbers",
		counts[result.Worse], counts[result.Unclear], counts[result.Better], counts[result.Same])
}
