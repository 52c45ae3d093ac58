package figure

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

func (e *growth) draw() *drawing.Drawing {
	n := len(e.lines[0].powers)
	needed := -math.Log10(e.said.Alpha)
	y := newAxis(weakest, e.top(needed), plotTop+evidenceHeight, plotTop, false)
	x := newAxis(1, float64(n), plotLeft, plotRight-70, false)
	d := &drawing.Drawing{
		Width:  caseWidth,
		Left:   plotLeft,
		Right:  plotRight,
		Height: plotTop + evidenceHeight + axisRoom,
		Title:  "How the evidence grew",
	}
	e.frame(d, x, y, needed)
	e.paths(d, x, y)
	d.Desc = e.desc()
	d.Caption = e.caption(needed)
	d.Sheet = e.sheet()
	return d
}

// top is the upper end of the axis, at most 40 % above what is needed plus 0.3, however
// strong the evidence got.
func (e *growth) top(needed float64) float64 {
	top := needed
	for _, l := range e.lines {
		top = max(top, slices.Max(l.powers))
	}
	return min(top+0.3, 1.4*needed+0.3)
}

func (e *growth) frame(d *drawing.Drawing, x, y axis, needed float64) {
	var powers []float64
	var texts []string
	for power := 0.0; power <= y.high; power += math.Max(1, math.Ceil(y.high/5)) {
		powers, texts = append(powers, power), append(texts, odds(power))
	}
	grid(d, y, x.to, powers, texts)
	var line, limit path
	line.level(plotLeft, x.to, y.from)
	limit.level(plotLeft, x.to, y.at(needed))
	addPath(d, drawing.Axis, line)
	addPath(d, drawing.Needed, limit)
	text := "decided from here"
	if within := e.said.Within; within > e.said.Alpha {
		at := y.at(-math.Log10(within))
		var line path
		line.level(plotLeft, x.to, at)
		addPath(d, drawing.Needed, line)
		write(d, plotLeft+4, at-5, drawing.Start, drawing.Axis, "not worse, or not better, from here")
		text = "worse, or better, from here"
	}
	write(d, plotLeft+4, y.at(needed)-5, drawing.Start, drawing.Axis, text)
	at := x.ticks(5)
	at = slices.DeleteFunc(at, func(n float64) bool { return n != math.Trunc(n) }) // a observation has no halves
	row := labelRow{}
	for i, text := range labels(at, "") {
		row.put(d, x.at(at[i]), y.from+18, drawing.Axis, text)
	}
	write(d, plotRight, y.from+18, drawing.End, drawing.Axis, e.of.Observation().Plural())
}

// odds writes a power of ten: 1, 10, 100, 1000, 10⁴.
func odds(power float64) string {
	if power < 4 {
		return wholeOdds(power)
	}
	return "10" + raised(int(power))
}

func raised(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	if n < 10 {
		return string(digits[n])
	}
	return raised(n/10) + string(digits[n%10])
}

// paths draws a line for each statement up to its decision: evidence after that does not
// count.
func (e *growth) paths(d *drawing.Drawing, x, y axis) {
	var ends []float64
	for i := range e.lines {
		l := &e.lines[i]
		var p path
		last := len(l.powers)
		if l.decided > 0 {
			last = l.decided
		}
		p.move(x.at(1), y.at(l.powers[0]))
		for j := 1; j < last; j++ {
			p.line(x.at(float64(j+1)), y.at(l.powers[j]))
		}
		addPath(d, l.role, p)
		ends = append(ends, y.at(l.powers[last-1]))
	}
	for i, at := range spread(ends, 13, y.to, y.from-8) {
		write(d, x.to+8, at+4, drawing.Start, e.lines[i].role, e.lines[i].text)
	}
}

func (e *growth) caption(needed float64) string {
	if within := e.said.Within; within > e.said.Alpha {
		return fmt.Sprintf("The evidence for each statement, one %s after the other: chance alone takes that of a "+
			"false statement to the lower dashed line in at most %.3g%% of runs, and to the upper one in at most "+
			"%.3g%%, however often one looks.", e.of.Observation(), 100*within, 100*e.said.Alpha)
	}
	return fmt.Sprintf("The evidence for each statement, one %s after the other: chance alone takes that of a false "+
		"statement to 100 in at most one run of 100, and to the dashed line (%s) in at most %.3g%% of runs, however "+
		"often one looks.",
		e.of.Observation(), wholeOdds(needed), 100*e.said.Alpha)
}

// wholeOdds writes a number that need not be a power of ten.
func wholeOdds(power float64) string {
	return fmt.Sprintf("%.0f", math.Pow(10, power))
}

func (e *growth) desc() string {
	text := fmt.Sprintf("%s: %d", e.of.Observation().Plural(), len(e.lines[0].powers))
	for _, l := range e.lines {
		if l.decided > 0 {
			text += fmt.Sprintf("; %s was shown after %d", l.text, l.decided)
		} else {
			text += fmt.Sprintf("; %s was not shown", l.text)
		}
	}
	return text
}

// sheet has a row for each number of observations that is a look, for each number at which
// something was shown, and for the last.
func (e *growth) sheet() *drawing.Sheet {
	s := &drawing.Sheet{Head: []string{e.of.Observation().Plural()}}
	n := len(e.lines[0].powers)
	for _, l := range e.lines {
		s.Head = append(s.Head, l.text)
	}
	for i := 1; i <= n; i++ {
		if i == n || result.IsLook(i) || slices.ContainsFunc(e.lines, func(l statement) bool {
			return l.decided == i
		}) {
			s.Rows = append(s.Rows, e.row(i))
		}
	}
	return s
}

func (e *growth) row(n int) []string {
	row := []string{fmt.Sprint(n)}
	for _, l := range e.lines {
		text := fmt.Sprintf("%.3g", math.Pow(10, l.powers[n-1]))
		if l.decided > 0 && l.decided <= n {
			text = fmt.Sprintf("shown after %d", l.decided)
		}
		row = append(row, text)
	}
	return row
}
