package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
)

const (
	trendWidth  = 1000
	trendHeight = 220
	trendRight  = trendWidth - plotMargin
	day         = "2 Jan 2006"
)

// Trend draws the points of a series in the order of commits, each with its interval, the
// median of each level, a line at each change, and the length of each long pause. Points of
// other machines than the newest are grey. It returns nil if there are fewer than two points.
func Trend(s *trend.Series) *drawing.Drawing {
	if len(s.Points) < 2 {
		return nil
	}
	f := newTrendFrame(s)
	d := &drawing.Drawing{
		Width:  trendWidth,
		Left:   plotLeft,
		Right:  trendRight,
		Height: plotTop + trendHeight + axisRoom + 8,
		Title:  s.Metric + " over commits",
		Steps:  true,
	}
	f.frame(d)
	f.pauses(d)
	f.levels(d)
	f.points(d)
	f.changes(d)
	d.Desc = fmt.Sprintf("%s from %s to %s; first %s, last %s",
		units.Plural(len(s.Points), "point"), s.Points[0].When.Format(day), s.Points[f.last].When.Format(day),
		units.Format(s.Points[0].Value, s.Unit), units.Format(s.Points[f.last].Value, s.Unit))
	d.Caption = pointsAre("the median of a commit", has(d, drawing.CaseSpan))
	if has(d, drawing.Median) {
		d.Caption += " Horizontal lines are the medians of levels."
	}
	if slices.ContainsFunc(s.Points, func(p trend.Point) bool { return p.ByRatios }) {
		d.Caption += " Points without an interval were measured long after their commits: they are the newest, times " +
			"the ratios of pairs that connect the two."
	}
	if has(d, drawing.BaseDot) {
		d.Caption += " Grey points were measured on other machines than the newest, and have levels of their own."
	}
	if has(d, drawing.Border) {
		d.Caption += " A length of time at the foot is one without a commit."
	}
	return d
}

type trendFrame struct {
	s    *trend.Series
	last int
	x, y axis
}

// newTrendFrame has room for all values; intervals may be cut.
func newTrendFrame(s *trend.Series) *trendFrame {
	f := &trendFrame{s: s, last: len(s.Points) - 1}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	room := math.Max((high-low)*0.1, math.Abs(high)*0.02) // noise of 1 % does not fill the drawing
	f.x = axis{low: -0.5, high: float64(f.last) + 0.5, from: plotLeft, to: trendRight}
	f.y = newAxis(low-room, high+room, plotTop+trendHeight, plotTop, false)
	f.y.unit = s.Unit
	return f
}

func (f *trendFrame) frame(d *drawing.Drawing) {
	ticks := f.y.ticks(5)
	grid(d, f.y, trendRight, ticks, f.y.tickLabels(ticks, f.s.Unit))
	var line path
	line.level(plotLeft, trendRight, f.y.from+6)
	addPath(d, drawing.Axis, line)
	write(d, plotLeft, f.y.from+22, drawing.Start, drawing.AxisFrom, f.s.Points[0].When.Format(day))
	write(d, trendRight, f.y.from+22, drawing.End, drawing.AxisUntil, f.s.Points[f.last].When.Format(day))
}

// pauses marks the gaps between neighbours that are a twentieth of the whole time or longer:
// points have the same distance, however much time is between them.
func (f *trendFrame) pauses(d *drawing.Drawing) {
	points := f.s.Points
	least := max(leastPause, points[f.last].When.Sub(points[0].When)/20)
	var lines path
	var texts labelRow
	for i := 1; i <= f.last; i++ {
		gap := points[i].When.Sub(points[i-1].When)
		if gap < least {
			continue
		}
		x := f.x.at(float64(i) - 0.5)
		lines.upright(x, plotTop, f.y.from+6)
		texts.put(d, x, f.y.from+1, drawing.Axis, pauseText(gap))
	}
	addPath(d, drawing.Border, lines)
}

// leastPause is longer than holidays.
const leastPause = 30 * 24 * time.Hour

func pauseText(gap time.Duration) string {
	const month = 30.44 * 24 * float64(time.Hour)
	switch months := float64(gap) / month; {
	case months < 2:
		return fmt.Sprintf("%.0f days", gap.Hours()/24)
	case months < 36:
		return fmt.Sprintf("%.0f months", months)
	default:
		return fmt.Sprintf("%.0f years", months/12)
	}
}

// tip has what is at a point, its commit, and the date.
func (f *trendFrame) tip(what string, i int) string {
	p := &f.s.Points[i]
	lines := []string{what}
	if p.Commit != "" {
		lines = append(lines, display.Commit(p.Commit))
	}
	return strings.Join(append(lines, p.When.Format(day)), "\n")
}

// levels draws the median of each stretch between two changes of the newest machine.
func (f *trendFrame) levels(d *drawing.Drawing) {
	newest := f.s.Points[f.last].Machine
	from := 0
	var lines path
	end := func(to int, level float64) {
		lines.level(f.x.at(float64(from)-0.4), f.x.at(float64(to)+0.4), f.y.at(level))
		from = to + 1
	}
	after := math.NaN()
	for _, c := range f.s.Changes {
		if f.s.Points[c.At].Machine == newest {
			end(c.At-1, c.Before)
			after = c.After
		}
	}
	if !math.IsNaN(after) {
		end(f.last, after)
	}
	addPath(d, drawing.Median, lines)
}

// mostTips is the number of points that have their value under the pointer, the newest ones: a
// point with it takes 90 bytes.
const mostTips = 1000

// points draws a dot for each commit.
func (f *trendFrame) points(d *drawing.Drawing) {
	newest := f.s.Points[f.last].Machine
	var spans path
	dots := map[drawing.Role][]drawing.Mark{}
	for i, p := range f.s.Points {
		x := f.x.at(float64(i))
		if p.Low != nil && p.High != nil {
			spans.upright(x, f.y.at(*p.Low), f.y.at(*p.High))
		}
		role := drawing.CaseDot
		if p.Machine != newest {
			role = drawing.BaseDot
		}
		var dot path
		dot.dot(x, f.y.at(p.Value))
		if n := len(dots[role]); i <= f.last-mostTips && n > 0 {
			dots[role][n-1].Path += string(dot)
			continue
		}
		mark := drawing.Mark{Role: role, Path: string(dot)}
		if i > f.last-mostTips {
			mark.Tip = f.tip(units.Format(p.Value, f.s.Unit), i)
		}
		dots[role] = append(dots[role], mark)
	}
	addPath(d, drawing.CaseSpan, spans)
	d.Marks = append(append(d.Marks, dots[drawing.BaseDot]...), dots[drawing.CaseDot]...)
}

func (f *trendFrame) changes(d *drawing.Drawing) {
	var texts labelRow
	for _, c := range f.s.Changes {
		role, what := drawing.Good, c.Direction()
		if c.Worse {
			role = drawing.Bad
		}
		if c.Acknowledged != nil {
			role, what = drawing.Faint, what+", acknowledged"
		}
		var line path
		x := f.x.at(float64(c.At) - 0.5)
		line.upright(x, plotTop-4, f.y.from+6)
		d.Marks = append(d.Marks, drawing.Mark{Role: role, Path: string(line), Tip: f.tip(what, c.At)})
		texts.put(d, x, plotTop-8, role, c.Percent())
	}
}
