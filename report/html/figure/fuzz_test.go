package figure

import (
	"encoding/binary"
	"math"
	"regexp"
	"testing"

	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
)

// shape is what a path is made of: neither NaN nor an exponent.
var shape = regexp.MustCompile(`^([MLHVChvZla ]|-?[0-9]+(\.[0-9])?)*$`)

// Whatever finite numbers were measured, drawings end, stay within their bounds, and
// hold nothing that is no number.
func FuzzDrawings(f *testing.F) {
	add := func(xs ...float64) {
		var b []byte
		for _, x := range xs {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		f.Add(b, 0.03)
	}
	add(1, 2, 3, 4)
	add(1, 1, 1, 1)
	add(-1e-12, 0, 1e-12, 5e-324)
	add(1e4, math.Nextafter(1e4, 2e4), 1e300, 1e-300)
	f.Fuzz(func(t *testing.T, data []byte, tolerance float64) {
		var xs []float64
		for ; len(data) >= 8 && len(xs) < 600; data = data[8:] {
			if x := math.Float64frombits(binary.LittleEndian.Uint64(data)); math.Abs(x) < 1e300 {
				xs = append(xs, x)
			}
		}
		if len(xs) < 2 || !(tolerance >= 0 && tolerance < 1e6) {
			return
		}
		o := result.Comparison{Ratio: 1.1, Low: ptr(1.0), High: ptr(1.2), Alpha: 0.01, Tolerance: tolerance, Change: result.Worse}
		c := paired(o, xs...)
		c.Params = []result.Param{{Name: "n", Text: "n", Number: &xs[0]}}
		forest, _ := Forest([]Row{{"a", "b", "c", &c.Comparisons[0]}})
		all := []*drawing.Drawing{Distribution(c), Strip(c), Ratios(c, &c.Comparisons[0]), Evidence(c, &c.Comparisons[0]), forest}
		for _, d := range all {
			check(t, d)
		}
	})
}

func check(t *testing.T, d *drawing.Drawing) {
	if d == nil {
		return
	}
	for _, m := range d.Marks {
		if !shape.MatchString(m.Path) {
			t.Errorf("%s: %s is %.200s", d.Title, m.Role, m.Path)
		}
	}
	for _, l := range d.Labels {
		if !(l.X >= 0 && l.X <= d.Width && l.Y >= 0 && l.Y <= d.Height+1) {
			t.Errorf("%s: %q at %g, %g of %g × %g", d.Title, l.Text, l.X, l.Y, d.Width, d.Height)
		}
	}
}

// Whatever a program says of its points, the pictures end and stay within their bounds.
func FuzzPegs(f *testing.F) {
	f.Add([]byte{0, 1, 0, 9, 1, 2, 0, 4, 2, 0, 0, 1, 1, 1, 0, 0})
	f.Add([]byte{255, 0, 2, 200, 0, 1, 2, 100, 1, 1, 2, 50, 1, 0, 2, 7})
	f.Add([]byte{0, 4, 1, 3, 0, 4, 0, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		kinds := []result.ArcKind{result.ArcNext, result.ArcDirected, result.ArcSpan}
		p := &result.Pegs{Iterations: int64(len(data) % 3), Seconds: 1}
		for ; len(data) >= 4 && len(p.Arcs) < 300; data = data[4:] {
			a := arcOf(pointOf(data[0]), pointOf(data[1]), int64(data[3]%5), math.Ldexp(float64(data[3]), int(data[2])-128))
			a.Kind = kinds[data[2]%3]
			p.Arcs = append(p.Arcs, a)
		}
		base := &result.Pegs{Iterations: 1, Arcs: p.Arcs[len(p.Arcs)/2:]}
		for _, d := range []*drawing.Drawing{Flow(p, nil, plainName), Flow(p, base, plainName), Spans(p, base, plainName)} {
			check(t, d)
		}
	})
}

// pointOf is a name, that of nothing for 255.
func pointOf(b byte) string {
	if b == 255 {
		return ""
	}
	return string(rune('a' + b%40))
}
