package shard

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/gate/verify"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/sim"
	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// measured is a suite with samples of all of its cases, from which the document of any part
// of it can be made.
type measured struct {
	plan  *spec.Plan
	gates judge.Gates
	cases map[string]result.Case
	seed  draw.Seed
}

// measure makes a suite of random cases on a simulated machine. Some have bases, and effects
// about as large as their tolerance, so that many verdicts depend on the error that is allowed.
func measure(t *testing.T, rng *rand.Rand) *measured {
	t.Helper()
	s := &measured{plan: &spec.Plan{Suite: "s", File: "s.yaml", Hash: "sha256:1", OnInconclusive: "list"}, cases: map[string]result.Case{}, seed: draw.Seed{byte(rng.IntN(256))}}
	s.plan.Errors.Family = 0.01
	for i := range 4 + rng.IntN(12) {
		c := spec.Case{Name: fmt.Sprint("c", i), Kind: result.KindCommand, Settings: spec.Defaults(), Place: diag.Place{File: "s.yaml", Line: i + 1}}
		gate := func(expr string) {
			c.Gates = append(c.Gates, spec.Gate{ID: expr, Expr: lang.Text{Value: expr, Place: c.Place}, Severity: "fail", OnInconclusive: "list"})
		}
		gate("time.median < 1.01ms")
		if i%3 > 0 && rng.IntN(4) > 0 {
			c.Base = fmt.Sprint("c", i-i%3)
			gate(fmt.Sprintf("not worse(time, %d%%)", []int{3, 3, 3, 30}[rng.IntN(4)]))
			gate("ratio(time) < 1.04")
		}
		switch rng.IntN(12) {
		case 0:
			gate(`geomean("time") < 1.02`)
		case 1:
			gate(`case("c0").time.median < time.median * 1.01`)
		}
		s.plan.Cases = append(s.plan.Cases, c)
		// Some have too few pairs for a verdict at the error of one of many calls, and enough for
		// one of few.
		s.cases[c.Name] = s.sampled(&c, 12+rng.IntN(50), rng)
	}
	if problems := s.gates.Compile(s.plan, true); len(problems) > 0 {
		t.Fatal(problems)
	}
	return s
}

// sampled has n samples of a case and, if it has a base, as many pairs.
func (s *measured) sampled(c *spec.Case, n int, rng *rand.Rand) result.Case {
	out := result.Case{Suite: "s", Name: c.Name, Kind: c.Kind, Unit: "op", Work: 1, Status: result.Measured, Iterations: 1, Clock: "wall", Launches: 1, Place: c.Place, Settings: result.Settings{Confidence: 0.95}}
	machine := sim.Typical.Machine(rng)
	effect := 0.08 * rng.Float64()
	own, base := result.Samples{Columns: map[string]result.Column{}}, result.Samples{Columns: map[string]result.Column{}}
	var first []int
	for i := range n {
		coin := s.seed.Coin("s", c.Name, 0, i)
		logs := [2]float64{0, effect}
		one, two := machine.Pair(logs[coin], logs[1-coin])
		batches := [2]sim.Batch{one, two}
		first = append(first, coin)
		for side, samples := range []*result.Samples{&base, &own} {
			slot := side
			if coin == 1 {
				slot = 1 - side
			}
			samples.Launch, samples.Block = append(samples.Launch, 0), append(samples.Block, i)
			samples.At = append(samples.At, float64(2*i+slot))
			samples.Columns["time"] = append(samples.Columns["time"], 1e-3*math.Exp(batches[slot].Log))
			samples.Columns["exit_code"] = append(samples.Columns["exit_code"], 0)
		}
	}
	out.Samples = own
	out.Metrics = summary.Of(&out)
	if c.Base != "" {
		out.Pairs = &result.Pairs{Base: c.Base, Iterations: 1, First: first, Samples: base}
	}
	return out
}

