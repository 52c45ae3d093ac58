// Package reporttest builds result documents for the tests of reports, out of a few words.
package reporttest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Ptr returns a pointer to x.
func Ptr[T any](x T) *T { return &x }

// Document returns a document of suites without cases, each with a calibration.
func Document(suites ...string) *result.Document {
	d := &result.Document{
		Schema:  result.Schema,
		Tool:    result.Tool{Name: "suite", Version: "0.1.0", Go: "go1.26.8"},
		Started: time.Date(2026, 11, 20, 13, 20, 5, 0, time.UTC),
		Seconds: 18.42, Seed: "9f3c51d07a2be84466f01c9d5e3a7b18",
		Machine: result.Machine{
			OS: "linux", Arch: "amd64", Kernel: "6.1.0-28", CPU: "AMD EPYC 7B13", CPUs: 2,
			GOMAXPROCS: 2, Memory: 8 << 30, Virtual: "kvm", Load: "0.31 0.20 0.11",
		},
	}
	for _, name := range suites {
		d.Suites = append(d.Suites, result.Suite{
			Name:           name,
			File:           "suites/" + name + ".yaml",
			Hash:           "sha256:5f2a",
			OnInconclusive: "list",
		})
		d.Calibrations = append(d.Calibrations, result.Calibration{
			Suite: name, Host: "go", Binary: "sha256:77b0",
			Clock:  result.ClockInfo{Name: "wall", Resolution: 1e-9, Cost: 41.3e-9, CostError: 1.2e-9},
			Direct: &result.LoopCost{Batch: 41e-9, BatchError: 1e-9, Iteration: 0.31e-9, IterationError: 0.03e-9},
			Indirect: &result.LoopCost{
				Batch:          41e-9,
				BatchError:     1e-9,
				Iteration:      1.24e-9,
				IterationError: 0.06e-9,
			},
			Seconds: 0.21,
		})
	}
	return d
}

// Measure adds a case whose time has the median given, in seconds, and an
// interval that reaches the share spread of it to either side.
func Measure(d *result.Document, name string, median, spread float64) *result.Case {
	suite := d.Suites[len(d.Suites)-1]
	d.Cases = append(d.Cases, result.Case{
		Suite: suite.Name, Name: name, Kind: result.KindGo, Unit: "op", Work: 1, Status: result.Measured,
		Identity: result.Identity{Function: name}, Stop: "target_time", Seconds: 1.31, Loop: "direct", Thread: "locked",
		Launches: 1,
		Settings: result.Settings{
			Warmup: 0.1, SampleTime: 1e-3, TargetTime: 1, MaxTime: 10, Timeout: 60, SamplesMin: 20, SamplesMax: 10000,
			Coalesce: 5, GC: "on", Thread: "auto", Confidence: 0.95,
		},
		Iterations: max(1, int64(1e-3/median)), ClockCost: 41.3e-9, Place: diag.Place{
			File: suite.File,
			Line: 5 + len(d.Cases),
			Col:  5,
		},
	})
	c := &d.Cases[len(d.Cases)-1]
	Sample(c, 12, median, spread)
	return c
}

// Sample fills the raw columns and their summaries.
func Sample(c *result.Case, n int, median, spread float64) {
	rng := rand.New(rand.NewPCG(uint64(len(c.Name)), 7))
	c.Samples = result.Samples{Columns: map[string]result.Column{}}
	for i := range n {
		x := Digits(median*(1+spread*rng.NormFloat64()), 5)
		c.Samples.Launch, c.Samples.Block = append(c.Samples.Launch, 0), append(c.Samples.Block, i/10)
		c.Samples.At = append(c.Samples.At, float64(i)/1000)
		c.Samples.Columns["time"] = append(c.Samples.Columns["time"], x)
		c.Samples.Columns["wall"] = append(c.Samples.Columns["wall"], x)
		c.Samples.Columns["cpu"] = append(c.Samples.Columns["cpu"], Digits(0.996*x, 5))
	}
	c.Metrics = []result.Summary{
		Summary("time", "s", median, spread), Summary("wall", "s", median, spread), Summary("cpu",
			"s", 0.996*median, spread),
	}
}

// Summary returns the summary of a metric, with an interval if spread is above 0.
func Summary(metric, unit string, median, spread float64) result.Summary {
	s := result.Summary{
		Metric: metric, Unit: unit, N: 12, Blocks: 6, Median: Digits(median, 6), Mean: Digits(median*1.01, 6),
		Min: Digits(median*0.97, 6),
		Max: Digits(median*1.2, 6), P50: Digits(median, 6), P90: Digits(median*1.1, 6), P95: Digits(median*1.15, 6),
		P99: Digits(median*1.19, 6),
	}
	if spread > 0 {
		s.Low = Ptr(Digits(median*(1-0.8*spread), 6))
		s.High = Ptr(Digits(median*(1+spread), 6))
		s.Confidence = 0.95
	}
	return s
}

// Digits rounds x to n significant digits.
func Digits(x float64, n int) float64 {
	if x == 0 {
		return 0
	}
	p := math.Pow10(n - 1 - int(math.Floor(math.Log10(math.Abs(x)))))
	return math.Round(x*p) / p
}

