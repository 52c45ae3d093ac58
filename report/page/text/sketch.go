package text

import (
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/display"
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
