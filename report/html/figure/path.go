package figure

import (
	"math"
	"strconv"
)

// path is the text of an SVG path, to a tenth of a unit: finer than a screen shows.
type path []byte

func tenth(x float64) float64 { return math.Round(10*x) / 10 }

func (p *path) to(command byte, xs ...float64) {
	*p = append(*p, command)
	for i, x := range xs {
		if i > 0 {
			*p = append(*p, ' ')
		}
		*p = strconv.AppendFloat(*p, tenth(x)+0, 'f', -1, 64) // +0 turns −0 into 0
	}
}

func (p *path) move(x, y float64) { p.to('M', x, y) }
func (p *path) line(x, y float64) { p.to('L', x, y) }

// dot is a line of no length: its size is the width of a pen with round ends.
func (p *path) dot(x, y float64) {
	p.move(x, y)
	p.to('h', 0)
}

// upright is a line from one height to another.
func (p *path) upright(x, y1, y2 float64) {
	p.move(x, y1)
	p.to('V', y2)
}

// level is a line from left to right.
func (p *path) level(x1, x2, y float64) {
	p.move(x1, y)
	p.to('H', x2)
}

// bow is a curve that leaves and arrives level, with both control points at x = side.
func (p *path) bow(x1, y1, x2, y2, side float64) {
	p.move(x1, y1)
	p.to('C', side, y1, side, y2, x2, y2)
}

// box is an area.
func (p *path) box(x1, y1, x2, y2 float64) {
	p.move(x1, y1)
	p.to('H', x2)
	p.to('V', y2)
	p.to('H', x1)
	*p = append(*p, 'Z')
}

// ring is a circle of radius r.
func (p *path) ring(x, y, r float64) {
	p.move(x-r, y)
	p.to('a', r, r, 0, 1, 0, 2*r, 0)
	p.to('a', r, r, 0, 1, 0, -2*r, 0)
}

// arrow is a triangle with its tip at x, y; size is its height, negative if it points up.
func (p *path) arrow(x, y, size float64) {
	p.move(x, y)
	p.to('l', -size/2, -size)
	p.to('h', size)
	*p = append(*p, 'Z')
}

// headLength is the length of the arrowhead of an arc.
const headLength = 7

// tipDown is the arrowhead of a line of a width that goes down to x, y.
func (p *path) tipDown(x, y, width float64) {
	p.move(x, y)
	p.to('l', -width/2-2, -headLength)
	p.to('h', width+4)
	*p = append(*p, 'Z')
}

// tipAside is the arrowhead of a line that arrives at x, y from the right if side is 1,
// from the left if it is -1.
func (p *path) tipAside(x, y, side, width float64) {
	p.move(x, y)
	p.to('l', side*headLength, -width/2-2)
	p.to('v', width+4)
	*p = append(*p, 'Z')
}

// arrowRight is a triangle with its tip at x, y that points right, or left if its length
// is negative.
func (p *path) arrowRight(x, y, length float64) {
	p.move(x, y)
	p.to('l', -length, -5)
	p.to('v', 10)
	*p = append(*p, 'Z')
}