// PerByte makes a case one of bytes: work of them in an iteration.
func PerByte(c *result.Case, work float64) *result.Case {
	t := c.Summary("time")
	c.Unit, c.Work = "byte", work
	rate := Summary("throughput", "1/s", 1/t.Median, 0)
	if t.Low != nil {
		rate.Low = Ptr(Digits(1 / *t.High, 6))
		rate.High = Ptr(Digits(1 / *t.Low, 6))
		rate.Confidence = 0.95
	}
	c.Metrics = append(c.Metrics[:1:1], append([]result.Summary{rate}, c.Metrics[1:]...)...)
	return c
}

// Allocates adds exact metrics of the heap, per iteration.
func Allocates(c *result.Case, allocs, heap float64) *result.Case {
	a, h := Summary("allocs", "", allocs, 0), Summary("heap", "B", heap, 0)
	a.Exact, h.Exact = true, true
	c.Metrics = append(c.Metrics, a, h)
	return c
}

// Counter adds a counter metric, per unit of work.
func Counter(c *result.Case, metric string, median float64) *result.Case {
	m, _ := result.FindMetric(metric)
	c.Metrics = append(c.Metrics, Summary(metric, m.Unit, median, 0.01))
	return c
}

// Once makes a case one of a single sample of n iterations.
func Once(c *result.Case, n int64) *result.Case {
	c.Settings.Sampling = "once"
	c.Iterations = n
	c.Stop = "samples.max"
	c.Samples.Launch = c.Samples.Launch[:1]
	c.Samples.Block = c.Samples.Block[:1]
	c.Samples.At = c.Samples.At[:1]
	for name, column := range c.Samples.Columns {
		c.Samples.Columns[name] = column[:1]
	}
	for i := range c.Metrics {
		s := &c.Metrics[i]
		s.N = 1
		s.Blocks = 1
		s.Low = nil
		s.High = nil
		s.Confidence = 0
		s.Mean = s.Median
		s.StdDev = 0
		s.MAD = 0
		s.Min = s.Median
		s.Max = s.Median
		s.P90 = s.Median
		s.P95 = s.Median
		s.P99 = s.Median
	}
	return c
}

// Command makes a case one of commands, with its peak memory and CPU share.
func Command(c *result.Case, rss, share float64, argv ...string) *result.Case {
	c.Kind = result.KindCommand
	c.Identity = result.Identity{Argv: argv}
	c.Loop = ""
	c.Thread = ""
	c.Iterations = 1
	for i, x := range c.Samples.Columns["wall"] {
		c.Samples.Columns["cpu"][i] = Digits(share*x, 5)
	}
	*c.Summary("cpu") = Summary("cpu", "s", share*c.Summary("wall").Median, 0.02)
	c.Metrics = append(c.Metrics, Summary("rss", "B", rss, 0))
	return c
}

// Judge adds a gate with its verdict.
func Judge(
	c *result.Case, expr string, verdict result.Verdict, form result.Form, reason string, values ...result.Value,
) *result.Gate {
	c.Gates = append(c.Gates, result.Gate{
		ID: expr, Expr: expr, Place: diag.Place{File: c.Place.File, Line: c.Place.Line + 3, Col: 9}, Severity: "fail",
		OnInconclusive: "list", Verdict: verdict, Form: form, Reason: reason, Values: values,
	})
	return &c.Gates[len(c.Gates)-1]
}

// Breakdown makes a case one that could not be measured.
func Breakdown(c *result.Case, f result.Failure) *result.Case {
	c.Status = result.Failed
	c.Failure = &f
	c.Metrics = nil
	c.Samples = result.Samples{}
	c.Stop = ""
	for i := range c.Gates {
		c.Gates[i].Verdict = result.Error
		c.Gates[i].Reason = "the case could not be measured"
		c.Gates[i].Values = nil
	}
	return c
}

// Many builds a document of n cases with the number of samples given, each
// with two gates; a few fail, warn or break.
func Many(n, samples int) *result.Document {
	d := Document("many")
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		median := Digits(math.Pow(10, -8.5+6*rng.Float64()), 4)
		c := Allocates(Measure(d, fmt.Sprintf("codec/%d/level=%d", i/9, 1+i%9), median, 0.002+0.02*rng.Float64()),
			float64(i%3), float64(i%3)*48)
		if samples != 12 {
			Sample(c, samples, median, 0.01)
		}
		Judge(c, "time.median < 5ms", result.Pass, result.FormInterval, "")
		if i%3 == 0 {
			Judge(c, "allocs.max == 0", result.Pass, result.FormExact, "")
		}
		switch {
		case i%67 == 13:
			g := &c.Gates[0]
			g.Verdict, g.Reason = result.Inconclusive, "the 99% interval contains 5 ms"
			g.Values = []result.Value{{Text: "time.median", Value: median, Low: Ptr(median * 0.9),
				High:       Ptr(median * 1.1),
				Confidence: 0.99,
				Unit:       "s"}}
		case i%41 == 5:
			c.Warnings = []result.Warning{result.Say("%s samples lost the processor",
				result.Some(7+i%5, samples)).Warning(result.WarnDisturbed,
				"")}
		}
	}
	return d
}

// Declare adds a metric of the suite's own.
func Declare(c *result.Case, name, unit string, median, spread float64) *result.Case {
	c.Kind = result.KindCommand
	c.Declared = append(c.Declared, result.Declared{Name: name, Unit: unit, Better: result.Lower})
	c.Metrics = append(c.Metrics, Summary(name, unit, median, spread))
	return c
}
