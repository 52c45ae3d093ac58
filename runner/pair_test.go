package runner

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

func init() {
	batches := 0 // of all "fake/slot" in a host, so that it knows the second of a pair
	slot := func(*bench.Case) bench.Loop {
		return func(n int) {
			fake.Advance(1000 * int64(n))
			if batches++; batches%2 == 0 {
				fake.Advance(50 * int64(n))
			}
		}
	}
	bench.Register("fake/slot", slot)
	bench.Register("fake/1us", func(*bench.Case) bench.Loop {
		return func(n int) { fake.Advance(1000 * int64(n)) }
	})
	for name, end := range map[string]func(){
		"hangs late":         func() { <-make(chan int) },
		"fails late":         func() { panic("the tape is torn") },
		"ends its host late": func() { os.Exit(0) },
	} {
		setUps := 0
		bench.Register(name, func(*bench.Case) bench.Loop {
			setUps++
			batches, late := 0, setUps >= 5
			return func(n int) {
				if fake.Advance(1000 * int64(n)); batches == 8 && late {
					end()
				}
				batches++
			}
		})
	}
}

func named(name string) func(*spec.Case) {
	return func(c *spec.Case) { c.Name = name }
}

func basedOn(base string) func(*spec.Case) {
	return func(c *spec.Case) { c.Base = base }
}

func samples(n int) func(*spec.Case) {
	return func(c *spec.Case) { c.Settings.SamplesMin, c.Settings.SamplesMax = n, n }
}

// paired checks what is true of all pairs, and returns the pairs of a case.
func paired(t *testing.T, seed draw.Seed, c *result.Case) *result.Pairs {
	t.Helper()
	p := c.Pairs
	if p == nil || p.Samples.Len() != c.Samples.Len() || len(p.First) != c.Samples.Len() {
		t.Fatalf("%s: %d samples, pairs %+v, failure %+v", c.Name, c.Samples.Len(), p, c.Failure)
	}
	for i, first := range p.First {
		if want := seed.Coin(c.Suite, c.Name, c.Samples.Launch[i], i); first != want {
			t.Errorf("%s: in pair %d %d went first, and the coin said %d", c.Name, i, first, want)
		}
		if baseFirst := p.Samples.At[i] < c.Samples.At[i]; baseFirst != (first == 0) {
			t.Errorf("%s: pair %d, in which %d went first: the base began at %g, the case at %g", c.Name, i, first, p.Samples.At[i], c.Samples.At[i])
		}
		if p.Samples.Launch[i] != c.Samples.Launch[i] || p.Samples.Block[i] != c.Samples.Block[i] {
			t.Errorf("%s: the sides of pair %d are of different blocks", c.Name, i)
		}
	}
	return p
}

func TestPairsHaveTheSameIterationsInTheOrderOfTheirCoins(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1us", basedOn("fake/4ns"), samples(45)), function("fake/4ns"))
	c := &got[0]
	p := paired(t, draw.Seed{}, c)
	if c.Samples.Len() != 45 || c.Iterations != p.Iterations || c.Iterations < 14 || c.Iterations > 30 || // a fifth of sample_time
		got[1].Iterations < 15_000 {
		t.Errorf("%d pairs of %d and %d iterations; alone the base has %d", c.Samples.Len(), c.Iterations, p.Iterations, got[1].Iterations)
	}
	for i := range p.First {
		own, base := c.Samples.Columns["time"][i], p.Samples.Columns["time"][i]
		if !close1(own, 1e-6, 1e-6) || !close1(base, 4e-9, 0.03) { // a clock of whole ns
			t.Fatalf("pair %d: %g against %g", i, own, base)
		}
	}
	if got[1].Pairs != nil || got[1].Samples.Len() < 20 {
		t.Errorf("the base by itself: %d samples, pairs %v", got[1].Samples.Len(), got[1].Pairs)
	}
}

