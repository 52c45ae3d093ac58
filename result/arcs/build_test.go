package arcs_test

import (
	"math"
	"slices"

	"example.com/suite/result"
)

// arc makes an arc of the times given, seconds, without a histogram.
func arc(from, to string, times ...float64) result.Arc {
	a := result.Arc{From: from, To: to, Count: int64(len(times)), Min: slices.Min(times), Max: slices.Max(times)}
	for _, x := range times {
		a.Sum += x
	}
	a.Mean = a.Sum / float64(len(times))
	squares := 0.0
	for _, x := range times {
		squares += (x - a.Mean) * (x - a.Mean)
	}
	if len(times) > 1 {
		a.StdDev = math.Sqrt(squares / float64(len(times)-1))
	}
	return a
}

// binned gives an arc its histogram, whose bins are an eighth of their power of two wide.
func binned(a result.Arc, times ...float64) result.Arc {
	counts := map[float64]float64{}
	for _, x := range times {
		counts[lowOf(x)]++
	}
	for low, n := range counts {
		a.Histogram = append(a.Histogram, result.ArcBin{low, low + widthOf(low), n})
	}
	slices.SortFunc(a.Histogram, func(x, y result.ArcBin) int { return int(math.Copysign(1, x[0]-y[0])) })
	return a
}

func lowOf(x float64) float64 { return math.Floor(x/widthOf(x)) * widthOf(x) }

func widthOf(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(0.125, e-1)
}

func onLane(lane string, a result.Arc) result.Arc { a.Lane = lane; return a }

func ofKind(kind result.ArcKind, a result.Arc) result.Arc { a.Kind = kind; return a }

// pegs has points in the order given, each hit as often as arcs of the kind next end
// there or, where more begin there, begin there.
func pegs(points []string, arcs ...result.Arc) *result.Pegs {
	p := &result.Pegs{Clock: "wall", Iterations: 10, Seconds: 1, Arcs: arcs}
	for _, name := range points {
		var in, out int64
		for _, a := range arcs {
			if a.Kind == result.ArcNext && a.To == name {
				in += a.Count
			}
			if a.Kind == result.ArcNext && a.From == name {
				out += a.Count
			}
		}
		p.Points = append(p.Points, result.PegPoint{Name: name, Hits: max(in, out)})
	}
	return p
}