// document makes the document of a run of a plan, as suite run makes it.
func (s *measured) document(gates *judge.Gates, plan *spec.Plan, d *result.Division) *result.Document {
	doc := &result.Document{Schema: result.Schema, Tool: result.Tool{Name: "suite", Version: "1", Go: "go1"}, Started: time.Unix(0, 0).UTC(), Seconds: 1, Seed: s.seed.String(),
		Machine: result.Machine{OS: "linux", Arch: "amd64", CPUs: 2, GOMAXPROCS: 2}, Suites: []result.Suite{{Name: "s", File: plan.File, Hash: plan.Hash, OnInconclusive: "list"}}, Division: d}
	doc.Cases = []result.Case{}
	for i := range plan.Cases {
		doc.Cases = append(doc.Cases, s.cases[plan.Cases[i].Name])
	}
	gates.Judge([]*spec.Plan{plan}).Finish(doc, judge.Run{Commits: []*result.Commit{nil}, Accept: func(*result.Document) {}})
	_ = doc.Seal() // reading it again returns the same error
	return doc
}

// whole is the document of a run on one machine.
func (s *measured) whole() *result.Document { return s.document(&s.gates, s.plan, nil) }

// shards are the documents of a division into count parts, by random durations.
func (s *measured) shards(rng *rand.Rand, count int) []Result {
	lengths := Durations{From: "result", Of: map[[2]string]time.Duration{}}
	for _, c := range s.plan.Cases {
		lengths.Of[key("s", c.Name)] = time.Duration(rng.IntN(1e9))
	}
	d := Divide([]*spec.Plan{s.plan}, s.gates.Reads, lengths, count, "")
	var all []Result
	for i := range count {
		all = append(all, s.shard(&s.gates, d, i+1))
	}
	return all
}

func (s *measured) shard(gates *judge.Gates, d *result.Division, index int) Result {
	own := *d
	own.Index = index
	return Result{File: fmt.Sprintf("%d.json", index), Doc: s.document(gates, Take([]*spec.Plan{s.plan}, &own, index)[0], &own)}
}

// Whatever the division, merged shards have the verdicts of the whole, given the same
// samples, and follow from those samples.
func TestMergedShardsAreJudgedAsTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	verdicts := map[result.Verdict]int{}
	for trial := range 20 {
		s := measure(t, rng)
		whole := s.whole()
		shards := s.shards(rng, 1+rng.IntN(5))
		rng.Shuffle(len(shards), func(i, k int) { shards[i], shards[k] = shards[k], shards[i] })
		doc, err := Merge(shards, false, "1")
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if diff := cmp.Diff(unmarked(whole), unmarked(doc), cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
			t.Fatalf("trial %d, %d shards (-whole +merged):\n%s", trial, len(shards), diff)
		}
		if err := doc.Validate(); err != nil {
			t.Errorf("trial %d: %v", trial, err)
		}
		if err := doc.Seal(); err != nil {
			t.Error(err)
		}
		if r, err := verify.Document(doc, "1"); err != nil || len(r.Findings) > 0 {
			t.Errorf("trial %d: %v, %+v", trial, err, r.Findings)
		}
		for i := range whole.Cases {
			for _, g := range whole.Cases[i].Gates {
				verdicts[g.Verdict]++
			}
		}
	}
	for _, v := range []result.Verdict{result.Pass, result.Fail, result.Inconclusive} {
		if verdicts[v] < 10 {
			t.Errorf("only %d gates are %s: the test has no power", verdicts[v], v)
		}
	}
}

// unmarked is what a document says of its cases, without the marks of shards.
func unmarked(doc *result.Document) any {
	cases := slices.Clone(doc.Cases)
	for i := range cases {
		cases[i].Shard = 0
	}
	return []any{cases, doc.Orders, doc.Exit, doc.Outcome().String(), doc.Suites[0].Planned, doc.Suites[0].Errors}
}