// Here the second batch takes 5 % longer. The coin distributes that over both sides;
// in a fixed order all pairs would agree on a difference.
func TestTheCoinTakesAwayWhatComingSecondCosts(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/slot", basedOn("base"), samples(400), func(c *spec.Case) {
		c.Settings.TargetTime = spec.Duration(time.Second)
	}), function("fake/slot", named("base"), func(c *spec.Case) { c.Settings.SamplesMax = 20 }))
	p, slower, differ := paired(t, draw.Seed{}, &got[0]), 0, 0
	for i, own := range got[0].Samples.Columns["time"] {
		switch base := p.Samples.Columns["time"][i]; {
		case own > 1.04*base:
			slower, differ = slower+1, differ+1
		case base > 1.04*own:
			differ++
		}
	}
	if n := len(p.First); n != 400 || differ != n || slower < n/2-50 || slower > n/2+50 { // five standard deviations
		t.Errorf("of %d pairs %d differ, and in %d the case is slower", n, differ, slower)
	}
}

// target_time limits the case's own samples, max_time both sides together.
func TestMaxTimeIsThatOfBothSides(t *testing.T) {
	t.Parallel()
	long := func(c *spec.Case) {
		c.Settings.TargetTime, c.Settings.MaxTime, c.Settings.SamplesMax = spec.Duration(time.Hour), spec.Duration(time.Second), 1e6
		c.Settings.SampleTime = spec.Duration(time.Millisecond)
	}
	got := runCases(t, context.Background(), "fake", function("fake/1ms", basedOn("base"), long), function("fake/1ms", named("base")))
	if n := len(paired(t, draw.Seed{}, &got[0]).First); got[0].Stop != "max_time" || n < 430 || n > 500 {
		t.Errorf("%d pairs of 1 ms each side, stopped by %s", n, got[0].Stop)
	}
	got = runCases(t, context.Background(), "fake", function("fake/1us", basedOn("base")), function("fake/1ms", named("base")))
	// Blocks are short compared with this target_time, and each has its warm-up.
	if n := len(paired(t, draw.Seed{}, &got[0]).First); got[0].Iterations != 1 || got[0].Stop != "max_time" || n < 440 || n > 1000 {
		t.Errorf("%d pairs of 1 µs beside 1 ms of %d iterations, stopped by %s", n, got[0].Iterations, got[0].Stop)
	}
	if n := len(got[0].Samples.Block); slices.Max(got[0].Samples.Block) < n/20 {
		t.Errorf("%d blocks of %d pairs", slices.Max(got[0].Samples.Block), n)
	}
}

// A side that fails ends the case and is named; the pairs before it are kept.
func TestASideThatFailsIsNamed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		own, base     string
		cause, starts string
	}{
		"the base":      {"fake/1us", "fails late", "panic", `its base "base": panic: the tape is torn`},
		"the case":      {"fails late", "fake/1us", "panic", "panic: the tape is torn"},
		"at once":       {"fake/1us", "panics", "panic", `its base "base": panic: the sky is falling`},
		"is not there":  {"fake/1us", "nobody", "missing", `its base "base": no benchmark "nobody" is registered`},
		"hangs":         {"fake/1us", "hangs late", "timeout", `its base "base": no answer within the timeout of 1s`},
		"ends its host": {"fake/1us", "ends its host late", "crash", `its base "base": the host process ended with exit status 0`},
		"the case does": {"ends its host late", "fake/1us", "crash", "the host process ended with exit status 0"},
	} {
		many := func(c *spec.Case) {
			c.Settings.TargetTime, c.Settings.MaxTime = spec.Duration(time.Second), spec.Duration(time.Minute)
			c.Settings.Timeout = spec.Duration(10 * time.Second)
			if test.cause == "timeout" {
				c.Settings.Timeout = spec.Duration(time.Second)
			}
		}
		got := runCases(t, context.Background(), "fake", function(test.own, named("case"), basedOn("base"), many), function(test.base, named("base"), many, samples(20)),
			function("fake/4ns"))
		f := got[0].Failure
		if f == nil || string(f.Cause) != test.cause || !strings.HasPrefix(f.Message, test.starts) || got[2].Status != result.Measured {
			t.Errorf("%s: failure %+v; the third case: %s", name, f, got[2].Status)
			continue
		}
		n := len(paired(t, draw.Seed{}, &got[0]).First)
		late := f.Cause == "crash" || f.Cause == "timeout" || strings.Contains(f.Message, "tape")
		if late != (n > 0) {
			t.Errorf("%s: %d pairs", name, n)
		}
		if strings.Contains(f.Message, "tape") && (f.Batch <= n || f.Batch > n+11) {
			t.Errorf("%s: it failed in pair %d behind %d", name, f.Batch, n)
		}
	}
}

