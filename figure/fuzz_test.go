package figure

import (
	"encoding/binary"
	"math"
	"regexp"
	"testing"

	"example.com/suite/result"
)

// shape is what a path is made of: neither NaN nor an exponent.
var shape = regexp.MustCompile(`^([MLHVhvZla ]|-?[0-9]+(\.[0-9])?)*$`)

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
		forest, _ := Forest([]Row{{"a", "b", &c.Comparisons[0]}})
		all := []*Drawing{Distribution(c), Strip(c), Ratios(c, &c.Comparisons[0]), Evidence(c, &c.Comparisons[0]), forest}
		for _, d := range all {
			check(t, d)
		}
		if s := Spark(c); !shape.MatchString(s) {
			t.Errorf("spark %s", s)
		}
	})
}

func check(t *testing.T, d *Drawing) {
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
