// Package figure computes the drawings of a report. It takes a result document and
// returns paths and labels in drawing units. Scales, ticks and bins are decided here, so
// a renderer only writes them down. The package knows neither colours nor HTML, and
// judges nothing. Texts are copied from the document: a renderer has to escape them.
package figure

import (
	"slices"

	"example.com/suite/report/page/drawing"
)

// addPath adds a path to the drawing, unless it is empty.
func addPath(d *drawing.Drawing, role drawing.Role, p path) {
	if len(p) > 0 {
		d.Marks = append(d.Marks, drawing.Mark{Role: role, Path: string(p)})
	}
}

func has(d *drawing.Drawing, role drawing.Role) bool {
	return slices.ContainsFunc(d.Marks, func(m drawing.Mark) bool { return m.Role == role })
}

func write(d *drawing.Drawing, x, y float64, at drawing.Anchor, role drawing.Role, text string) {
	d.Labels = append(d.Labels, drawing.Label{X: tenth(x), Y: tenth(y), Anchor: at, Role: role, Text: text})
}

// grid draws a level line for each tick of an upright axis, with its text on the left.
func grid(d *drawing.Drawing, y axis, right float64, ticks []float64, texts []string) {
	var lines path
	for i, text := range texts {
		lines.level(plotLeft, right, y.at(ticks[i]))
		write(d, plotLeft-8, y.at(ticks[i])+4, drawing.End, drawing.Axis, text)
	}
	addPath(d, drawing.Grid, lines)
}

// cut is as much of a text as there is room for, in letters. It is empty if that is less than least.
func cut(text string, room, least int) string {
	letters := []rune(text)
	switch {
	case len(letters) <= room:
		return text
	case room < least:
		return ""
	}
	return string(letters[:room-1]) + "…"
}

// narrowPlot is the width of a plot with margins on a telephone, in pixels.
const narrowPlot = 236

// labelRow places labels next to each other, from left to right. It has the end of the last label on a wide and on a
// narrow page, from the left margin on.
type labelRow struct{ end, narrowEnd float64 }

// put adds a label in the middle of x, unless it would overlap the one before it. A label that would do so on a
// narrow page is left out there.
func (r *labelRow) put(d *drawing.Drawing, x, y float64, role drawing.Role, text string) {
	width := 7.2 * float64(len([]rune(text))) // on the wide side: fonts differ
	from := plotLeft + x - d.Left - width/2
	narrowFrom := plotLeft + (x-d.Left)*narrowPlot/(d.Right-d.Left) - width/2
	if from < r.end {
		return
	}
	write(d, x, y, drawing.Middle, role, text)
	r.end = from + width
	if narrowFrom < r.narrowEnd {
		d.Labels[len(d.Labels)-1].Spare = true
		return
	}
	r.narrowEnd = narrowFrom + width
}