// If every shard gave its gates the error of a whole suite, identical code would fail more
// often. Then verdicts differ from the whole, and the shards are refused.
func TestSharesOfShardsAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	differ, refused := 0, 0
	for range 60 {
		s := measure(t, rng)
		whole := s.whole()
		d := Divide([]*spec.Plan{s.plan}, s.gates.Reads, Durations{}, 3, "")
		var shards []Result
		for i := range 3 {
			part := Take([]*spec.Plan{s.plan}, d, i+1)[0]
			var gates judge.Gates // knows the calls of this shard alone
			if problems := gates.Compile(part, true); len(problems) > 0 {
				t.Fatal(problems)
			}
			shards = append(shards, s.shard(&gates, d, i+1))
		}
		if _, err := Merge(shards, false, "1"); err != nil && strings.Contains(err.Error(), "errors of suite") {
			refused++
		}
		for _, one := range shards {
			for _, c := range one.Doc.Cases {
				at := slices.IndexFunc(whole.Cases, func(w result.Case) bool { return w.Name == c.Name })
				for k, g := range c.Gates {
					if g.Cause != result.CauseOtherShard && g.Verdict != whole.Cases[at].Gates[k].Verdict {
						differ++
					}
				}
			}
		}
	}
	t.Logf("%d verdicts differ, %d suites were refused", differ, refused)
	if differ == 0 || refused == 0 {
		t.Errorf("%d verdicts differ from the whole; %d suites were refused", differ, refused)
	}
}

// A machine that is unfit leaves the comparisons of its own cases undecided, and no others.
func TestAnUnfitMachineIsUnfitForItsCases(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	spared, wide := 0, 0
	for range 20 {
		s := measure(t, rng)
		whole := s.whole()
		shards := s.shards(rng, 3)
		bad := shards[1].Doc
		bad.Suites[0].Sentinel = s.sentinel(rng, 0.5)
		shards[2].Doc.Suites[0].Sentinel = s.sentinel(rng, 0)
		for _, one := range shards {
			s.judgeAgain(t, one.Doc)
		}
		doc, err := Merge(shards, false, "1")
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Unfit()) != 1 || doc.Exit == 0 || len(doc.Suites[0].AllSentinels()) != 2 {
			t.Errorf("unfit: %q, exit %d", doc.Unfit(), doc.Exit)
		}
		for _, n := range doc.Suites[0].AllSentinels() {
			if own := shards[n.Shard-1].Doc.Suites[0].Sentinel.Tolerance; n.Tolerance != own {
				t.Errorf("shard %d has a tolerance of %g, and had %g", n.Shard, n.Tolerance, own)
			}
			if n.Tolerance == 0.3 {
				wide++
			}
		}
		for i := range doc.Cases {
			c := &doc.Cases[i]
			for k, g := range c.Gates {
				was := whole.Cases[i].Gates[k]
				switch {
				case g.Verdict == was.Verdict:
					spared++
				case g.Cause != result.CauseUnfit || was.Verdict != result.Fail || c.Shard != 2 && !strings.HasPrefix(g.Expr, "geomean"):
					t.Errorf("shard %d: %s of %s is %s (%s), and was %s", c.Shard, g.Expr, c.Name, g.Verdict, g.Cause, was.Verdict)
				}
				if c.Shard == 2 && g.Verdict == result.Fail && g.Form == result.FormPairs {
					t.Errorf("%s of %s fails on an unfit machine", g.Expr, c.Name)
				}
			}
		}
	}
	if spared == 0 || wide == 0 {
		t.Errorf("%d verdicts were spared, %d sentinels have the tolerance of their own cases", spared, wide)
	}
}

// sentinel is a case that differs from itself by an effect.
func (s *measured) sentinel(rng *rand.Rand, effect float64) *result.Sentinel {
	c := s.sampled(&spec.Case{Name: "c0" + result.SentinelSuffix, Kind: result.KindCommand, Base: "c0"}, 60, rng)
	own, base := c.Samples.Columns["time"], c.Pairs.Samples.Columns["time"]
	for i := range own {
		own[i] = base[i] * math.Exp(effect+0.001*rng.NormFloat64())
	}
	c.Metrics = summary.Of(&c)
	return &result.Sentinel{Case: c, Builds: 1}
}

