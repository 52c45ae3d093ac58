package table

import (
	"strings"
	"testing"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
)

// One unit serves a column while every number reads well in it.
func TestColumnShares(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		{[]float64{950e-9, 1.2e-6, 8e-6}, "0.950 µs, 1.20 µs, 8.00 µs"},
		{[]float64{3e-9, 500e-9}, "3.00 ns, 500 ns"},
		{[]float64{3e-9, 5e-3}, "3.00 ns, 5.00 ms"}, // too far apart
		{[]float64{0, 5e-3}, "0.00 ms, 5.00 ms"},
	} {
		cells := number.NewCells(len(c.xs))
		for i, x := range c.xs {
			cells.Put(i, number.Value{X: x}, units.Time)
		}
		var got []string
		for _, cell := range cells.All() {
			got = append(got, cell.Number+" "+cell.Unit)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%v: got %v, want %s", c.xs, got, c.want)
		}
	}
}

// Exact counts are printed as 1 or more, and zero without a prefix.
func TestExactCountsStayWhole(t *testing.T) {
	of := func(s units.Scale, unit string, xs ...float64) (texts []string) {
		cells := number.NewCells(len(xs))
		for i, x := range xs {
			cells.Put(i, number.Value{X: x, Unit: unit}, s)
		}
		for _, c := range cells.All() {
			texts = append(texts, strings.TrimSpace(c.Number+" "+c.Unit))
		}
		return texts
	}
	for want, got := range map[string][]string{
		"116, 12.3k, 0":             of(units.Count, number.CountUnit, 116, 12345, 0),
		"12.0k, 12.3k, 0":           of(units.Count, number.CountUnit, 12000, 12345, 0),
		"0 B, 64.0 KiB, 2.00 KiB":   of(units.Bytes, "", 0, 65536, 2048),
		"512 B, 64.0 KiB, 1.50 MiB": of(units.Bytes, "", 512, 65536, 3<<19),
	} {
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("got %s, want %s", text, want)
		}
	}
}