// A stop of the process spoils both sides, whichever it fell on.
func TestAStopSpoilsThePair(t *testing.T) {
	base := function("any", named("base"))
	plan := &spec.Plan{Suite: "s", Cases: []spec.Case{function("any", basedOn("base")), base}}
	tr := newTrack(plan, &plan.Cases[0])
	tr.pairWith(plan, &base)
	host := &remote{Client: &client.Client{}}
	for i, s := range tr.sides() {
		s.series.ID, s.series.N, s.series.Thread = i+1, 1, "locked"
		s.enter(host)
	}
	r := &wire.Readings{Elapsed: 4e9, Stops: []int64{0, 0, 0, 2e9, 0, 0}, Columns: map[string][]int64{}}
	request := &wire.Request{Pairs: 3}
	for _, id := range []int{1, 2, 2, 1, 1, 2} {
		request.Batches = append(request.Batches, wire.Batch{ID: id, N: 1})
		r.ID, r.N = append(r.ID, id), append(r.N, 1)
		for _, name := range []string{"time", "wall"} {
			r.Columns[name] = append(r.Columns[name], 1e6)
		}
	}
	r.Columns["wall"][3] += 2e9
	tr.takePairs(request.Pairs, r, 0, 0)
	own, other := tr.result.Samples.Disturbed, tr.result.Pairs.Samples.Disturbed
	if len(own) != 1 || own[0] != (result.Disturbed{Index: 1, Cause: result.Stopped, Seconds: 2}) || len(other) != 1 || other[0] != (result.Disturbed{Index: 1, Cause: result.OtherStopped, Seconds: 2}) {
		t.Errorf("disturbed %v beside %v", own, other)
	}
	if !slices.Equal(tr.result.Pairs.First, []int{1, 0, 1}) || tr.own.series.Used != time.Second || tr.base.series.Used != time.Second || tr.own.series.Sampled > 10*time.Millisecond {
		t.Errorf("first %v, used %v, sampled %v", tr.result.Pairs.First, tr.own.series.Used, tr.own.series.Sampled)
	}
}

// The hooks of a base run once, however many cases are compared with it: before the
// first of its runs and after the last.
func TestTheHooksOfABaseRunOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	say := func(word string) []string { return []string{"sh", "-c", "echo " + word + " >>log"} }
	in := func(c *spec.Case) { c.Cwd = dir }
	hooks := func(c *spec.Case) {
		c.Setup, c.Cleanup = &spec.Hook{Argv: say("setup")}, &spec.Hook{Argv: say("cleanup")}
	}
	got := runCases(t, context.Background(), "fake", program("a", say("a"), in, basedOn("base")), program("b", say("b"), in, basedOn("base")),
		program("base", say("base"), in, hooks))
	for i := range 2 {
		if n := len(paired(t, draw.Seed{}, &got[i]).First); n != 20 {
			t.Errorf("%s: %d pairs, failure %+v", got[i].Name, n, got[i].Failure)
		}
	}
	text, _ := os.ReadFile(dir + "/log")
	lines := strings.Fields(string(text))
	count := map[string]int{}
	for _, line := range lines {
		count[line]++
	}
	if count["setup"] != 1 || count["cleanup"] != 1 || lines[0] != "setup" || lines[len(lines)-1] != "cleanup" || count["base"] != 60 || count["a"] != 20 {
		t.Errorf("ran %v, from %s to %s", count, lines[0], lines[len(lines)-1])
	}
}

func TestACaseWhoseBaseCannotBeSetUpIsNotMeasured(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1us", basedOn("base")), function("fake/1ms", named("base"), func(c *spec.Case) {
		c.Setup = &spec.Hook{Argv: []string{"false"}}
	}))
	if f := got[0].Failure; f == nil || f.Phase != "setup" || !strings.HasPrefix(f.Message, `its base "base": setup ended`) || got[1].Failure == nil || strings.Contains(got[1].Failure.Message, "its base") {
		t.Errorf("failures %+v and %+v", f, got[1].Failure)
	}
}

// A base with a unit of its own, declared by its function, cannot be compared.
func TestUnitsThatFunctionsDeclareAreCompared(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1us", basedOn("base")), function("fake/1ms", named("base"), func(c *spec.Case) { c.Unit, c.UnitSet = "byte", true }))
	if f := got[0].Failure; f == nil || f.Cause != "check" || !strings.Contains(f.Message, `its unit is op, and the unit of its base "base" is byte`) {
		t.Errorf("failure %+v", f)
	}
}

