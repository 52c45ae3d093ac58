package target

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/benchcase"
	"example.com/suite/internal/benchname"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// Function asks for the loop of a function.
func (t *Target) Function() *wire.Function {
	c := t.Spec
	f := &wire.Function{Name: c.Name, Function: c.Function, Params: benchParams(c.Params), Counters: c.Counters,
		Witness: t.WantsWitness(), Spread: t.Paired}
	fill(f, &c.Settings)
	f.SampleTime = t.batchGoal()
	f.Parallel = max(c.Settings.Parallel, 1)
	return f
}

// pairShare of sample_time is how long each batch of a pair lasts. Shorter batches bring
// the two sides closer in time: on a busy machine pairs of 0.2 ms were worth two to ten
// times as much in a second as pairs of 1 ms (docs/evidence/proof.md).
const pairShare = 5

// batchGoal is how long a batch has to last, ns. With arrivals a pair has the whole
// sample_time for its queues.
func (t *Target) batchGoal() int64 {
	if !t.Paired || t.HasArrivals() {
		return int64(t.Spec.Settings.SampleTime)
	}
	return int64(t.Spec.Settings.SampleTime) / pairShare
}

func benchParams(ps []spec.Param) map[string]benchcase.Param {
	all := map[string]benchcase.Param{}
	for _, p := range ps {
		b := benchcase.Param{Text: p.Value.Text}
		switch p.Value.Kind {
		case lang.Number:
			b.Number = &p.Value.Number
		case lang.Bool:
			b.Bool = &p.Value.Bool
		}
		all[p.Name] = b
	}
	return all
}

// WantsWitness reports whether the instructions of both sides of a pair are counted although
// the suite file does not ask for them: they show where a change of the time comes from.
func (t *Target) WantsWitness() bool {
	return t.Paired && !t.Spec.NoWitness && !t.Spec.Callgrind && !t.TimesItself() && !t.HasArrivals()
}

// Command asks for runs of a command that has had so many runs.
func (t *Target) Command(runs int) *wire.Command {
	c := t.Spec
	r := &wire.Command{Name: c.Name, Argv: t.Argv(), Env: c.Env, Dir: c.Cwd, Stdin: c.Stdin,
		Input: c.StdinText, Stdout: c.Stdout,
		ExitCodes: slices.Clone(c.ExitCodes), AnyExit: c.AnyExit, Prepare: hookArgv(c.Prepare),
		Conclude: hookArgv(c.Conclude), HookVars: t.hookVars(), Runs: runs,
		Counters: c.Counters, Witness: t.WantsWitness(), Reject: c.Reject, Metrics: metrics(c.Metrics),
		SameOutput: c.SameOutput, Traced: t.Plan.Traced}
	fill(r, &c.Settings)
	return r
}

// Harnessed asks for a benchmark of another harness.
func (t *Target) Harnessed() *wire.Harness {
	c := t.Spec
	h := t.harness()
	r := &wire.Harness{Harness: h.Name, Benchmark: c.Harness.Benchmark, Counts: h.Counts,
		Files: t.harnessRequest(1).Results != "",
		Stays: t.Stays(),
		N:     int(c.Settings.Benchtime.N), Goal: t.benchGoal(), Command: *t.Command(0)}
	r.Argv, r.ExitCodes = t.program(), append([]int{0}, h.Exits...)
	loads := harness.Request{Loads: t.harnessRequest(1).Loads}
	module := h.Load(loads, c.Harness.Module, slices.Concat(os.Environ(), c.Env))
	r.Argv, r.Env = slices.Concat(r.Argv, module.Args), slices.Concat(r.Env, module.Variables)
	return r
}

func (t *Target) harness() harness.Row {
	row, _ := harness.Find(t.Spec.Harness.Name) // the reader of suite files knows that it is there
	if t.Stays() {
		return row.Staying()
	}
	return row
}

// program is the command that contains the benchmarks.
func (t *Target) program() []string {
	if p := t.Spec.Harness.Program; len(p) > 0 {
		return p
	}
	return t.Spec.Argv
}

// harnessRequest is what the program of a harness is given for a sample of the usual length by hand.
func (t *Target) harnessRequest(iterations int) harness.Request {
	n := max(iterations, int(t.Spec.Settings.Benchtime.N), 1)
	return t.harness().Run(t.Spec.Harness.Benchmark,
		harness.Amount{Iterations: n, Seconds: float64(t.benchGoal()) / 1e9})
}

// Argv is the command of the side.
func (t *Target) Argv() []string {
	if t.IsHarnessed() {
		return slices.Concat(t.program(), t.harnessRequest(1).Args)
	}
	if t.Spec.Kind == result.KindShell {
		return shell(t.Spec.Shell)
	}
	return t.Spec.Argv
}

// shell is the argv of a shell text.
func shell(text string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C", text}
	}
	return []string{"sh", "-c", text}
}

func hookArgv(h *spec.Hook) []string {
	if h == nil {
		return nil
	}
	return h.Argv
}

// longestParam is the longest parameter that a hook finds in its environment, bytes: Linux
// starts no program with a variable of 128 KiB.
const longestParam = 64 << 10

// hookVars describes the case to its hooks in variables, NAME=value, without the number of
// the run.
func (t *Target) hookVars() []string {
	vars := []string{"SUITE_SUITE=" + t.Plan.Suite, "SUITE_CASE=" + t.Spec.Name}
	for _, p := range t.Spec.Params {
		if len(p.Value.Text) <= longestParam {
			vars = append(vars, spec.ParamVariable(p.Name)+"="+p.Value.Text)
		}
	}
	return vars
}

// HookEnv is the environment of the setup and cleanup hooks, whose round is the number of
// runs so far.
func (t *Target) HookEnv(runs int) []string {
	return slices.Concat(t.hookVars(), []string{wire.RoundVariable + "=" + strconv.Itoa(runs)}, t.Spec.Env)
}

