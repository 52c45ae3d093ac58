package runner

import (
	"cmp"
	"fmt"
	"runtime"

	"example.com/suite/internal/benchname"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
)

// isGoTest reports whether the case is a benchmark of a test binary, which is a
// process too.
func (t *target) isGoTest() bool { return t.spec.Kind == result.KindGoTest }

// asGoTest fills in what is known of a benchmark of a test binary before it runs.
func (s *series) asGoTest() {
	g := s.target.spec.GoTest
	if !s.target.isGoTest() || g == nil {
		return
	}
	r := s.result
	r.Identity.Package, r.Identity.Benchmark, r.Identity.Procs = g.Package, g.Benchmark, g.Procs
	b := s.target.spec.Settings.Benchtime
	r.Settings.Batch, r.Settings.SampleTime, r.Settings.Pin = b.N, seconds(float64(b.Time)), ""
}

// byTesting are the metrics that package testing prints in addition to the time.
var byTesting = []wire.Metric{
	{Name: "throughput", From: wire.Stdout, Bench: "MB/s", Scale: 1e6},
	{Name: "heap", From: wire.Stdout, Bench: "B/op", Scale: 1},
	{Name: "allocs", From: wire.Stdout, Bench: "allocs/op", Scale: 1},
}

// goTest asks for a benchmark of a test binary as go test would start it, from a copy of the
// program; empty: from the program itself.
func (t *target) goTest(file string) *wire.GoTest {
	c, g := t.spec, t.spec.GoTest
	s := &c.Settings
	r := &wire.GoTest{Printed: benchname.Procs(g.Benchmark, t.procs()), N: int(s.Benchtime.N), Goal: t.benchGoal(),
		Command: wire.Command{Name: c.Name, Traced: t.plan.Traced, Env: c.Env, Dir: g.Dir, Warmup: int64(s.Warmup), WarmupBatches: s.WarmupBatches, Timeout: int64(s.Timeout),
			Prepare: hookArgv(c.Prepare), Conclude: hookArgv(c.Conclude), Argv: []string{cmp.Or(file, g.Program), "-test.paniconexit0", "-test.run=^$",
				"-test.bench=" + benchname.Only(g.Benchmark), "-test.count=1", "-test.benchmem", fmt.Sprintf("-test.cpu=%d", t.procs())}}}
	for _, m := range byTesting {
		if m.Name != "throughput" || !c.WorkSet { // else units of work per second, as for all others
			r.Values = append(r.Values, m)
		}
	}
	r.Values = append(r.Values, metrics(c.Metrics)...)
	return r
}

// pairShareOfBenchtime: a sample of a pair lasts benchtime divided by this. Each sample
// starts a process, which takes some 3 ms, so that it cannot be as short as a
// function's.
const pairShareOfBenchtime = 4

// benchGoal is how long a sample has to last, ns.
func (t *target) benchGoal() int64 {
	goal := int64(t.spec.Settings.Benchtime.Time)
	if t.paired {
		goal /= pairShareOfBenchtime
	}
	return goal
}

// printed are the names of what a case may print.
func (s *series) printed() (names []string) {
	for _, d := range s.result.Declared {
		names = append(names, d.Name)
	}
	for _, m := range byTesting {
		if s.target.isGoTest() {
			names = append(names, m.Name)
		}
	}
	return names
}

func (t *target) procs() int { return cmp.Or(t.spec.GoTest.Procs, runtime.GOMAXPROCS(0)) }

// asPrinted puts the time of an iteration as package testing has printed it in
// place of what is left of it when whole nanoseconds are divided: of three
// iterations of 12.33 ns that would be 12.3333.
func (s *series) asPrinted(r *wire.Readings, i int) {
	column, times := r.Values["time"], s.result.Samples.Columns["time"]
	if s.target.isGoTest() && i < len(column) && column[i] >= 0 {
		times[len(times)-1] = column[i] / s.result.Work
	}
}

// byHand is the command that runs batches of so many iterations without suite.
func (t *target) byHand(iterations int) string {
	g := t.spec.GoTest
	n := "1x"
	if iterations > 1 {
		n = fmt.Sprintf("%dx", iterations)
	}
	return process.CommandLine(g.Dir, []string{"go", "test", "-run=^$", "-bench=" + benchname.Only(g.Benchmark), "-benchtime=" + n, fmt.Sprintf("-cpu=%d", t.procs())})
}

// notOf reports whether a column does not describe a benchmark of a test binary: the
// time and the CPU time of the whole process include its start, whatever they are
// divided by.
func (t *target) notOf(column string) bool {
	return t.isGoTest() && (column == "wall" || column == "cpu")
}
