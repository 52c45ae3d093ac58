package planted

import "example.com/suite/bench"

func init() {
	register("struct", func(*bench.Case) func() int {
		points := make([]point, 8000)
		for i := range points {
			points[i] = point{x: float64(i * 7919 % 4001), y: float64(i)}
		}
		return func() int { return nearest(points) }
	})
}

type point struct {
	x, y float64
	tag  int
}

//go:noinline
func nearest(points []point) (at int) {
	best := 1e300
	for i := range points {
		if d := points[i].x*points[i].x + points[i].y*points[i].y; d < best {
			best = d
			at = i
		}
	}
	return at
}
