package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
)

// sized are cases of one benchmark at sizes, whose medians are cost(size).
func sized(sizes []float64, cost func(float64) float64) (cases []result.Case) {
	for _, n := range sizes {
		c := sampled(fmt.Sprintf("sort/%g", n), "time", cost(n), 0.01, 8)
		c.Params = []result.Param{{Name: "size", Text: fmt.Sprint(n), Number: &n}}
		cases = append(cases, c)
	}
	return cases
}

var fiveSizes = []float64{16, 128, 1024, 8192, 65536}

func TestOrderOfSizes(t *testing.T) {
	linear := func(n float64) float64 { return 1e-9 * n }
	logged := func(n float64) float64 { return 1e-9 * n * math.Log2(n) }
	squared := func(n float64) float64 { return 1e-9 * n * n }
	cubed := func(n float64) float64 { return 1e-9 * n * n * n }
	lateCubed := func(n float64) float64 { return 1e-9 * (50*8*8*8 + n*n*n) } // the fixed cost hides how fast it grows
	between := func(n float64) float64 { return 1e-9 * (50*math.Pow(8, 2.7) + math.Pow(n, 2.7)) }
	scattered := func(n float64) float64 { return 1e-6 * (1 + 50*math.Mod(math.Log2(n), 2)) }
	broken := sized(fiveSizes, linear)
	broken[1].Status, broken[2].Status = result.Failed, result.NotRun
	below := sized(fiveSizes, linear)
	for i := range 3 {
		below[i].Metrics[0].Bound = &below[i].Metrics[0].Median
	}
	other := sized(fiveSizes, linear)
	for i := range 3 {
		other[i].Place.Line = 99 // another benchmark
	}
	two := sized(fiveSizes, linear)
	for _, level := range []float64{2, 3, 4} {
		c := sized(fiveSizes[:1], linear)[0]
		c.Params = append(c.Params, result.Param{Name: "level", Text: fmt.Sprint(level), Number: &level})
		c.Name += fmt.Sprint(" at level ", level)
		two = append(two, c) // of the same size as the smallest
	}
	one := 1.0
	for i := range fiveSizes {
		two[i].Params = append(two[i].Params, result.Param{Name: "level", Text: "1", Number: &one})
	}
	for _, c := range []struct {
		expr    string
		cases   []result.Case
		verdict result.Verdict
		reason  string
	}{
		{`order(time) <= "n"`, sized(fiveSizes, linear), result.Pass, ""},
		{`order(time) <= "n log n"`, sized(fiveSizes, logged), result.Pass, ""},
		{`order(time) < "O(n log n)"`, sized(fiveSizes, linear), result.Pass, ""},
		{`"n²" > order(time)`, sized(fiveSizes, logged), result.Pass, ""},
		{`order(time) == "n^2" and time.max < 1h`, sized(fiveSizes, squared), result.Pass, ""},
		{`order(time) != "1"`, sized(fiveSizes, linear), result.Pass, ""},
		{`order(time) >= "n"`, sized(fiveSizes, linear), result.Pass, ""},
		{`order(time) <= "n"`, sized(fiveSizes, logged), result.Fail, "order(time) is O(n log n) (off by 0%, n^1.16, 5 sizes), limit O(n)"},
		{`not (order(time) > "n log n")`, sized(fiveSizes, squared), result.Fail, "order(time) is O(n^2) (off by 0%, n^2.00, 5 sizes), limit O(n log n)"},
		{`order(time) <= "n"`, sized(fiveSizes, scattered), result.Inconclusive, "no class fits"},
		{`order(time) <= "n^2"`, sized(fiveSizes, scattered), result.Inconclusive, "order(time) is not known: no class fits (the nearest is O("},
		{`order(time) <= "n^2"`, sized(fiveSizes, cubed), result.Inconclusive, "no class fits (the nearest is O(n^2), off by "},
		{`order(time) >= "1"`, sized(fiveSizes, cubed), result.Inconclusive, "no class fits"},
		{`order(time) <= "n^2"`, sized([]float64{8, 16, 32, 64}, cubed), result.Inconclusive, "no class fits"},
		{`order(time) <= "n^2"`, sized([]float64{8, 16, 32, 64}, lateCubed), result.Inconclusive, "no class fits"},
		{`order(time) <= "n^2"`, sized([]float64{8, 16, 32, 64}, between), result.Inconclusive, "order(time) is unclear: O(n^2) or faster ("},
		{`order(time) > "n log n"`, sized([]float64{8, 16, 32, 64}, between), result.Pass, ""},
		{`order(time) <= "n log n"`, sized([]float64{8, 16, 32, 64}, between), result.Fail, "or faster"},
		{`order(time) <= "n"`, sized([]float64{8, 16, 32, 64}, func(n float64) float64 { return 20 + n }), result.Inconclusive, "unclear: O("},
		{`order(time) <= "n^2"`, sized([]float64{8, 16, 32, 64}, logged), result.Pass, ""}, // all that it may be are within it
		{`order(time) <= "n"`, sized([]float64{8, 16, 32}, linear), result.Inconclusive, "this case is one of fewer than 4 sizes"},
		{`order(time) <= "n"`, sized([]float64{8, 16, 32, 63}, linear), result.Inconclusive, "the largest size is less than 8 times the smallest"},
		{`order(time) <= "n"`, broken, result.Inconclusive, "fewer than 4 different sizes"},
		{`order(time) <= "n"`, below, result.Inconclusive, "fewer than 4 different sizes"},
		{`order(time) <= "n"`, other, result.Inconclusive, "this case is one of fewer than 4 sizes"},
		{`order(time) <= "n"`, two, result.Inconclusive, "several parameters are sizes: size, level"},
	} {
		g := suiteOf(t, c.expr, c.cases...)
		if g.Verdict != c.verdict || !strings.Contains(g.Reason, c.reason) || (c.reason == "") != (g.Reason == "") || g.Form != result.FormPoint {
			t.Errorf("%s of %d sizes: %s (%s): %s", c.expr, len(c.cases), g.Verdict, g.Form, g.Reason)
		}
	}
}