// A run that hangs at times on one side is a bound on that side of the pair.
func TestABaseThatHangsAtTimesIsABound(t *testing.T) {
	t.Parallel()
	base := hanging(t, "3 24", named("base"), samples(20)) // the second one is in a pair
	got := runCases(t, context.Background(), "real", program("true", []string{"true"}, basedOn("base"), func(c *spec.Case) { c.Settings.MaxTime = spec.Duration(time.Hour) }), base)
	p := paired(t, draw.Seed{}, &got[0])
	if n := len(p.Samples.Censored) + len(got[1].Samples.Censored); n != 2 || len(got[0].Samples.Censored) != 0 || len(p.First) != 20 {
		t.Errorf("%d of 2 runs are bounds, %v of the case, in %d pairs; failure %+v", n, got[0].Samples.Censored, len(p.First), got[0].Failure)
	}
}

// A base of which every run hangs is no base.
func TestABaseThatAlwaysHangsFailsTheCase(t *testing.T) {
	t.Parallel()
	got := runCases(t, context.Background(), "real", program("true", []string{"true"}, basedOn("base")), hanging(t, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", named("base")))
	if f := got[0].Failure; f == nil || f.Cause != "timeout" || !strings.Contains(f.Message, `its base "base": `) {
		t.Errorf("failure %+v", f)
	}
}

// Outputs that must be the same are compared across the sides, even if no warm-up has
// recorded them.
func TestTheSidesOfAPairHaveToPrintTheSame(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs echo")
	}
	same := func(c *spec.Case) {
		c.SameOutput, c.OutputName, c.Settings.MaxTime = true, "greeting", spec.Duration(time.Hour)
	}
	for own, want := range map[string]string{"hello": "", "goodbye": "differs"} {
		got := runCases(t, context.Background(), "real", program("case", []string{"echo", own}, basedOn("base"), same), program("base", []string{"echo", "hello"}, same))
		cause := ""
		for _, c := range got {
			if c.Failure != nil {
				cause = string(c.Failure.Cause)
			}
		}
		if cause != want || want == "" && len(paired(t, draw.Seed{}, &got[0]).First) != 20 {
			t.Errorf("%s: cause %q, want %q; %d pairs", own, cause, want, got[0].Samples.Len())
		}
	}
}

// A base of which too few runs count is nothing to compare with.
func TestABaseThatIsMostlyVoidIsNoBase(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	void := func(c *spec.Case) { c.Cwd, c.Reject, c.Settings.Quorum = dir, []int{4}, 0.5 }
	got := runCases(t, context.Background(), "real", program("case", []string{"true"}, basedOn("base")),
		program("base", []string{"sh", "-c", "echo x >>runs; test $(($(wc -l <runs) % 3)) = 0 || exit 4"}, void))
	for i, prefix := range []string{`its base "base": `, ""} {
		if f := got[i].Failure; f == nil || f.Cause != "rejected" || !strings.HasPrefix(f.Message, prefix) || !strings.Contains(f.Message, "runs counted (33%)") {
			t.Errorf("%s: failure %+v", got[i].Name, f)
		}
	}
}

// A base has the cost of its own loop, not that of the case's loop.
func TestTheBaseHasALoopOfItsOwn(t *testing.T) {
	t.Parallel()
	batch := func(c *spec.Case) { c.Settings.Batch = 1000 }
	got := runCases(t, context.Background(), "fake", function("fake/calls-nothing", batch), function("fake/4ns", batch),
		function("fake/nothing", batch, named("other loop"), basedOn("fake/calls-nothing")), function("fake/nothing", batch, named("same loop"), basedOn("fake/4ns")))
	for i, want := range map[int]struct {
		loop string
		cost float64
	}{2: {"indirect", 1.3333e-9}, 3: {"direct", 0.3333e-9}} {
		c := got[i]
		o := c.Pairs.Overhead
		if o == nil || o.Loop != want.loop || !close1(o.LoopCost, want.cost, 0.01) || !close1(c.LoopCost, 0.3333e-9, 0.01) || o.LoopError <= 0 || o.ClockError <= 0 {
			t.Errorf("%s: base %+v, case %g s, failure %+v", c.Name, o, c.LoopCost, c.Failure)
		}
	}
}
