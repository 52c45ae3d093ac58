package summary

import (
	"math/rand/v2"
	"testing"

	"example.com/suite/result"
)

// BenchmarkKeep compares what a case costs suite per sample if all samples are kept and if only
// their summary is: blocks are taken, and at the end every metric is summarised.
func BenchmarkKeep(b *testing.B) {
	names := []string{"time", "wall", "cpu", "thread_cpu", "switches"}
	const blocks, size = 1000, 100
	rng := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, size)
	for i := range xs {
		xs[i] = 1e-9 * (1 + rng.ExpFloat64())
	}
	for _, keep := range []string{"samples", "summary"} {
		b.Run(keep, func(b *testing.B) {
			for b.Loop() {
				c := result.Case{Kind: result.KindGo, Settings: result.Settings{Confidence: 0.95}, Samples: result.Samples{Columns: map[string]result.Column{}}}
				side := &Side{Case: &c, Iterations: 300}
				if keep == "summary" {
					side.Folds = NewFolds()
				}
				for block := range blocks {
					for i, x := range xs {
						for _, name := range names {
							c.Samples.Columns[name] = append(c.Samples.Columns[name], x*float64(1+(i+block)%7))
						}
						c.Samples.Launch, c.Samples.Block, c.Samples.At = append(c.Samples.Launch, 0), append(c.Samples.Block, block), append(c.Samples.At, x)
					}
					if side.Folds != nil {
						side.Folds.Fold(&c.Samples)
					}
				}
				for _, name := range names {
					m, _ := result.FindMetric(name)
					side.Summary(m)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*blocks*size), "ns/sample")
		})
	}
}
