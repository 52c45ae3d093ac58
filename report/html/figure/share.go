package figure

import (
	"fmt"

	"example.com/suite/report/page/drawing"
)

// Part is one part of a bar.
type Part struct {
	Role  drawing.Role
	Text  string
	Count int
}

const (
	shareWidth  = 560
	shareHeight = 12
	leastShare  = 3 // width of a part, so that one failure of 10,000 gates is seen
)

// Shares draws a bar with each part's share of the whole. It returns nil if all counts
// are 0.
func Shares(title string, parts []Part) *drawing.Drawing {
	total, room := 0, float64(shareWidth)
	for _, p := range parts {
		total += p.Count
		if p.Count > 0 {
			room -= leastShare
		}
	}
	if total == 0 {
		return nil
	}
	d := &drawing.Drawing{Width: shareWidth, Right: shareWidth, Height: shareHeight, Title: title}
	x := 0.0
	for _, part := range parts {
		if part.Count == 0 {
			continue
		}
		width := leastShare + room*float64(part.Count)/float64(total)
		var p path
		p.box(x, 0, max(x+1, x+width-1), shareHeight)
		d.Marks = append(d.Marks, drawing.Mark{
			Role: part.Role,
			Path: string(p),
			Tip:  fmt.Sprintf("%s: %d", part.Text, part.Count),
		})
		x += width
		d.Desc += fmt.Sprintf("%d %s, ", part.Count, part.Text)
	}
	d.Desc = d.Desc[:len(d.Desc)-len(", ")]
	return d
}