// A gate on the order of all sizes does not steer the sampling of one of them.
func TestOrderDoesNotSteer(t *testing.T) {
	cases := sized(fiveSizes, func(n float64) float64 { return n })
	set := compile(t, []Source{source(&cases[0], `order(time) <= "n"`)}, nil)
	if open, decided := set.Watch().Open(&cases[0]); open != 0 || decided != 0 {
		t.Errorf("%d open, %d decided", open, decided)
	}
}

// Times of several machines do not show how a time grows.
func TestOrdersAreOfOneMachine(t *testing.T) {
	cases := sized(fiveSizes, func(n float64) float64 { return n })
	for i := range cases {
		cases[i].Shard = 1
	}
	if orders := Orders(cases); len(orders) != 1 {
		t.Errorf("on one machine: %+v", orders)
	}
	cases[4].Shard = 2
	if orders := Orders(cases); len(orders) != 0 {
		t.Errorf("on two machines: %+v", orders)
	}
}

// Orders reports each family with enough sizes once.
func TestOrdersOfFamilies(t *testing.T) {
	cases := append(sized(fiveSizes, func(n float64) float64 { return n }), sampled("alone", "time", 1, 0.01, 8))
	few := sized([]float64{1, 2, 3}, func(n float64) float64 { return n })
	for i := range few {
		few[i].Place.Line = 7
	}
	for i, mode := range append(slices.Repeat([]string{"slow"}, len(fiveSizes)), slices.Repeat([]string{"fast"}, len(fiveSizes))...) {
		c := sized(fiveSizes, func(n float64) float64 { return 1e-9 * n * n })[i%len(fiveSizes)]
		c.Name, c.Place.Line = mode+"/"+c.Name, 9
		c.Params = append(c.Params, result.Param{Name: "mode", Text: mode})
		few = append(few, c)
	}
	orders := Orders(append(cases, few...))
	if len(orders) != 3 || orders[1].Family != "slow/sort" || orders[2].Family != "fast/sort" || orders[2].Plausible[0] != "n^2" {
		t.Fatalf("%+v", orders)
	}
	orders = orders[:1]
	if len(orders) != 1 || orders[0].Family != "sort" || orders[0].Param != "size" || orders[0].Cases != 5 || orders[0].From != 16 || orders[0].To != 65536 {
		t.Fatalf("%+v", orders)
	}
	if class, clear := orders[0].Clear(); !clear || class != "n" {
		t.Errorf("%+v", orders[0])
	}
}
