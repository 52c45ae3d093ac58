package reporttest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"example.com/suite/result"
)

// Traced is a document for the parts of a page on pegs, suite files and metrics other
// than time.
func Traced() *result.Document {
	d := Flowing()
	d.Suites[0].Sources = []result.Source{{File: d.Suites[0].File, Text: suiteText()},
		{File: "suites/generated.yaml", Left: 300000}}
	nested(Measure(d, "nested", 2e-3, 0.01))
	large(Measure(d, "large", 4e-3, 0.01))
	sorting(Command(Measure(d, "memory", 21e-3, 0.01), 48<<20, 0.9, "./sort", "-n", "big.txt"))
	for i := range d.Cases {
		binned(d.Cases[i].Pegs)
		binned(d.Cases[i].BasePegs)
	}
	d.Exit = d.Outcome().Exit
	return d
}

// suiteText has a line for each case of document, as measure and judge count them, and
// what a page has to survive.
func suiteText() string {
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=../schemas/suite.schema.json\nsuite: pegs\n\nbenchmarks:\n")
	for i := range 12 {
		fmt.Fprintf(&b,
			"  - {name: case %d, shell: \"echo '</code></li>' \u2066 \U0001f469\u200d\U0001f680\", pegs: true}\n",
			i)
	}
	b.WriteString("  # a line that is much longer than a page is wide: " + strings.Repeat("word ", 40) + "\n")
	return b.String()
}

// nested is a case of spans inside spans: one got slower, one is inside two others,
// and one is inside itself.
func nested(c *result.Case) {
	side := func(query float64) *result.Pegs {
		span := func(from, to string, n int64, mean float64) result.Arc {
			return OfKind(result.ArcSpan, ArcOf(from, to, n, mean))
		}
		return &result.Pegs{Clock: "wall", Iterations: 50, Seconds: 50 * (1.1e-3 + query), Residue: 41e-9, Cost: 52e-9,
			Points: PointsOf(50, "request", "authenticate", "render", "query", "template", "walk", "log"),
			Arcs: InOrder(span("", "request", 50, 0.9e-3+query), span("request", "authenticate", 50, 0.12e-3),
				span("request", "query", 50, query),
				span("request", "render", 50, 0.6e-3), span("render", "template", 100, 0.2e-3),
				span("template", "walk", 300, 40e-6), span("walk", "walk", 900, 9e-6),
				span("authenticate", "log", 50, 20e-6), span("render", "log", 50, 60e-6))}
	}
	c.Pegs, c.BasePegs = side(0.9e-3), side(0.4e-3)
}

// sorting is a command whose metrics vary, one of its own among them; the gate judges its
// memory.
func sorting(c *result.Case) {
	rng := rand.New(rand.NewPCG(8, 9))
	c.Declared = []result.Declared{{Name: "hit_rate", Unit: result.Percent, Better: result.Higher}}
	c.Pairs = &result.Pairs{Base: "memory-old", Iterations: 1, Samples: c.Samples}
	c.Pairs.Samples.Columns = map[string]result.Column{"time": c.Samples.Columns["time"]}
	for i := range c.Samples.Block {
		c.Pairs.First = append(c.Pairs.First, i%2)
		for side, to := range []*result.Samples{&c.Pairs.Samples, &c.Samples} {
			to.Columns["rss"] = append(to.Columns["rss"],
				Digits((47+2*rng.Float64())*(1<<20)*(1+0.08*float64(side)), 6))
			to.Columns["hit_rate"] = append(to.Columns["hit_rate"], Digits(0.9+0.05*rng.Float64(), 4))
		}
	}
	*c.Summary("rss") = Summary("rss", "B", 51.8*(1<<20), 0.01)
	c.Metrics = append(c.Metrics, Summary("hit_rate", result.Percent, 0.925, 0.01))
	c.Comparisons = []result.Comparison{
		{Metric: "time", Unit: "s", Change: result.Same, Ratio: 1, Low: Ptr(0.99), High: Ptr(1.01), Confidence: 0.98,
			Base:      21e-3,
			Candidate: 21e-3,
			Tolerance: 0.03,
			Pairs:     12,
			Used:      12,
			Alpha:     0.01},
		{Metric: "rss", Unit: "B", Change: result.Worse, Ratio: 1.08, Low: Ptr(1.05), High: Ptr(1.11), Confidence: 0.98,
			Base:      48 << 20,
			Candidate: 51.8 * (1 << 20),
			Tolerance: 0.03,
			Pairs:     12,
			Used:      12,
			Alpha:     0.01},
	}
	Judge(c, `not worse(rss, 3%)`, result.Fail, result.FormPairs, "rss is 8% more than that of memory-old")
}

// large is one with more points and arcs than can be drawn.
func large(c *result.Case) {
	rng, p := rand.New(rand.NewPCG(5, 6)), &result.Pegs{Clock: "wall", Iterations: 10, Seconds: 12}
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("stage %03d", i))
	}
	p.Points = PointsOf(10, names...)
	seen := map[[2]string]bool{}
	for len(p.Arcs) < 1000 {
		i := rng.IntN(200)
		j := min(199, max(0, i+rng.IntN(9)-2))
		if key := [2]string{names[i], names[j]}; !seen[key] {
			seen[key] = true
			a := ArcOf(names[i], names[j], 1+rng.Int64N(40), Digits(1e-4*rng.ExpFloat64()*rng.ExpFloat64(), 4))
			a.P50, a.P90, a.P99, a.Histogram = nil, nil, nil, nil
			p.Arcs = append(p.Arcs, a)
		}
	}
	p.Arcs, c.Pegs = InOrder(p.Arcs...), p
}

// binned adds a histogram of one bin to arcs with percentiles that have none.
func binned(p *result.Pegs) {
	if p == nil {
		return
	}
	for i := range p.Arcs {
		if a := &p.Arcs[i]; a.P50 != nil && a.Histogram == nil {
			a.Histogram = []result.ArcBin{{a.Min, 2 * a.Max, float64(a.Count)}}
		}
	}
}