// judgeAgain judges a document as its run would have with the sentinel that it has now.
func (s *measured) judgeAgain(t *testing.T, doc *result.Document) {
	t.Helper()
	part := Take([]*spec.Plan{s.plan}, doc.Division, doc.Division.Index)[0]
	s.gates.Judge([]*spec.Plan{part}).Finish(doc, judge.Run{Commits: []*result.Commit{nil}, Accept: func(*result.Document) {}})
	if err := doc.Seal(); err != nil {
		t.Fatal(err)
	}
}

// Shards that are not the parts of one run are refused, with all reasons at once.
func TestWhatIsNotOneRunIsRefused(t *testing.T) {
	s := measure(t, rand.New(rand.NewPCG(2, 2)))
	for name, c := range map[string]struct {
		change func(shards []Result) []Result
		want   []string
	}{
		"version": {func(all []Result) []Result { all[1].Doc.Tool.Version = "2"; return all }, []string{"2.json: another version: 2 go1, and 1 go1 in 1.json"}},
		"file":    {func(all []Result) []Result { all[2].Doc.Suites[0].Hash = "sha256:2"; return all }, []string{`3.json: another suite file of "s": sha256:2, and sha256:1 in 1.json`}},
		"commit": {func(all []Result) []Result {
			all[2].Doc.Suites[0].Commit = &result.Commit{Hash: "abc", Dirty: true}
			return all
		}, []string{`3.json: another commit of suite "s": abc with changes, and none in 1.json`}},
		"base":     {func(all []Result) []Result { all[1].Doc.Suites[0].Against = &result.Against{Asked: "main"}; return all }, []string{`suite "s" was compared with something else: main , and nothing in 1.json`}},
		"plan":     {func(all []Result) []Result { all[1].Doc.Division.Plan = "sha256:x"; return all }, []string{"2.json: other cases, settings or gates"}},
		"division": {func(all []Result) []Result { all[1].Doc.Division.Hash = "sha256:x"; return all }, []string{"2.json: the cases are divided otherwise: 0 durations from forecast, and 0 durations from forecast in 1.json"}},
		"seed":     {func(all []Result) []Result { all[1].Doc.Division.Seed = "7"; return all }, []string{"2.json: another seed: 7, and none in 1.json"}},
		"strict":   {func(all []Result) []Result { all[1].Doc.Strict = true; return all }, []string{"2.json: --strict: true, and false in 1.json"}},
		"missing":  {func(all []Result) []Result { return all[1:] }, []string{"2.json: 1 shard is missing: 1/3"}},
		"twice":    {func(all []Result) []Result { return append(all, Result{"again.json", all[0].Doc}) }, []string{"again.json: it is shard 1, and 1.json is too", "again.json: cases that are in 1.json too: s: "}},
		"no shard": {func(all []Result) []Result { all[1].Doc.Division = nil; return all }, []string{"2.json: it is no shard of a run", "1.json: 1 shard is missing: 2/3"}},
		"merged":   {func(all []Result) []Result { m, _ := Merge(all, false, "1"); return append(all, Result{"m.json", m}) }, []string{"m.json: it consists of merged shards already"}},
		"number":   {func(all []Result) []Result { all[1].Doc.Division.Index = -2; return all }, []string{"2.json: it says that it is shard -2 of 3, which no shard is"}},
		"count": {func(all []Result) []Result { all[0].Doc.Division.Count = math.MaxInt; return all[:1] }, // a list of the missing shards would fill the memory
			[]string{"1.json: it says that it is shard 1 of 9223372036854775807, which no shard is"}},
		"other changes": {func(all []Result) []Result {
			for i := range all {
				all[i].Doc.Suites[0].Commit = &result.Commit{Hash: strings.Repeat("a", 40), Dirty: true, Changes: "sha256:" + strings.Repeat("c", 64)}
			}
			all[1].Doc.Suites[0].Commit.Changes = "sha256:" + strings.Repeat("d", 64)
			return all
		}, []string{`2.json: other uncommitted changes of suite "s": sha256:dddddddd, and sha256:cccccccc in 1.json`}},
		"case lost": {func(all []Result) []Result { d := all[0].Doc; d.Cases = d.Cases[1:]; return all }, []string{"1.json: cases that no shard has: s: "}},
		"several": {func(all []Result) []Result {
			all[1].Doc.Tool.Version, all[1].Doc.Strict, all[2].Doc.Division.Seed = "2", true, "7"
			return all[:3]
		}, []string{"2.json: another version", "2.json: --strict", "3.json: another seed"}},
	} {
		d := Divide([]*spec.Plan{s.plan}, s.gates.Reads, Durations{}, 3, "")
		shards := c.change([]Result{s.shard(&s.gates, d, 1), s.shard(&s.gates, d, 2), s.shard(&s.gates, d, 3)})
		for _, one := range shards {
			_ = one.Doc.Seal() // as if the run had been so
		}
		_, err := Merge(shards, false, "1")
		text := fmt.Sprint(err)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: got\n%s\nwant %s", name, text, want)
			}
		}
		if _, is := diag.AsProblems(err); !is {
			t.Errorf("%s: %v", name, err)
		}
	}
	shards := s.shards(rand.New(rand.NewPCG(1, 1)), 2)
	shards[0].Doc.Cases[0].Seconds++
	if _, err := Merge(shards, false, "1"); err == nil || !strings.Contains(err.Error(), "1.json: it was damaged or changed after the run") {
		t.Errorf("a changed shard: %v", err)
	}
	g := &shards[0].Doc.Cases[0].Gates[0]
	g.Verdict = map[bool]result.Verdict{true: result.Fail, false: result.Pass}[g.Verdict == result.Pass]
	_ = shards[0].Doc.Seal()
	if _, err := Merge(shards, false, "1"); err == nil || !strings.Contains(err.Error(), "1.json: case \"c0\": gate") || !strings.Contains(err.Error(), "verdict: the document has ") {
		t.Errorf("a forged verdict: %v", err)
	}
}

