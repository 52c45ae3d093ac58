package summary

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// folded gives the samples of a case that keeps a summary, block by block, and
// those of one that keeps them all.
func folded(blocks, size int, draw func(i int) float64) (kept, all result.Samples, f *Folds) {
	blank := func() result.Samples { return result.Samples{Columns: map[string]result.Column{}} }
	kept, all, f = blank(), blank(), NewFolds()
	for b := range blocks {
		for i := range size {
			x := draw(b*size + i)
			for _, s := range []*result.Samples{&kept, &all} {
				if i == 3 && b%7 == 0 { // one of a block in seven is disturbed
					s.Disturbed = append(s.Disturbed, result.Disturbed{Index: s.Len(), Cause: result.Preempted, Count: 1})
				}
				s.Columns["time"] = append(s.Columns["time"], x)
				s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, b), append(s.At, float64(b))
			}
		}
		f.Fold(&kept)
	}
	return kept, all, f
}

func TestASummaryTellsWhatAllSamplesTell(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	kept, all, f := folded(5000, 10, func(int) float64 { return math.Exp(0.1 * rng.NormFloat64()) })
	if kept.Len() > MostRows+1 || kept.Taken != 50_000 || len(f.streams["time"].chosen) > chosenOnes {
		t.Fatalf("%d rows, %d samples taken, %d chosen", kept.Len(), kept.Taken, len(f.streams["time"].chosen))
	}
	xs, _, _ := all.Headline("time")
	rows, blocks, _ := kept.Headline("time")
	var s result.Summary
	f.streams["time"].describe(&s)
	for _, test := range []struct {
		what            string
		got, want, near float64
	}{
		{"n", float64(s.N), float64(len(xs)), 0},
		{"mean", s.Mean, stats.Mean(xs), 1e-12},
		{"deviation", s.StdDev, stats.StdDev(xs), 1e-9},
		{"min", s.Min, stats.Quantile(xs, 0), 0},
		{"max", s.Max, stats.Quantile(xs, 1), 0},
		{"median", stats.Median(rows), stats.Median(xs), 0.004}, // noise that is skewed lifts the mean of medians
		{"p90", s.P90, stats.Quantile(xs, 0.9), 0.01},
		{"p99", s.P99, stats.Quantile(xs, 0.99), 0.02},
		{"MAD", s.MAD, stats.MAD(xs), 0.05},
	} {
		if math.Abs(test.got-test.want) > test.near*test.want {
			t.Errorf("%s = %g, want %g", test.what, test.got, test.want)
		}
	}
	low, high, err := stats.BlockInterval(rows, blocks, 0.99)
	if err != nil || low > 1 || high < 1 || high-low > 0.006 {
		t.Errorf("the median lies in %g to %g, %v", low, high, err)
	}
}

func TestRowsOfASummaryStayInOrder(t *testing.T) {
	kept, _, _ := folded(2000, 10, func(i int) float64 { return float64(1 + i/10) })
	last := 0.0
	for i, x := range kept.Columns["time"] {
		if x <= last || kept.Block[i] != i || i > 0 && kept.At[i] <= kept.At[i-1] {
			t.Fatalf("row %d: %g behind %g, block %d, at %g", i, x, last, kept.Block[i], kept.At[i])
		}
		last = x
	}
	if len(kept.Columns["time"]) != kept.Len() || len(kept.Launch) != kept.Len() || len(kept.At) != kept.Len() {
		t.Errorf("%d times, %d launches, %d rows", len(kept.Columns["time"]), len(kept.Launch), kept.Len())
	}
}

// A journal holds what was gathered, and JSON has no word for the throughput of
// a time of zero.
func TestASummaryOfTimesOfZeroCanBeWritten(t *testing.T) {
	for _, first := range []float64{0, 1e-9} { // all of the first block, or none
		_, _, f := folded(3, 10, func(i int) float64 { return first * float64(10-i) })
		text, err := json.Marshal(f.Record())
		if err != nil {
			t.Fatal(err)
		}
		var r FoldsRecord
		if err := json.Unmarshal(text, &r); err != nil || r.Check(3) != nil {
			t.Errorf("%v, %v", err, r.Check(3))
		}
	}
}
