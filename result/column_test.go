package result_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/stats"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var nan = math.NaN()

// awkward numbers: the ends of float64, those at which the notation changes, and
// some with 17 digits.
var awkward = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 1e-6, 9.999999999999999e-7, 1e-9, -4.123456789012345e-10,
	1e20, 1e21, 123456789012345680000, 5e-324, 2.2250738585072014e-308, math.MaxFloat64, -math.MaxFloat64, 1e100, 1e-100, 12e9}

// Numbers are written as encoding/json writes them, so that old documents and
// new ones are of one spelling, and read back to the last bit.
func TestColumnIsWrittenAsEncodingJSONDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	xs := slices.Clone(awkward)
	for len(xs) < 20000 {
		if x := math.Float64frombits(rng.Uint64()); !math.IsNaN(x) && !math.IsInf(x, 0) {
			xs = append(xs, x, rng.Float64(), float64(rng.IntN(1000)))
		}
	}
	want, err := json.Marshal(xs)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(result.Column(xs))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %.300s\nwant %.300s", got, want)
	}
	var back result.Column
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	for i := range xs {
		if math.Float64bits(xs[i]) != math.Float64bits(back[i]) {
			t.Errorf("%v came back as %v", xs[i], back[i])
		}
	}
}

func TestColumnGapsAreNull(t *testing.T) {
	c := result.Column{nan, 1.5, nan, 0}
	text, err := json.Marshal(c)
	if err != nil || string(text) != "[null,1.5,null,0]" {
		t.Errorf("got %s, %v", text, err)
	}
	for text, want := range map[string]result.Column{
		"[null,1.5,null,0]":                 c,
		" [ null ,\n1.5\t, null,0 ] ":       c,
		"[]":                                {},
		"[ ]":                               {},
		"null":                              nil,
		"[-0.5e-3, 1E+2]":                   {-0.5e-3, 100},
		"[" + strings.Repeat(" ", 9) + "7]": {7},
	} {
		var got result.Column
		if err := json.Unmarshal([]byte(text), &got); err != nil || !cmp.Equal(got, want, cmpopts.EquateNaNs()) {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"3", "{}", `"x"`, "[[]]", `["1"]`, "[true]", "[1,{}]", "[1e999]", `[1,"a,b]"]`, "[false,1]"} {
		got := result.Column{4}
		if err := json.Unmarshal([]byte(text), &got); err == nil || !strings.Contains(err.Error(), "in a column of samples") {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	if _, err := json.Marshal(result.Column{1, math.Inf(-1)}); err == nil {
		t.Error("an infinite number was written")
	}
}

func TestColumnPresent(t *testing.T) {
	for _, c := range []struct {
		col  result.Column
		want []float64
	}{{result.Column{nan, 1, nan, 2}, []float64{1, 2}}, {result.Column{1, 2, nan}, []float64{1, 2}}, {result.Column{nan, nan}, nil},
		{result.Column{3, 4}, []float64{3, 4}}, {nil, nil}} {
		if got := c.col.Present(); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v", c.col, got)
		}
	}
}

// gappy has 12 blocks of 10 rows: times of 1 to 120 s, ticks of every second
// row, none in the blocks 4 and 5, cycles in no row at all.
func gappy() *result.Samples {
	s := &result.Samples{Columns: map[string]result.Column{}}
	for i := range 120 {
		ticks := nan
		if i%2 == 1 && i/10 != 4 && i/10 != 5 {
			ticks = float64(1000 + i)
		}
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i/10), append(s.At, float64(i))
		s.Columns["time"] = append(s.Columns["time"], float64(i+1))
		s.Columns["ticks"] = append(s.Columns["ticks"], ticks)
		s.Columns["cycles"] = append(s.Columns["cycles"], nan)
	}
	return s
}

// Medians, counts, blocks and intervals of a column with gaps are those of its
// numbers alone.
func TestHeadlineLeavesGapsOut(t *testing.T) {
	s := gappy()
	xs, blocks, all := s.Headline("ticks")
	if len(xs) != 50 || len(blocks) != 50 || all {
		t.Fatalf("%d values in %d blocks, all: %t", len(xs), len(blocks), all)
	}
	if got := stats.Median(xs); got != 1070 { // 20 values up to 1039, 30 from 1061 on: between the 5th and 6th of those
		t.Errorf("median %v", got)
	}
	if got := len(stats.GroupMedians(xs, blocks)); got != 10 {
		t.Errorf("%d blocks, want 10", got)
	}
	for i, x := range xs {
		if x != s.Columns["ticks"][int(x)-1000] || blocks[i] != (int(x)-1000)/10 {
			t.Errorf("value %v is said to be of block %d", x, blocks[i])
		}
	}
	// The same numbers without the rows that have none.
	dense := &result.Samples{Columns: map[string]result.Column{"ticks": xs}, Block: blocks}
	low, high, err := stats.BlockInterval(xs, blocks, 0.95)
	low2, high2, err2 := stats.BlockInterval(dense.Columns["ticks"], dense.Block, 0.95)
	if err != nil || err2 != nil || low != low2 || high != high2 {
		t.Errorf("[%v, %v] %v and [%v, %v] %v", low, high, err, low2, high2, err2)
	}
}

// A column in which no row has a number is as if it were not there.
func TestColumnWithoutNumbersIsNone(t *testing.T) {
	s := gappy()
	for _, name := range []string{"cycles", "instructions"} {
		xs, blocks, _ := s.Headline(name)
		if s.Column(name) != nil || len(xs) != 0 || len(blocks) != 0 {
			t.Errorf("%s: %v, %v, %v", name, s.Column(name), xs, blocks)
		}
	}
	if rates := s.Column("throughput"); len(rates) != 120 || rates[3] != 0.25 {
		t.Errorf("throughput is not that of the times: %v", rates)
	}
	delete(s.Columns, "time")
	if s.Column("throughput") != nil {
		t.Error("throughput without times")
	}
}

// Half of those that have a value decides whether disturbed ones are left out.
func TestHeadlineCountsDisturbedAmongPresent(t *testing.T) {
	const x = 1e9 // what a disturbed row holds
	for _, c := range []struct {
		col       result.Column
		disturbed []int
		want      []float64
		all       bool
	}{
		{result.Column{1, x, 3, x}, []int{1, 3}, []float64{1, 3}, false},
		{result.Column{1, x, x, x}, []int{1, 2, 3}, []float64{1, x, x, x}, true},
		{result.Column{1, nan, x, nan}, []int{2}, []float64{1}, false},
		{result.Column{1, nan, nan, nan}, []int{1, 2, 3}, []float64{1}, false}, // no disturbed one has a value
		{result.Column{1, 2, 3, x, x}, []int{3, 4}, []float64{1, 2, 3}, false},
		{result.Column{nan, nan, 3, x, x}, []int{3, 4}, []float64{3, x, x}, true},
		{result.Column{x, nan}, []int{0}, []float64{x}, true},
		{result.Column{nan, nan}, []int{0}, []float64{}, false},
		{result.Column{1, 2}, nil, []float64{1, 2}, false},
	} {
		s := &result.Samples{Columns: map[string]result.Column{"cpu": c.col}}
		for i := range c.col {
			s.Block = append(s.Block, i)
		}
		for _, i := range c.disturbed {
			s.Disturbed = append(s.Disturbed, result.Disturbed{Index: i})
		}
		xs, blocks, all := s.Headline("cpu")
		if !slices.Equal(xs, c.want) || all != c.all || len(blocks) != len(xs) {
			t.Errorf("%v, disturbed %v: got %v, %v, %t", c.col, c.disturbed, xs, blocks, all)
		}
		for i, b := range blocks {
			if c.col[b] != xs[i] {
				t.Errorf("%v: %v is not of row %d", c.col, xs[i], b)
			}
		}
	}
}

func TestCountIsOfSamplesTaken(t *testing.T) {
	s := gappy()
	if s.Count() != 120 {
		t.Errorf("every row is a sample: %d", s.Count())
	}
	if s.Taken = 1_000_000; s.Count() != 1_000_000 || s.Len() != 120 {
		t.Errorf("%d samples in %d rows", s.Count(), s.Len())
	}
}

func BenchmarkColumn(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, 1000)
	for i := range xs {
		xs[i] = math.Round(1e4*(1+rng.Float64())) * 1e-13
	}
	text, _ := json.Marshal(xs)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			json.Marshal(result.Column(xs))
		}
	})
	b.Run("write plain", func(b *testing.B) {
		for b.Loop() {
			json.Marshal(xs)
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			var c result.Column
			json.Unmarshal(text, &c)
		}
	})
	b.Run("read plain", func(b *testing.B) {
		for b.Loop() {
			var c []float64
			json.Unmarshal(text, &c)
		}
	})
}
