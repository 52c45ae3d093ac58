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
type target struct {
	plan   *spec.Plan // whose host runs it
	spec   *spec.Case
	tree   string // the name of the other tree, if this is a base in one
	paired bool   // it is one of two sides
	isBase bool   // it is the base of its case, and not the case itself
}

// isCommand reports whether the side is a process and not a function.
func (t *target) isCommand() bool { return t.spec.Kind != result.KindGo }

// wireKind is the kind of its hosts in the protocol.
func (t *target) wireKind() string {
	if t.isCommand() {
		return wire.KindCommand
	}
	return wire.KindGo
}

// ownTime is the side's half of max_time, or all of it without a base.
func (t *target) ownTime() time.Duration {
	if t.paired {
		return time.Duration(t.spec.Settings.MaxTime) / 2
	}
	return time.Duration(t.spec.Settings.MaxTime)
}

// maxTime is what the side may take, its share of a budget included.
func (t *target) maxTime(allowance time.Duration) time.Duration {
	limit := t.ownTime()
	if allowance > 0 {
		limit = min(limit, allowance)
	}
	return limit
}

// warmup is how long a block or a later launch may warm up. If the suite file has a number
// of batches, it is the time that a suite file has by default: longer batches are their own
// warm-up, and a run of a slow command is not thrown away in each block.
func (t *target) warmup() time.Duration {
	if t.spec.Settings.WarmupBatches > 0 {
		return time.Duration(spec.Defaults().Warmup)
	}
	return time.Duration(t.spec.Settings.Warmup)
}

// baseName is what a failure calls the side of a base.
func (t *target) baseName() string {
	if t.tree != "" {
		return "its base in " + t.tree
	}
	return fmt.Sprintf("its base %q", t.spec.Name)
}

// asBase puts the name of the base before the message of a failure of the base.
func (t *target) asBase(f *result.Failure) *result.Failure {
	if f != nil {
		f.Message = t.ofBase() + f.Message
	}
	return f
}

// ofBase is the beginning of a message about a base, empty for other sides.
func (t *target) ofBase() string {
	if !t.isBase {
		return ""
	}
	return t.baseName() + ": "
}

// outputKey is the key of what a command prints.
func (t *target) outputKey() outputKey {
	if t.spec.OutputName != "" {
		return outputKey{suite: t.plan.Suite, tree: t.tree, shared: t.spec.OutputName}
	}
	return outputKey{suite: t.plan.Suite, tree: t.tree, alone: t.spec.Name}
}

// unhit are the points that were asked for and have no hit.
func (t *target) unhit(pass *wire.Pegged) (names []string) {
	for _, name := range t.spec.PegPoints {
		if !slices.Contains(pass.Known, name) {
			names = append(names, name)
		}
	}
	return names
}

// argv is the command of the side.
func (t *target) argv() []string {
	if t.spec.Kind == result.KindShell {
		return shell(t.spec.Shell)
	}
	return t.spec.Argv
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
func (t *target) told() []string {
	told := []string{"SUITE_SUITE=" + t.plan.Suite, "SUITE_CASE=" + t.spec.Name}
	for _, p := range t.spec.Params {
		if len(p.Value.Text) <= longestTold {
			told = append(told, spec.ParamVariable(p.Name)+"="+p.Value.Text)
		}
	}
	return told
}

// hookEnv is the environment of the setup and cleanup hooks, whose round is the number of
// runs so far.
func (t *target) hookEnv(runs int) []string {
	return slices.Concat(t.told(), []string{wire.RoundVariable + "=" + strconv.Itoa(runs)}, t.spec.Env)
}

// pairShare of sample_time is how long each batch of a pair lasts. Shorter batches bring
// the two sides closer in time: on a busy machine pairs of 0.2 ms were worth two to ten
// times as much in a second as pairs of 1 ms (docs/proof.md).
const pairShare = 5

// batchGoal is how long a batch has to last, ns. With arrivals a pair has the whole
// sample_time for its queues.
func (t *target) batchGoal() int64 {
	if !t.paired || t.hasArrivals() {
		return int64(t.spec.Settings.SampleTime)
	}
	return int64(t.spec.Settings.SampleTime) / pairShare
}

// request prepares a side in a host.
func (s *side) request() *wire.Request {
	if s.target.isGoTest() {
		return &wire.Request{Op: "prepare", GoTest: s.target.goTest(s.file)}
	}
	if s.target.isCommand() {
		return &wire.Request{Op: "prepare", Command: s.target.command(s.series.Runs)}
	}
	f := s.target.function()
	f.Long = s.series.span(s.series.Sized) > wire.LongBatch
	if s.series.Thread != "" {
		f.Thread = s.series.Thread // decided in the first launch and kept
	}
	return &wire.Request{Op: "prepare", Function: f}
}

func (t *target) function() *wire.Function {
	c := t.spec
	f := &wire.Function{Name: c.Name, Function: c.Function, Params: benchParams(c.Params), Counters: c.Counters, Witness: t.wantsWitness(), Spread: t.paired}
	fill(f, &c.Settings)
	f.SampleTime = t.batchGoal()
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
func (t *target) command(runs int) *wire.Command {
	c := t.spec
	r := &wire.Command{Name: c.Name, Argv: t.argv(), Env: c.Env, Dir: c.Cwd, Stdin: c.Stdin, Input: c.StdinText, Stdout: c.Stdout,
		ExitCodes: slices.Clone(c.ExitCodes), AnyExit: c.AnyExit, Prepare: hookArgv(c.Prepare), Conclude: hookArgv(c.Conclude), Told: t.told(), Runs: runs,
		Counters: c.Counters, Witness: t.wantsWitness(), Reject: c.Reject, Metrics: metrics(c.Metrics), SameOutput: c.SameOutput, Traced: t.plan.Traced}
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
