package reporttest

import (
	"slices"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// Flowing is a document of cases with pegs: a parser with a base in which an arc got
// slower, a server with lanes and spans, a command that was cut short, odd names.
func Flowing() *result.Document {
	d := Document("pegs")
	parser(Measure(d, "parser", 2.4e-6, 0.01))
	server(Measure(d, "server", 81e-6, 0.02))
	cutShort(Command(Measure(d, "script", 0.0131, 0.02), 3<<20, 0.9, "./script.sh"))
	oddPoints(Measure(d, "odd", 5e-6, 0.01))
	Measure(d, "without", 5e-6, 0.01)
	none := Measure(d, "none", 5e-6, 0.01)
	none.Pegs = &result.Pegs{
		Clock:      "x86-rdtsc",
		Iterations: 4,
		Seconds:    0.1,
		Residue:    4e-9,
		Cost:       22e-9,
		Arcs:       []result.Arc{},
		Points:     []result.PegPoint{{Name: "start", Hits: 4}},
		Problems:   []string{`no point is called "strat": did you mean "start"?`},
	}
	d.Exit = d.Outcome().Exit
	return d
}

// ArcOf makes an arc of count times with a long tail, whose mean is given.
func ArcOf(from, to string, count int64, mean float64) result.Arc {
	a := result.Arc{
		From:   from,
		To:     to,
		Count:  count,
		Sum:    Digits(mean*float64(count), 9),
		Mean:   mean,
		StdDev: Digits(mean/5, 4),
		Min:    Digits(mean*0.8, 4),
		Max:    Digits(mean*3, 4),
	}
	tail := float64(count / 40)
	for _, b := range []result.ArcBin{
		{Digits(mean*0.75, 4), Digits(mean*1.1, 4), float64(count) - tail},
		{Digits(mean*1.6, 4), Digits(mean*3.2, 4), tail},
	} {
		if b[2] > 0 {
			a.Histogram = append(a.Histogram, b)
		}
	}
	for q, at := range map[float64]**float64{0.5: &a.P50, 0.9: &a.P90, 0.99: &a.P99} {
		*at = Ptr(arcs.Percentile(a.Histogram, q, a.Min, a.Max))
	}
	return a
}

// OfKind returns the arc with its kind set.
func OfKind(kind result.ArcKind, a result.Arc) result.Arc { a.Kind = kind; return a }

// OnLane returns the arc with its lane set.
func OnLane(lane string, a result.Arc) result.Arc { a.Lane = lane; return a }

// InOrder puts arcs into the order of a document.
func InOrder(as ...result.Arc) []result.Arc {
	slices.SortFunc(as, func(a, b result.Arc) int {
		return slices.Compare([]string{a.From, a.To, string(a.Kind), a.Lane},
			[]string{b.From, b.To, string(b.Kind), b.Lane})
	})
	return as
}

// PointsOf returns points that were passed hits times each.
func PointsOf(hits int64, names ...string) (all []result.PegPoint) {
	for _, name := range names {
		all = append(all, result.PegPoint{Name: name, File: "parser.go", Line: 10 + len(all), Hits: hits})
	}
	return all
}

func parser(c *result.Case) {
	side := func(check float64, seconds float64) *result.Pegs {
		return &result.Pegs{Clock: "x86-rdtsc", Iterations: 41200, Seconds: seconds, Residue: 4e-9, Cost: 22.4e-9,
			Points: PointsOf(41200, "start", "tokenise", "parse", "check", "emit"),
			Arcs: InOrder(ArcOf("start", "tokenise", 41200, 3.1e-9), ArcOf("tokenise", "parse", 41200, 0.52e-6),
				ArcOf("parse", "check", 40100, 0.31e-6),
				ArcOf("parse", "emit", 1100, 1.9e-6), ArcOf("check", "emit", 40100, check), ArcOf("emit",
					"start", 41199, 0.12e-6),
				OfKind(result.ArcDirected, ArcOf("tokenise", "emit", 41200, 0.9e-6+check)))}
	}
	c.Pegs, c.BasePegs = side(1.31e-6, 0.1002), side(0.64e-6, 0.0731)
	c.BasePegs.Arcs = InOrder(append(c.BasePegs.Arcs, ArcOf("check", "warn", 30, 2e-6))...)
	c.Pairs = &result.Pairs{Base: "parser-old", Iterations: c.Iterations, Samples: c.Samples}
	for range c.Samples.Block {
		c.Pairs.First = append(c.Pairs.First, 1)
	}
	c.Comparisons = []result.Comparison{{Metric: "time", Unit: "s", Change: result.Worse, Ratio: 1.372, Low: Ptr(1.35),
		High:       Ptr(1.4),
		Confidence: 0.99,
		Base:       1.75e-6,
		Candidate:  2.4e-6,
		Tolerance:  0.03, Pairs: 12, Used: 12, Alpha: 0.01}}
	Judge(c, `!worse("time")`, result.Fail, result.FormPairs, "it is worse by more than 3%")
}

func server(c *result.Case) {
	c.Pegs = &result.Pegs{Clock: "wall", Iterations: 1200, Seconds: 0.0982, Residue: 41e-9, Cost: 52e-9,
		Points: PointsOf(1200, "accept", "decode", "look up", "encode", "write", "request", "handler"),
		Arcs: InOrder(OnLane("worker", ArcOf("accept", "decode", 1200, 2.2e-6)),
			OnLane("worker", ArcOf("decode", "look up", 1200, 31e-9)), OnLane("spare",
				ArcOf("accept", "decode", 20, 3.2e-6)),
			OnLane("worker", ArcOf("look up", "encode", 1180, 38e-6)),
			OnLane("worker", ArcOf("look up", "look up", 300, 4.4e-6)), OnLane("worker",
				ArcOf("encode", "write", 1200, 9.2e-6)),
			OnLane("worker", OfKind(result.ArcSpan, ArcOf("", "request", 1200, 66e-6))),
			OnLane("worker", OfKind(result.ArcSpan, ArcOf("request", "handler", 1200, 51e-6))),
			ArcOf(arcs.Other, "write", 7, 1e-6))}
	c.Pegs.Points[4].Unmatched = 3
}

func cutShort(c *result.Case) {
	c.Pegs = &result.Pegs{
		Clock:      "wall",
		Iterations: 5,
		Seconds:    0.071,
		Truncated:  true,
		Points:     PointsOf(5, "begin", "sort", "end"),
		Arcs: InOrder(
			result.Arc{From: "begin", To: "sort", Count: 5, Sum: 0.02, Min: 0.003, Max: 0.005, Mean: 0.004},
			result.Arc{From: "sort", To: "end", Count: 4, Sum: 0.04, Min: 0.009, Max: 0.011, Mean: 0.01}),
	}
}

// oddPoints are forty arcs, and names that tables and other languages have to survive.
func oddPoints(c *result.Case) {
	names := []string{`"quoted"`, "a|b", "]]>", "line\nfeed", "\x1b[31m", "👩‍🚀", "שלום", "\u202eevil", " lead", "a\\b",
		"a -> b", "x,y", "", "a very long name of a point in a program whose names are long"}
	p := &result.Pegs{Clock: "own", Iterations: 1, Seconds: 4}
	for i := range names {
		name := names[i]
		if name == "" {
			continue
		}
		p.Points = append(p.Points, result.PegPoint{Name: name, Hits: 3})
		for j := range 3 {
			p.Arcs = append(p.Arcs, ArcOf(name, names[(i+1+j)%12], 1, Digits(0.1/float64(1+i+j*j), 3)))
		}
	}
	p.Arcs, c.Pegs = InOrder(p.Arcs...), p
}

// PassOf returns a pass of 100 iterations.
func PassOf(each float64, arcs ...result.Arc) *result.Pegs {
	return &result.Pegs{Iterations: 100, Seconds: 100 * each, Residue: 1e-9, Arcs: arcs}
}
