package reporttest

import (
	"math"
	"math/rand/v2"

	verdict "example.com/suite/gate"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Gallery is a document in which every drawing of a page has something to show:
// sizes, a base, drift, stalls, samples that lost the processor, a failure.
func Gallery() *result.Document {
	d := Document("hashing")
	d.Suites[0].Description = "Hash functions over growing inputs, and the tools that use them."
	g := &exhibition{doc: d, rng: rand.New(rand.NewPCG(3, 4))}
	for _, hash := range []string{"fnv", "sha256", "sha256-asm"} {
		for i, size := range []float64{64, 1 << 10, 16 << 10, 256 << 10, 4 << 20} {
			g.hash(hash, i, size)
		}
	}
	g.sort()
	Breakdown(g.addCase("unpack broken archive", 2e-3, 20, 0.01), result.Failure{
		Phase: "run", Cause: "exit", Message: "exit status 2",
		Detail: "unpack: bad magic number\n", Exit: Ptr(2), Batch: 1,
		Hint:    "run it by hand: ./unpack broken.tar",
		Elapsed: 0.004})
	g.judge()
	d.Exit = d.Outcome().Exit
	return d
}

type exhibition struct {
	doc     *result.Document
	rng     *rand.Rand
	sources []verdict.Source
	names   []string
}

// addCase makes a case of n samples in blocks of five, whose time has a long tail.
func (g *exhibition) addCase(name string, median float64, n int, noise float64) *result.Case {
	c := Measure(g.doc, name, median, noise)
	c.Samples = g.samples(n, func(int) float64 { return median * g.noise(noise) })
	g.names = append(g.names, name)
	return c
}

func (g *exhibition) noise(spread float64) float64 {
	x := 1 + spread*g.rng.NormFloat64()
	if g.rng.Float64() < 0.08 {
		x += 4 * spread * g.rng.ExpFloat64()
	}
	return x
}

func (g *exhibition) samples(n int, time func(int) float64) result.Samples {
	s := result.Samples{Columns: map[string]result.Column{"time": {}}}
	for i := range n {
		s.Launch, s.Block, s.At = append(s.Launch, i/(n/2+1)), append(s.Block, i/5), append(s.At,
			Digits(0.4+0.0125*float64(i), 4))
		s.Columns["time"] = append(s.Columns["time"], Digits(time(i), 5))
	}
	return s
}

// hash is one of a matrix: sha256 loses per byte in small inputs, the assembly gains
// in large ones and loses at 1 KiB.
func (g *exhibition) hash(hash string, i int, size float64) {
	text := []string{"64", "1KiB", "16KiB", "256KiB", "4MiB"}[i]
	time := map[string]float64{
		"fnv":        0.92e-9 + 4e-9/size,
		"sha256":     2.4e-9 + 150e-9/size,
		"sha256-asm": 2.4e-9 + 150e-9/size,
	}[hash]
	ratio := []float64{1.002, 1.09, 1.031, 0.62, 0.61}[i]
	c := g.addCase(hash+"/"+text, time, 120, 0.008)
	c.Params = []result.Param{{Name: "hash", Text: hash}, {Name: "size", Text: text, Number: Ptr(size)}}
	c.Place = diag.Place{File: "suites/hashing.yaml", Line: 6, Col: 5}
	if hash == "sha256-asm" {
		base := g.samples(120, func(i int) float64 { return time * g.noise(0.008) })
		c.Samples = g.samples(120, func(k int) float64 {
			return base.Columns["time"][k] * ratio * g.noise(0.012*math.Pow(1.6, float64(i))/2)
		})
		c.Pairs = &result.Pairs{Base: "sha256/" + text, Iterations: c.Iterations, Samples: base}
		for range 120 {
			c.Pairs.First = append(c.Pairs.First, g.rng.IntN(2))
		}
		for k := 7; k < 120; k += 31 {
			c.Samples.Columns["time"][k] *= 1.06
			c.Samples.Disturbed = append(c.Samples.Disturbed,
				result.Disturbed{Index: k, Cause: result.Preempted, Count: 1})
		}
		c.Samples.Columns["time"][50] *= 3 // a stall
		g.gate(c, "not worse(time, 3%)")
	}
	if hash == "fnv" {
		g.gate(c, "time.median < 2ns")
	}
	g.summarise(c)
	PerByte(c, size)
}

// sort is a command that gets slower while it is measured, with more runs than can
// be drawn one by one.
func (g *exhibition) sort() {
	c := g.addCase("sort a big file", 0.021, 600, 0.03)
	c.Samples = g.samples(600, func(i int) float64 { return 0.021 * (1 + 0.2*float64(i)/600) * g.noise(0.02) })
	c.Kind, c.Identity, c.Loop, c.Iterations = result.KindCommand, result.Identity{Argv: []string{"sort", "-o",
		"/dev/null", "a.txt"}}, "", 1
	c.Warnings = []result.Warning{{Code: result.WarnDrift, Message: "the time grew by 19% while it was measured",
		Hint: "warm up for longer"}}
	g.gate(c, "time.median < 25ms and time.p99 < 27ms")
	g.gate(c, "time.median < 23100us")
	g.summarise(c)
}

func (g *exhibition) gate(c *result.Case, expr string) {
	base := ""
	if c.Pairs != nil {
		base = c.Pairs.Base
	}
	g.sources = append(g.sources, verdict.Source{
		Suite:          c.Suite,
		Case:           c.Name,
		Kind:           c.Kind,
		ID:             expr,
		Expr:           lang.Text{Value: expr, Place: diag.Place{File: "suites/hashing.yaml", Line: 9, Col: 7}},
		Severity:       "fail",
		OnInconclusive: "list",
		Base:           base,
	})
}

// summarise works the numbers out of the samples as the runner does.
func (g *exhibition) summarise(c *result.Case) {
	xs, blocks, _ := c.Samples.Headline("time")
	q := func(p float64) float64 { return Digits(stats.Quantile(xs, p), 6) }
	s := result.Summary{
		Metric: "time",
		Unit:   "s",
		N:      len(xs),
		Blocks: len(xs) / 5,
		Median: q(0.5),
		Mean:   Digits(stats.Mean(xs), 6),
		StdDev: Digits(stats.StdDev(xs), 6),
		MAD:    Digits(stats.MAD(xs), 6),
		Min:    q(0),
		Max:    q(1),
		P50:    q(0.5),
		P90:    q(0.9),
		P95:    q(0.95),
		P99:    q(0.99),
	}
	if low, high, err := stats.BlockInterval(xs, blocks, 0.95); err == nil {
		s.Low, s.High, s.Confidence = Ptr(Digits(low, 6)), Ptr(Digits(high, 6)), 0.95
	}
	c.Metrics = []result.Summary{s}
}

func (g *exhibition) judge() {
	set, problems := verdict.Compile(g.sources, map[string][]string{"hashing": g.names})
	if len(problems) > 0 {
		panic(problems)
	}
	set.Assess(nil).Judge(g.doc.Cases)
	errors := set.Errors("hashing")
	g.doc.Suites[0].Errors = &errors
}
