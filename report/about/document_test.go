package about

import (
	"math"
	"math/rand/v2"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

func ptr[T any](x T) *T { return &x }

// Document has a base and a case whose pairs have a true ratio, with noise of 2 %,
// 1 % of each block, of ten pairs each, and a disturbed side in every eleventh pair.
func Document(pairs int, ratio float64) (*result.Document, *result.Case) {
	d := &result.Document{Schema: result.Schema, Tool: result.Tool{Name: "suite", Version: "0.1.0", Go: "go1.26.8"},
		Started: time.Date(2026, 11, 20, 13, 20, 5, 0, time.UTC), Seed: "9f3c51d07a2be84466f01c9d5e3a7b18",
		Machine: result.Machine{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 7B13", CPUs: 2},
		Suites:  []result.Suite{{Name: "sort", File: "sort.yaml", OnInconclusive: "list", Errors: &result.Errors{Family: 0.01, Calls: 1, Alpha: 0.01}}}}
	base := result.Case{Suite: "sort", Name: "sort/base", Kind: result.KindGo, Status: result.Measured, Unit: "op", Work: 1, Iterations: 432,
		Metrics: []result.Summary{{Metric: "allocs", Exact: true, N: 3, Median: 2, Min: 2, Max: 2}}}
	c := base
	c.Name, c.Identity, c.Place, c.Stop = "sort/new", result.Identity{Function: "sort/new"}, diag.Place{File: "sort.yaml", Line: 9, Col: 5}, "decided"
	c.Metrics = []result.Summary{{Metric: "time", Unit: "s", N: pairs, Blocks: pairs / 10, Median: 2e-6 * ratio, Low: ptr(2e-6 * ratio * 0.99),
		High: ptr(2e-6 * ratio * 1.01), Confidence: 0.95}, {Metric: "allocs", Exact: true, N: 3, Median: 3, Min: 3, Max: 3}}
	c.Pairs = &result.Pairs{Base: "sort/base", Iterations: 432, Samples: result.Samples{Columns: map[string]result.Column{}}}
	c.Samples = result.Samples{Columns: map[string]result.Column{}}
	take(&c, pairs, ratio)
	d.Cases = []result.Case{base, c}
	return d, &d.Cases[1]
}

func take(c *result.Case, pairs int, ratio float64) {
	rng, drawn := rand.New(rand.NewPCG(3, 5)), 0.0
	own, base := &c.Samples, &c.Pairs.Samples
	for i := range pairs {
		if i%10 == 0 {
			drawn = 0.01 * rng.NormFloat64()
		}
		for _, s := range []*result.Samples{own, base} {
			s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i/10), append(s.At, float64(i)/100)
		}
		own.Columns["time"] = append(own.Columns["time"], 2e-6*ratio*math.Exp(drawn+0.02*rng.NormFloat64()))
		base.Columns["time"] = append(base.Columns["time"], 2e-6*math.Exp(0.02*rng.NormFloat64()))
		own.Columns["instructions"] = append(own.Columns["instructions"], 9871)
		base.Columns["instructions"] = append(base.Columns["instructions"], 9871/ratio)
		c.Pairs.First = append(c.Pairs.First, rng.IntN(2))
		if i%11 == 5 {
			own.Disturbed = append(own.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
		}
	}
}

// Command makes a case a case of a command: each pair of runs is an observation, and
// it is unknown which of them the machine disturbed.
func Command(c *result.Case) {
	c.Kind, c.Identity, c.Iterations, c.Samples.Disturbed = result.KindCommand, result.Identity{Argv: []string{"sort", "-n"}}, 1, nil
	for i := range c.Samples.Block {
		c.Samples.Block[i], c.Pairs.Samples.Block[i] = i, i
	}
}

// Compare fills in the comparison of the time.
func Compare(c *result.Case, tolerance float64, change result.Change) *result.Comparison {
	o := result.Comparison{Metric: "time", Unit: "s", Tolerance: tolerance, Alpha: 0.01, Pairs: len(c.Pairs.First), Change: change, Confidence: 0.98}
	e := pairs.EvidenceOf(c, "time")
	seq, err := stats.NewSequence(1+tolerance, o.Alpha)
	if err != nil {
		panic(err)
	}
	for _, g := range e.Groups {
		_ = seq.Add(g.Ratio)
		o.Used += g.Used
	}
	o.Ratio, o.Base = result.Ratio(seq.Ratio()), 2e-6
	o.Candidate = 2e-6 * seq.Ratio()
	if o.Used < o.Pairs {
		o.Rule = "a side was disturbed"
	}
	if e.Per != result.PerPair {
		o.Blocks = seq.Pairs()
	}
	if low, high, err := seq.Interval(); err == nil {
		o.Low, o.High = &low, &high
	}
	c.Comparisons = []result.Comparison{o}
	return &c.Comparisons[0]
}