// metrics are those that the host has to look for.
func metrics(ms []spec.Metric) (all []wire.Metric) {
	for _, m := range ms {
		all = append(all, wire.Metric{Name: m.Name, From: m.From, Regex: m.Regex, JSON: m.JSON,
			Bench: m.Bench, Scale: m.Scale})
	}
	return all
}

// GoTest asks for a benchmark of a test binary as go test would start it, from a copy of the
// program; empty: from the program itself.
func (t *Target) GoTest(file string) *wire.GoTest { return t.goTest(file, t.Procs()) }

// CountedGoTest asks for a benchmark of a test binary that valgrind counts, in a process that serves all benchmarks
// of the binary, from a file as in GoTest. It has one processor of the Go runtime unless the suite file has a
// number: others would wait for work in loops, which count.
func (t *Target) CountedGoTest(file string) *wire.GoTest {
	c := t.Spec
	r := t.goTest(file, max(c.GoTest.Procs, 1))
	r.Stays = c.GoTest.Serves && c.Prepare == nil && c.Conclude == nil
	r.Env = slices.Clone(r.Env)
	for _, entry := range []string{"GOGC=off", fmt.Sprintf("GOMEMLIMIT=%d", wire.CountedMemory)} {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.ContainsFunc(c.Env, func(own string) bool { return strings.HasPrefix(own, name+"=") }) {
			r.Env = append(r.Env, entry)
		}
	}
	return r
}

func (t *Target) goTest(file string, procs int) *wire.GoTest {
	c, g := t.Spec, t.Spec.GoTest
	s := &c.Settings
	r := &wire.GoTest{Benchmark: g.Benchmark, Match: benchname.Only(g.Benchmark),
		Printed: benchname.Procs(g.Benchmark, procs),
		Stays:   t.Stays(), N: int(s.Benchtime.N), Goal: t.benchGoal(), MostGoal: int64(s.Benchtime.Time),
		Command: wire.Command{Name: c.Name, Traced: t.Plan.Traced, Env: c.Env, Dir: g.Dir, Warmup: int64(s.Warmup),
			WarmupBatches: s.WarmupBatches, Timeout: int64(s.Timeout),
			Prepare: hookArgv(c.Prepare), Conclude: hookArgv(c.Conclude), Argv: []string{cmp.Or(file, g.Program),
				"-test.paniconexit0", "-test.run=^$",
				"-test.count=1", "-test.benchmem", fmt.Sprintf("-test.cpu=%d", procs)}}}
	for _, m := range byTesting {
		if m.Name != "throughput" || !c.WorkSet { // else units of work per second, as for all others
			r.Values = append(r.Values, m)
		}
	}
	r.Values = append(r.Values, metrics(c.Metrics)...)
	return r
}

// Stays reports whether a process takes many samples: of a test binary, or in pairs of a program of another harness
// that answers request after request. A case with hooks has a process for each: the hooks are for the run of a process.
func (t *Target) Stays() bool {
	c := t.Spec
	switch {
	case c.Settings.Isolate == result.IsolateSample || t.Alone || c.Prepare != nil ||
		c.Conclude != nil || t.Plan.Traced && !t.Plan.Together:
		return false
	case t.IsHarnessed():
		row, _ := harness.Find(c.Harness.Name)
		_, responds := row.Staying().Harness.(harness.Responder)
		return responds && t.Paired && !c.JudgedByInstructions() && !slices.ContainsFunc(c.Metrics,
			func(m spec.Metric) bool { return m.From != wire.Stdout })
	}
	return t.IsGoTest() && c.GoTest.Serves
}

// A sample of a pair lasts benchtime divided by this. A sample that starts a process, which takes some 3 ms, cannot be
// as short as a function's; one in a process that stays comes with a collection, which takes some 0.2 ms.
const (
	pairShareOfBenchtime = 2
	pairShareOfStaying   = 10
)

// benchGoal is how long a sample has to last, ns.
func (t *Target) benchGoal() int64 {
	goal := int64(t.Spec.Settings.Benchtime.Time)
	switch {
	case t.Paired && t.IsGoTest() && t.Stays():
		return goal / pairShareOfStaying
	case t.Paired:
		return goal / pairShareOfBenchtime
	}
	return goal
}

// Procs is GOMAXPROCS of a test binary. A benchmark of another harness may use as many processors.
func (t *Target) Procs() int {
	if t.IsHarnessed() {
		return runtime.GOMAXPROCS(0)
	}
	return cmp.Or(t.Spec.GoTest.Procs, runtime.GOMAXPROCS(0))
}

// byTesting are the metrics that package testing prints in addition to the time.
var byTesting = []wire.Metric{
	{Name: "throughput", From: wire.Stdout, Bench: "MB/s", Scale: 1e6},
	{Name: "heap", From: wire.Stdout, Bench: "B/op", Scale: 1},
	{Name: "allocs", From: wire.Stdout, Bench: "allocs/op", Scale: 1},
}

// fill copies the settings into the fields of a struct that have the same names. A time
// becomes seconds if its field is a float64, otherwise nanoseconds.
func fill(to any, s *spec.Settings) {
	from, fields := reflect.ValueOf(s).Elem(), reflect.ValueOf(to).Elem()
	for i := range fields.NumField() {
		field := fields.Field(i)
		value := from.FieldByName(fields.Type().Field(i).Name)
		if !value.IsValid() {
			continue
		}
		if d, isTime := value.Interface().(spec.Duration); isTime && field.Kind() == reflect.Float64 {
			field.SetFloat(time.Duration(d).Seconds())
			continue
		}
		field.Set(value.Convert(field.Type()))
	}
}
