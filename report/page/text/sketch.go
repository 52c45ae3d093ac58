package text

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
	"example.com/suite/stats"
)

// sketchWidth is the number of columns of a figure.
const sketchWidth = 24

// sketch draws values as bars, each of which is the median of neighbours.
func (p *writer) sketch(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	heights := drawing.Heights(values, sketchWidth)
	low, high := slices.Min(heights), slices.Max(heights)
	middle := stats.Median(heights)
	reach := math.Max(high-low, math.Abs(middle)*0.05) // noise of 1 % is not drawn from bottom to top
	var b strings.Builder
	for _, h := range heights {
		level := int(math.Round((h - (low+high)/2) / reach * float64(len(levels)-1)))
		b.WriteRune(levels[max(0, min(len(levels)-1, level+len(levels)/2))])
	}
	if p.ASCII || p.ASCIIFigures {
		return display.Spell(b.String())
	}
	return b.String()
}

// The heights of bars, from low to high. In a histogram the lowest means no count.
var (
	levels      = []rune("▁▂▃▄▅▆▇█")
	asciiLevels = []rune("_.:-=+*#")
)

// mostBars is the number of columns of a histogram.
const mostBars = 10

// histogram draws counts as bars of one column each. If there are more, neighbours are added up.
func (p *writer) histogram(all []int) string {
	counts := make([]int, min(mostBars, len(all)))
	for i, n := range all {
		counts[i*len(counts)/len(all)] += n
	}
	levels := levels
	if p.ASCII || p.ASCIIFigures {
		levels = asciiLevels
	}
	most := max(1, slices.Max(counts))
	var b strings.Builder
	for _, n := range counts {
		level := 0
		if n > 0 {
			level = 1 + int(math.Round(float64(n)/float64(most)*float64(len(levels)-2)))
		}
		b.WriteRune(levels[level])
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
