package explain

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/gate"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

func ptr[T any](x T) *T { return &x }

// document has a base and a case whose pairs have a true ratio, with noise of 2 %,
// 1 % of each block, of ten pairs each, and a disturbed side in every eleventh pair.
func document(pairs int, ratio float64) (*result.Document, *result.Case) {
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

// command makes a case a case of a command: each pair of runs is an observation, and
// it is unknown which of them the machine disturbed.
func command(c *result.Case) {
	c.Kind, c.Identity, c.Iterations, c.Samples.Disturbed = result.KindCommand, result.Identity{Argv: []string{"sort", "-n"}}, 1, nil
	for i := range c.Samples.Block {
		c.Samples.Block[i], c.Pairs.Samples.Block[i] = i, i
	}
}

// compare fills in the comparison of the time.
func compare(c *result.Case, tolerance float64, change result.Change) *result.Comparison {
	o := result.Comparison{Metric: "time", Unit: "s", Tolerance: tolerance, Alpha: 0.01, Pairs: len(c.Pairs.First), Change: change, Confidence: 0.98}
	e := evidenceOf(c, "time")
	seq, err := stats.NewSequence(1+tolerance, o.Alpha)
	if err != nil {
		panic(err)
	}
	for _, g := range e.groups {
		_ = seq.Add(g.Ratio)
		o.Used += g.Used
	}
	o.Ratio, o.Base = result.Ratio(seq.Ratio()), 2e-6
	o.Candidate = 2e-6 * seq.Ratio()
	if o.Used < o.Pairs {
		o.Rule = "a side was disturbed"
	}
	if e.blocks() {
		o.Blocks = seq.Pairs()
	}
	if low, high, err := seq.Interval(); err == nil {
		o.Low, o.High = &low, &high
	}
	c.Comparisons = []result.Comparison{o}
	return &c.Comparisons[0]
}

func judge(c *result.Case, verdict result.Verdict, form result.Form, reason string) {
	c.Gates = append(c.Gates, result.Gate{ID: "tolerance", Expr: "not worse(time, 3%)", Place: diag.Place{File: "sort.yaml", Line: 11, Col: 7},
		Severity: "fail", OnInconclusive: "list", Verdict: verdict, Form: form, Reason: reason})
}

func told() map[string]func() (*result.Document, *result.Case) {
	return map[string]func() (*result.Document, *result.Case){
		"worse": func() (*result.Document, *result.Case) {
			d, c := document(240, 1.05)
			compare(c, 0.03, result.Worse)
			judge(c, result.Fail, result.FormInterval, "time is 5% longer than in sort/base, and 3% was allowed")
			return d, c
		},
		"pegs": func() (*result.Document, *result.Case) {
			d, c := document(240, 1.05)
			compare(c, 0.03, result.Worse)
			judge(c, result.Fail, result.FormPairs, "it is worse by more than 3%")
			c.Pegs, c.BasePegs = pegsOf(1.2e-6, 2e-3), pegsOf(0.6e-6, 1.4e-3)
			return d, c
		},
		"same": func() (*result.Document, *result.Case) {
			d, c := document(200, 1.001)
			compare(c, 0.03, result.Same)
			judge(c, result.Pass, result.FormInterval, "")
			return d, c
		},
		"better": func() (*result.Document, *result.Case) {
			d, c := document(40, 0.8)
			command(c)
			compare(c, 0, result.Better)
			return d, c
		},
		"unclear": func() (*result.Document, *result.Case) {
			d, c := document(200, 1.03)
			compare(c, 0.03, result.Unclear)
			c.Stop, c.Settings.MaxTime = "max_time", 10
			judge(c, result.Inconclusive, result.FormInterval, "the interval contains the limit of +3%")
			c.Warnings = []result.Warning{{Code: "stolen", Message: "other work took the CPU for 18% of the time", Hint: "quiet the machine"}}
			return d, c
		},
		"few": func() (*result.Document, *result.Case) {
			d, c := document(5, 1.2)
			compare(c, 0.03, result.Unclear).Reason = "at this certainty it takes 9 blocks, and there is 1"
			return d, c
		},
		"accepted": func() (*result.Document, *result.Case) {
			d, c := document(0, 1)
			c.Pairs = nil
			judge(c, result.Fail, result.FormExact, "3 is not at most 2")
			c.Gates[0].Accepted = &result.Accepted{Until: "2026-12-31", Reason: "slower until #12 lands", At: "2026-06-15 by ada", Place: diag.Place{File: "accept.yaml", Line: 3, Col: 3}}
			return d, c
		},
		"broken": func() (*result.Document, *result.Case) {
			d, c := document(0, 1)
			c.Status, c.Pairs, c.Metrics = result.Failed, nil, nil
			c.Failure = &result.Failure{Phase: "run", Cause: "panic", Message: "panic: the sky is \x1b[31mfalling", Detail: "panic: oh\n\tmain.go:3", Batch: 3, Elapsed: 1.2, Hint: "look up"}
			judge(c, result.Error, result.FormExact, "the case could not be measured")
			return d, c
		},
	}
}

func tell(t *testing.T, d *result.Document, c *result.Case, o text.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Write(&b, Case(d, c), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, make := range told() {
		d, c := make()
		got, file := tell(t, d, c, text.Options{Width: 100}), "testdata/"+name+".txt"
		golden.Check(t, file, got)
	}
}

// A story is harmless on a terminal, and no wider than it.
func TestStoriesFit(t *testing.T) {
	for name, make := range told() {
		d, c := make()
		for _, w := range []int{60, 100} {
			for line := range strings.Lines(tell(t, d, c, text.Options{Width: w})) {
				line = strings.TrimSuffix(line, "\n")
				if n := len([]rune(line)); n > w || strings.ContainsAny(line, "\x1b\t") || strings.TrimRight(line, " ") != line {
					t.Errorf("%s: %d of %d columns: %q", name, n, w, line)
				}
			}
		}
	}
}

// Every observation is in the drawing once, whatever its ratio.
func TestPlotShowsEveryPair(t *testing.T) {
	for _, spread := range []float64{1e-6, 0.001, 0.02, 3} {
		for _, tolerance := range []float64{0, 0.0001, 0.03, 5} {
			var logs []float64
			for i := range 200 {
				logs = append(logs, spread*math.Sin(float64(i)))
			}
			b := binsOf(logs, -math.Log1p(tolerance), math.Log1p(tolerance))
			sum := 0
			for _, n := range b.count {
				sum += n
			}
			if sum != 200 || len(b.count) > 2*mostBins {
				t.Errorf("spread %v, tolerance %v: %d pairs in %d rows", spread, tolerance, sum, len(b.count))
			}
		}
	}
}

// The drawing shows a limit on its edge: what is on which side can be counted.
func TestPlotHasTheToleranceOnEdges(t *testing.T) {
	_, c := document(120, 1.07)
	o := compare(c, 0.03, result.Worse)
	low, high := limits(o)
	e := evidenceOf(c, "time")
	b := binsOf(e.observations(), low, high)
	edges := 0
	for i := range b.count {
		if at, ok := b.limitBefore(i, low, high); ok {
			if edges++; math.Abs(at-(b.from+float64(i)*b.width)) > 1e-9 {
				t.Errorf("limit %v beside the edge %v", at, b.from+float64(i)*b.width)
			}
		}
	}
	if edges == 0 {
		t.Error("no limit is shown")
	}
}

// However wide the rows are, each limit is drawn in the right place: on an edge, or
// inside a row.
func TestPlotMovesNoLimit(t *testing.T) {
	for _, spread := range []float64{0.01, 0.1, 0.4, 1, 3} {
		var logs []float64
		for i := range 200 {
			logs = append(logs, spread*math.Sin(float64(i)))
		}
		low, high := -math.Log1p(0.03), math.Log1p(0.03)
		b := binsOf(logs, low, high)
		seen := map[float64]int{}
		for i := range b.count {
			at, ok := b.limitBefore(i, low, high)
			if from := b.from + float64(i)*b.width; ok && math.Abs(at-from) > 1e-9 {
				t.Errorf("spread %v: limit %v is shown at %v", spread, at, from)
			}
			for _, limit := range []float64{low, high} {
				seen[limit] += of(ok && at == limit) + of(b.inside(i, limit))
			}
		}
		if seen[low] != 1 || seen[high] != 1 {
			t.Errorf("spread %v: limits are shown %v times", spread, seen)
		}
	}
}

func of(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// The path shows the block at which the verdict fell.
func TestPathShowsTheDecision(t *testing.T) {
	_, c := document(240, 1.05)
	o, e := compare(c, 0.03, result.Worse), evidenceOf(c, "time")
	sequence, err := stats.NewSequence(1.03, o.Alpha)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range e.observations() {
		_ = sequence.Add(x)
	}
	if n := sequence.DecidedAt(); n == 0 || n == sequence.Pairs() {
		t.Fatalf("decided at %d of %d", n, sequence.Pairs())
	}
	for _, row := range path(o, &e).Rows {
		if row[len(row)-1].Text == "above the tolerance" {
			if row[0].Text != strconv.Itoa(sequence.DecidedAt()) {
				t.Errorf("decided at %s blocks, want %d", row[0].Text, sequence.DecidedAt())
			}
			return
		}
	}
	t.Error("no line says so")
}

// Nothing against nothing is no change, and something against it is beyond every
// tolerance; neither makes a drawing absurd.
func TestZeros(t *testing.T) {
	_, c := document(30, 1)
	for i := range 30 {
		c.Samples.Columns["faults"] = append(c.Samples.Columns["faults"], float64(i%3))
		c.Pairs.Samples.Columns["faults"] = append(c.Pairs.Samples.Columns["faults"], 0)
	}
	command(c)
	e := evidenceOf(c, "faults")
	if e.lost != 0 || e.logs[0] != 0 || e.logs[1] != pairs.Far {
		t.Errorf("%d lost, %v", e.lost, e.logs[:2])
	}
	o := &result.Comparison{Metric: "faults", Tolerance: 0.03, Alpha: 0.01}
	var b bytes.Buffer
	if err := text.Write(&b, []page.Block{plot(o, &e), path(o, &e)}, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 3*mostBins {
		t.Errorf("%d lines", n)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "e+") || strings.Contains(line, "Inf") || len([]rune(line)) > 97 {
			t.Errorf("absurd: %q", line)
		}
	}
}

// What the path shows in the end is what gates conclude.
func TestPathAgreesWithVerdicts(t *testing.T) {
	set, problems := gate.Compile(nil, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	words := map[result.Change]string{result.Worse: "above the tolerance", result.Better: "below the tolerance", result.Same: "within the tolerance"}
	seen := map[result.Change]bool{}
	for _, ratio := range []float64{0.8, 0.97, 1, 1.01, 1.03, 1.05, 1.2} {
		for _, pairs := range []int{20, 200, 600} {
			d, c := document(pairs, ratio)
			set.Assess(nil).Judge(d.Cases)
			o := c.Comparison("time")
			e := evidenceOf(c, "time")
			rows := path(o, &e).Rows
			last := rows[len(rows)-1][len(rows[len(rows)-1])-1].Text
			shown := "none"
			for _, word := range words {
				if strings.HasSuffix(last, word) {
					shown = word
				}
			}
			if want := words[o.Change]; shown != want && !(want == "" && shown == "none") {
				t.Errorf("ratio %v, %d pairs: the verdict is %s, the path ends with %q", ratio, pairs, o.Change, last)
			}
			seen[o.Change] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %v was tried", seen)
	}
}