// A shard that was sealed again after a gate was removed or relaxed, or a sample changed, is
// refused: its gates would be missing in the whole as well.
func TestShardsAreVerified(t *testing.T) {
	s := measure(t, rand.New(rand.NewPCG(2, 2)))
	for name, c := range map[string]struct {
		change func(c *result.Case)
		want   string
	}{
		"as it is":       {func(*result.Case) {}, ""},
		"a gate removed": {func(c *result.Case) { c.Gates = nil }, `1.json: suite "s": gates: the document has `},
		"a limit":        {func(c *result.Case) { c.Gates[0].Expr = "time.median < 1.5ms" }, `1.json: case "c0": gate`},
		"only warned":    {func(c *result.Case) { c.Gates[0].Severity = "warn" }, `1.json: suite "s": the conditions of its gates: the document has `},
		"a sample": {func(c *result.Case) {
			column := slices.Clone(c.Samples.Columns["time"]) // other shards share it
			column[3] *= 0.5
			c.Samples.Columns = map[string]result.Column{"time": column}
		}, `1.json: case "c0": metric "time"`},
	} {
		shards := s.shards(rand.New(rand.NewPCG(1, 1)), 2)
		c.change(&shards[0].Doc.Cases[0])
		_ = shards[0].Doc.Seal()
		if _, err := Merge(shards, false, "1"); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A gate that a shard skips, because it reads the cases of others, may fail in the whole: its
// acceptance counts there.
func TestAcceptancesAreSettledInTheWhole(t *testing.T) {
	s := &measured{plan: &spec.Plan{Suite: "s", File: "s.yaml", Hash: "sha256:1", OnInconclusive: "list"}, cases: map[string]result.Case{}}
	s.plan.Errors.Family = 0.01
	const mean = `geomean("time") < 0.5`
	rng := rand.New(rand.NewPCG(3, 3))
	for i, base := range []string{"", "c0", "", "c2"} {
		c := spec.Case{Name: fmt.Sprint("c", i), Kind: result.KindCommand, Settings: spec.Defaults(), Base: base, Place: diag.Place{File: "s.yaml", Line: i + 1}}
		if i == 1 {
			c.Gates = []spec.Gate{{ID: mean, Expr: lang.Text{Value: mean, Place: c.Place}, Severity: "fail", OnInconclusive: "list"}}
		}
		s.plan.Cases = append(s.plan.Cases, c)
		s.cases[c.Name] = s.sampled(&c, 40, rng)
	}
	if problems := s.gates.Compile(s.plan, true); len(problems) > 0 {
		t.Fatal(problems)
	}
	shards := s.shards(rng, 2)
	for i := range shards {
		d := shards[i].Doc
		for k := range d.Cases {
			if d.Cases[k].Name == "c1" {
				d.Acceptances = []result.Acceptance{{Suite: "s", Case: "c1", Gate: mean, Until: "2026-12-31", State: result.AcceptanceOpen, Reason: "slower until mended"}}
			}
		}
		d.Exit = d.Outcome().Exit
		if err := d.Seal(); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := Merge(shards, false, "1")
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Acceptances) != 1 || doc.Acceptances[0].State != result.AcceptanceUsed || doc.Exit != 0 {
		t.Errorf("%+v, %s", doc.Acceptances, doc.Outcome())
	}
}

// Machines that divide by different durations have cases that two of them measure, and cases
// that none does. Both are listed.
func TestOverlapsAndGapsAreListed(t *testing.T) {
	s := measure(t, rand.New(rand.NewPCG(4, 1)))
	alone := func(string, string) []result.Reading { return nil }
	for i := range s.plan.Cases {
		s.plan.Cases[i].Base = ""
	}
	plans := []*spec.Plan{s.plan}
	one, other := Divide(plans, alone, Durations{}, 2, ""), Divide(plans, alone, seconds1(map[string]float64{"c1": 9}), 2, "")
	_, err := Merge([]Result{s.shard(&s.gates, one, 1), s.shard(&s.gates, other, 2)}, false, "1")
	text := fmt.Sprint(err)
	for _, want := range []string{"2.json: the cases are divided otherwise: 1 durations from history, and 0 durations from forecast in 1.json\n\thint: give all machines the same history",
		"2.json: cases that are in 1.json too: s: c", "1.json: cases that no shard has: s: c1"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %s", text, want)
		}
	}
}

// The cases of a missing shard are errors, and what reads them is not judged.
func TestPartialMerge(t *testing.T) {
	s := measure(t, rand.New(rand.NewPCG(2, 2)))
	shards := s.shards(rand.New(rand.NewPCG(1, 1)), 3)
	doc, err := Merge([]Result{shards[2], shards[0]}, true, "1")
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if c.Name != s.plan.Cases[i].Name {
			t.Errorf("case %d is %s", i, c.Name)
		}
		if c.Shard == 2 {
			lost++
			if c.Status != result.Failed || c.Failure.Cause != result.FailedLost {
				t.Errorf("%s: %s", c.Name, c.Status)
			}
		}
		for _, g := range c.Gates {
			if strings.HasPrefix(g.Expr, "geomean") && g.Cause != result.CauseOtherShard {
				t.Errorf("%s is %s", g.Expr, g.Verdict)
			}
		}
	}
	if m, seed := doc.MachineOf(&result.Case{Shard: 2}); m.CPUs != 0 || seed != "" {
		t.Errorf("the missing shard has a machine, %v, and a seed, %s", m, seed)
	}
	if lost == 0 || doc.Exit != 3 || doc.Validate() != nil || doc.Suites[0].Planned != nil {
		t.Errorf("%d cases are lost, exit %d, %v", lost, doc.Exit, doc.Validate())
	}
}
