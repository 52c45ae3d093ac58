package gate

import (
	"fmt"
	"testing"

	"example.com/suite/result"
)

// BenchmarkEvaluate10000 judges 10,000 gates of 2000 cases with 200 samples
// each; the aim is under 100 ms.
func BenchmarkEvaluate10000(b *testing.B) {
	exprs := []string{"time.median < 2.1ms", "time.median < 2.1ms and allocs.max == 0", "time.p99 < 10ms && time.n >= 100",
		"time.median < params.size * 1ms", "1.9ms < time.median < 2.1ms"}
	var cases []result.Case
	var sources []Source
	for i := range 2000 {
		c := typical()
		c.Name = fmt.Sprint("case", i)
		cases = append(cases, c)
		for _, e := range exprs {
			sources = append(sources, source(&c, e))
		}
	}
	set := compile(b, sources, nil)
	b.ReportAllocs()
	for b.Loop() {
		set.Assess(nil).Judge(cases)
	}
	if cases[1999].Gates[4].Verdict != result.Pass {
		b.Fatal(cases[1999].Gates[4])
	}
}

func BenchmarkCompile10000Alike(b *testing.B) {
	c := typical()
	sources := make([]Source, 10000)
	for i := range sources {
		sources[i] = source(&c, "time.median < 2.1ms and allocs.max == 0")
		sources[i].Case = fmt.Sprint("case", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		Compile(sources, nil)
	}
}

func BenchmarkCompile10000Different(b *testing.B) {
	c := typical()
	sources := make([]Source, 10000)
	for i := range sources {
		sources[i] = source(&c, fmt.Sprintf("time.median < %dns and allocs.max == 0", i))
	}
	for b.Loop() {
		Compile(sources, nil)
	}
}

// BenchmarkOpen asks after every block while a case grows to 10,000 samples
// with a gate that stays open.
func BenchmarkOpen(b *testing.B) {
	whole := sampled("c", "time", 2e-3, 0.1, 1000)
	set, _ := Compile([]Source{source(&whole, "time.median < 2ms")}, nil)
	for b.Loop() {
		watch := set.Watch()
		for n := 1; n <= 1000; n++ {
			c := whole
			c.Samples.Block = whole.Samples.Block[:10*n]
			c.Samples.Columns = map[string]result.Column{"time": whole.Samples.Columns["time"][:10*n]}
			watch.Open(&c)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/look")
}

// BenchmarkOpenPairs asks after every block while a case grows to 10,000 pairs with
// a comparison that stays open.
func BenchmarkOpenPairs(b *testing.B) {
	base, own := spread(10_000, 5000, 1.04, 1.02)
	whole := timed(base, own)
	s := source(&whole, "not worse(time, 3%)")
	s.Base = "b"
	set, _ := Compile([]Source{s}, nil)
	for b.Loop() {
		watch := set.Watch()
		for n := 10; n <= 10_000; n += 10 {
			c := timed(base[:n], own[:n])
			watch.Open(&c)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/look")
}
