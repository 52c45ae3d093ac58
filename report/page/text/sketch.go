package text

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
	"example.com/suite/stats"
)

// sketchWidth is the number of columns of a figure.
const sketchWidth = 24

// sketch draws values as bars, each of which is the median of neighbours.
func (p *writer) sketch(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	columns := min(sketchWidth, len(values))
	heights := make([]float64, columns)
	for i := range heights {
		heights[i] = stats.Median(values[i*len(values)/columns : (i+1)*len(values)/columns])
	}
	low, high := slices.Min(heights), slices.Max(heights)
	blocks := []rune("▁▂▃▄▅▆▇█")
	middle := stats.Median(heights)
	reach := math.Max(high-low, math.Abs(middle)*0.05) // noise of 1 % is not drawn from bottom to top
	var b strings.Builder
	for _, h := range heights {
		level := int(math.Round((h - (low+high)/2) / reach * float64(len(blocks)-1)))
		b.WriteRune(blocks[max(0, min(len(blocks)-1, level+len(blocks)/2))])
	}
	if p.ASCII || p.ASCIIFigures {
		return display.Spell(b.String())
	}
	return b.String()
}

// Columns of the longest bar: at most, and if there is no room.
const longestBar, leastBar = 40, 8

// bars draws each count above 0 as one column or more, and a line where there is a limit.
func (p *writer) bars(b page.Bars, at string) {
	labels, full, after := 0, 1, 0
	for _, r := range b.Rows {
		labels = max(labels, display.Width(p.visible(r.Label)))
		full = max(full, r.Count)
		after = max(after, display.Width(p.visible(r.Limit)), display.Width(p.visible(counted(r))))
	}
	room := max(leastBar, min(longestBar, p.room(at)-labels-display.Width(" ┼ ")-after))
	blank := at + strings.Repeat(" ", labels+1)
	p.line(blank+"  ", blank+"  ", b.Caption)
	for _, r := range b.Rows {
		if r.Limit != "" {
			p.line(blank, blank, page.Toned(page.Doubtful, "┼"+strings.Repeat("┈", room)+" "+r.Limit))
		}
		label := at + display.PadLeft(p.visible(r.Label), labels) + " "
		bar := ""
		if r.Count > 0 {
			bar = strings.Repeat("█", max(1, r.Count*room/full))
		}
		p.line(label, blank, page.Text("│"+bar+counted(r)))
	}
}

// counted is what comes after the bar.
func counted(r page.Bar) (text string) {
	if r.Count > 0 {
		text = fmt.Sprintf(" %d", r.Count)
	}
	for _, note := range r.Notes {
		text += "  " + note
	}
	return text
}
