package runner

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"time"

	"example.com/suite/internal/benchcase"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// asked is what the plan asks of a side, and what follows from that alone. Nothing that is
// measured changes it.
type asked struct {
	plan   *spec.Plan // whose host runs it
	spec   *spec.Case
	tree   string // the name of the other tree, if this is a base in one
	paired bool   // it is one of two sides
	isBase bool   // it is the base of its case, and not the case itself
}

// isCommand reports whether the side is a process and not a function.
func (a *asked) isCommand() bool { return a.spec.Kind != result.KindGo }

// wireKind is the kind of its hosts in the protocol.
func (a *asked) wireKind() string {
	if a.isCommand() {
		return wire.KindCommand
	}
	return wire.KindGo
}

// ownTime is the side's half of max_time, or all of it without a base.
func (a *asked) ownTime() time.Duration {
	if a.paired {
		return time.Duration(a.spec.Settings.MaxTime) / 2
	}
	return time.Duration(a.spec.Settings.MaxTime)
}

// maxTime is what the side may take, its share of a budget included.
func (a *asked) maxTime(allowance time.Duration) time.Duration {
	limit := a.ownTime()
	if allowance > 0 {
		limit = min(limit, allowance)
	}
	return limit
}

// warmup is how long a block or a later launch may warm up. If the suite file has a number
// of batches, it is the time that a suite file has by default: longer batches are their own
// warm-up, and a run of a slow command is not thrown away in each block.
func (a *asked) warmup() time.Duration {
	if a.spec.Settings.WarmupBatches > 0 {
		return time.Duration(spec.Defaults().Warmup)
	}
	return time.Duration(a.spec.Settings.Warmup)
}

// baseName is what a failure calls the side of a base.
func (a *asked) baseName() string {
	if a.tree != "" {
		return "its base in " + a.tree
	}
	return fmt.Sprintf("its base %q", a.spec.Name)
}

// asBase puts the name of the base before the message of a failure of the base.
func (a *asked) asBase(f *result.Failure) *result.Failure {
	if f != nil {
		f.Message = a.ofBase() + f.Message
	}
	return f
}

// ofBase is the beginning of a message about a base, empty for other sides.
func (a *asked) ofBase() string {
	if !a.isBase {
		return ""
	}
	return a.baseName() + ": "
}

// outputKey is the key of what a command prints.
func (a *asked) outputKey() outputKey {
	if a.spec.OutputName != "" {
		return outputKey{suite: a.plan.Suite, tree: a.tree, shared: a.spec.OutputName}
	}
	return outputKey{suite: a.plan.Suite, tree: a.tree, alone: a.spec.Name}
}

// unhit are the points that were asked for and have no hit.
func (a *asked) unhit(pass *wire.Pegged) (names []string) {
	for _, name := range a.spec.PegPoints {
		if !slices.Contains(pass.Known, name) {
			names = append(names, name)
		}
	}
	return names
}

// argv is the command of the side.
func (a *asked) argv() []string {
	if a.spec.Kind == result.KindShell {
		return shell(a.spec.Shell)
	}
	return a.spec.Argv
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

// longestTold is the longest parameter that a hook finds in its environment, bytes: Linux
// starts no program with a variable of 128 KiB.
const longestTold = 64 << 10

// told describes the case to its hooks in variables, NAME=value, without the number of
// the run.
func (a *asked) told() []string {
	told := []string{"SUITE_SUITE=" + a.plan.Suite, "SUITE_CASE=" + a.spec.Name}
	for _, p := range a.spec.Params {
		if len(p.Value.Text) <= longestTold {
			told = append(told, spec.ParamVariable(p.Name)+"="+p.Value.Text)
		}
	}
	return told
}

// hookEnv is the environment of the setup and cleanup hooks, whose round is the number of
// runs so far.
func (a *asked) hookEnv(runs int) []string {
	return slices.Concat(a.told(), []string{wire.RoundVariable + "=" + strconv.Itoa(runs)}, a.spec.Env)
}

// pairShare of sample_time is how long each batch of a pair lasts. Shorter batches bring
// the two sides closer in time: on a busy machine pairs of 0.2 ms were worth two to ten
// times as much in a second as pairs of 1 ms (docs/proof.md).
const pairShare = 5

// batchGoal is how long a batch has to last, ns. With arrivals a pair has the whole
// sample_time for its queues.
func (a *asked) batchGoal() int64 {
	if !a.paired || a.hasArrivals() {
		return int64(a.spec.Settings.SampleTime)
	}
	return int64(a.spec.Settings.SampleTime) / pairShare
}

// request prepares a side in a host.
func (t *side) request() *wire.Request {
	if t.isGoTest() {
		return &wire.Request{Op: "prepare", GoTest: t.goTest(t.file)}
	}
	if t.isCommand() {
		return &wire.Request{Op: "prepare", Command: t.command(t.Runs)}
	}
	f := t.function()
	f.Long = t.span(t.Sized) > wire.LongBatch
	if t.Thread != "" {
		f.Thread = t.Thread // decided in the first launch and kept
	}
	return &wire.Request{Op: "prepare", Function: f}
}

func (a *asked) function() *wire.Function {
	c := a.spec
	f := &wire.Function{Name: c.Name, Function: c.Function, Params: benchParams(c.Params), Counters: c.Counters, Witness: a.wantsWitness(), Spread: a.paired}
	fill(f, &c.Settings)
	f.SampleTime = a.batchGoal()
	f.Parallel = max(c.Settings.Parallel, 1)
	return f
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

// command asks for runs of a command that has had so many runs.
func (a *asked) command(runs int) *wire.Command {
	c := a.spec
	r := &wire.Command{Name: c.Name, Argv: a.argv(), Env: c.Env, Dir: c.Cwd, Stdin: c.Stdin, Input: c.StdinText, Stdout: c.Stdout,
		ExitCodes: slices.Clone(c.ExitCodes), AnyExit: c.AnyExit, Prepare: hookArgv(c.Prepare), Conclude: hookArgv(c.Conclude), Told: a.told(), Runs: runs,
		Counters: c.Counters, Witness: a.wantsWitness(), Reject: c.Reject, Metrics: metrics(c.Metrics), SameOutput: c.SameOutput, Traced: a.plan.Traced}
	fill(r, &c.Settings)
	return r
}

// metrics are those that the host has to look for.
func metrics(ms []spec.Metric) (all []wire.Metric) {
	for _, m := range ms {
		all = append(all, wire.Metric{Name: m.Name, From: m.From, Regex: m.Regex, JSON: m.JSON, Bench: m.Bench, Scale: m.Scale})
	}
	return all
}

// Params turns the parameters of a plan into the document's.
func Params(ps []spec.Param) (all []result.Param) {
	for _, p := range ps {
		r := result.Param{Name: p.Name, Text: p.Value.Text}
		if p.Value.Kind == lang.Number {
			r.Number = &p.Value.Number
		}
		all = append(all, r)
	}
	return all
}

// Declared are the metrics that a case declares, as the document has them: those of the suite
// file, those that an existing benchmark prints, and those that a function was seen to report.
func Declared(c *spec.Case) (all []result.Declared) {
	for _, m := range c.Metrics {
		all = append(all, m.Declared)
	}
	return append(all, c.Reports...)
}

// A field that result.Settings shares with spec.Settings by name is copied, so that a
// new setting needs no code here.
func settings(s *spec.Settings) (stated result.Settings) {
	fill(&stated, s)
	return stated
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
