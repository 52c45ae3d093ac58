package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// SuiteKeys lists the keys of a suite file, in the order in which docs/suite-file.md has
// them.
func SuiteKeys() []string { return slices.Clone(suiteKeys.Known) }

// BenchmarkKeys lists the keys of a benchmark and of defaults.
func BenchmarkKeys() []string { return keyNames() }

// TimerKeys lists the keys of timer in its long form.
func TimerKeys() []string { return slices.Clone(timerKeys.Known) }

// SamplesKeys lists the keys of samples.
func SamplesKeys() []string { return slices.Clone(samplesKeys.Known) }

// RejectKeys lists the keys of reject.
func RejectKeys() []string { return slices.Clone(rejectKeys.Known) }

// GateKeys lists the keys of a gate in its long form.
func GateKeys() []string { return slices.Clone(gateKeys.Known) }

// settingKeys lists the names of the settings in Origins and Overrides: samples.min for min
// of samples. The last is timer.
func settingKeys() (keys []string) {
	for _, s := range settings {
		keys = append(keys, s.key)
	}
	return append(keys, timerKey)
}

var suiteKeys = yaml.KeySet{
	Known: []string{"suite", "description", "files", "packages", "toolchain", "build", "timer", "defaults", "budget",
		"errors", "tolerance", "on_inconclusive", "removed", "unaffected", "report", "benchmarks"},
	Moved: movedToDefaults(),
}

// A benchmark's key at the top of the file is a frequent mistake.
func movedToDefaults() map[string]string {
	moved := map[string]string{}
	for _, k := range benchmarkKeys.Known {
		moved[k] = "it belongs into a benchmark, or into defaults: for all of them"
	}
	delete(moved, "description")
	delete(moved, "tolerance")
	moved["name"] = `the suite's name is written "suite", and a case's name belongs into its benchmark`
	for _, other := range []string{"cases", "bench", "benches", "tests", "commands"} {
		moved[other] = `write "benchmarks"`
	}
	for _, other := range []string{"gates", "gate", "assert"} {
		moved[other] = `write "expect" in a benchmark, or in defaults: for all of them`
	}
	for _, other := range []string{"against", "compare"} {
		moved[other] = againstHint
	}
	moved["threshold"] = `write "tolerance"`
	return moved
}

// paramKeys are read first, because the other keys refer to parameters.
var paramKeys = []string{"matrix", "zip", "include", "exclude", "params"}

// hookKeys start programs also for a Go function.
var hookKeys = []string{"setup", "cleanup", "service"}

var benchmarkKeys = yaml.KeySet{
	Known: keyNames(),
	Later: map[string]string{
		"launches": "a case is measured in one launch",
	},
	Moved: movedFromBenchmark(),
}

const againstHint = "suite run --against main compares with a revision; base: NAME compares with another case"

// movedFromBenchmark are keys that belong elsewhere, and words of other tools.
func movedFromBenchmark() map[string]string {
	moved := map[string]string{
		"on_inconclusive": "it belongs to the suite, or to one gate: expect: [{expr: …, on_inconclusive: fail}]",
		"build":           "it belongs to the top of the file; setup: runs before one case",
		"benchmarks":      "benchmarks are not nested",
		"bench":           "gotest: ./... measures benchmarks of go test, and go: NAME a registered function",
		"package":         "gotest: ./internal/parse measures its benchmarks",
		"args":            "arguments follow the program: command: [./tool, --flag]",
		"input":           "stdin: FILE is what a command reads; inputs: lists files that it depends on",
		"output":          "stdout: FILE is what a command writes; same_output: true checks it",
		"time":            "target_time is the measured time; a gate is expect: time.median < 2ms",
		"allocs":          "a gate is expect: allocs.max == 0",
		"rss":             "a gate is expect: rss.max < 64MiB",
		"throughput":      "a gate is expect: throughput.median > 100MB",
		"ignore_failure":  "exit_codes: any",
		"skip":            "suite run --skip NAME",
		"only":            "suite run --only NAME; match: chooses among benchmarks of go test",
		"filter":          "suite run --only NAME; match: chooses among benchmarks of go test",
	}
	for _, key := range []string{"files", "packages", "toolchain", "budget", "removed", "errors", "unaffected",
		"report"} {
		moved[key] = "it belongs to the top of the file"
	}
	for _, key := range []string{"against", "compare"} {
		moved[key] = againstHint
	}
	for _, key := range []string{"count", "runs", "repeat", "iterations", "repetitions"} {
		moved[key] = "samples: 20 takes exactly 20 of them, and samples: {min: 20} at least"
	}
	for key, others := range map[string][]string{
		"arrivals": {"arrival_rate", "qps", "rate", "rps"}, "base": {"baseline", "reference"},
		"command":  {"cmd", "exec", "program", "run"},
		"conclude": {"after", "after_each"},
		"cwd": {"dir", "directory", "folder", "workdir", "working_dir",
			"working_directory"}, "env": {"environment"},
		"expect": {"assert", "assertions", "check", "checks", "gate", "gates"}, "name": {"id", "title"},
		"parallel": {"concurrency", "threads"}, "params": {"vars", "variables"}, "prepare": {"before", "before_each"},
		"cleanup": {"teardown"}, "tolerance": {"limit", "max_regression", "regression", "threshold"},
	} {
		for _, other := range others {
			moved[other] = `write "` + key + `"`
		}
	}
	return moved
}

// benchmarkKey is everything about one key of a benchmark. The parser, the schema and the
// table in docs/suite-file.md are made from it.
type benchmarkKey struct {
	name    string
	initial string // the default, as the table has it
	help    string // as in setting
	see     string
	flag    string
	without reasons
	// with lists keys of which a Go function or a command needs one: without them the key has no
	// meaning for it, for the reason in without.
	with []string
	read func(*benchReader, entry)
}

// keys lists the keys of a benchmark and of defaults, in the order in which the
// documents have them.
var keys = withSettings(otherKeys)

// withSettings adds the keys of settings, each after the key that its row names.
func withSettings(others []benchmarkKey) (all []benchmarkKey) {
	following := map[string][]benchmarkKey{}
	last := ""
	for _, s := range settings {
		if strings.Contains(s.key, ".") {
			continue // a part of another key
		}
		after := cmp.Or(s.after, last)
		following[after] = append(following[after], s.own())
		last = s.key
	}
	var add func(k benchmarkKey)
	add = func(k benchmarkKey) {
		all = append(all, k)
		for _, next := range following[k.name] {
			add(next)
		}
		delete(following, k.name)
	}
	for _, k := range others {
		add(k)
	}
	for name, lost := range following {
		panic(fmt.Sprintf("the setting %s follows the key %q, and there is none", lost[0].name, name))
	}
	return all
}

// otherKeys are the keys that are not settings.
var otherKeys = []benchmarkKey{
	{name: "name", initial: "the function or command",
		help: "name of the case, unique after expansion; if it contains no `${…}`, the values of the parameters " +
			"are appended",
		read: text(func(b *benchmark) **lang.Template { return &b.name })},
	{name: "description", help: "what the case shows",
		read: text(func(b *benchmark) **lang.Template { return &b.description })},
	{name: "tags", help: "words that choose cases: `suite run --tag hash`",
		read: func(r *benchReader, e entry) { r.b.tags = readTags(r.Reader, e.Value) }},
	{name: "go", help: "a Go function that was registered with `bench.Register`", see: "[Go benchmarks](go.md)",
		read: text(func(b *benchmark) **lang.Template { return &b.function })},
	{name: "command",
		help: "a program with its arguments, started without a shell: a list of words, or a line whose quotes and " +
			"backslashes are those of a shell",
		see:  "[commands](commands.md)",
		read: func(r *benchReader, e entry) { r.b.argv = r.text.argv(e.Value, e.Name) }},
	{name: "shell", help: "a line that a shell runs",
		read: func(r *benchReader, e entry) {
			r.text.names.Shell = true
			r.b.shell = r.text.template(e.Value, diag.Quote(e.Name))
			r.text.names.Shell = false
		}},
	{name: "gotest",
		help: "Go packages whose existing benchmarks are measured: a folder such as `./internal/parse`, a " +
			"pattern such as `./...`, or an import path. Each benchmark is a case",
		see:  "[existing benchmarks](go.md#existing-benchmarks)",
		read: text(func(b *benchmark) **lang.Template { return &b.gotest })},
	{name: harnessKey,
		help: "the harness that the benchmarks of a `command` are written for: " +
			backquoted(harness.Names()) + ". Each of " +
			"its benchmarks is a case, and its times are the harness's own",
		see:     "[other harnesses](harnesses.md)",
		without: reasons{goFunc: commandOnly, gotest: commandOnly},
		read:    (*benchReader).harness},
	{name: "match", initial: "all",
		help: "which benchmarks of `gotest` are measured: `^Parse$/small`, an expression for each part of a name, as " +
			"for `go test -bench`, without `Benchmark`; with `harness`, an expression for a part of the whole name",
		without: reasons{goFunc: listedOnly, command: listedOnly},
		with:    []string{harnessKey},
		read:    (*benchReader).match},
	{name: "matrix",
		help: "parameters with their values: every combination is a case, the first parameter changes slowest. " +
			"Values are a list, or a series: `1..5`, `0..1+0.25` in steps, `1..1000*10` and `1KiB..1MiB*4` by a factor",
		read: readParams},
	{name: "zip", help: "parameters that advance together: lists of one length",
		read: readParams},
	{name: "include", help: "combinations to add to those of `matrix` and `zip`, with a value for each parameter",
		read: readParams},
	{name: "exclude", help: "values whose combinations are left out",
		read: readParams},
	{name: "params", help: "parameters with one value",
		read: readParams},
	{name: "unit", initial: "`" + defaultUnit + "`", help: "the name of one unit of work",
		read: func(r *benchReader, e entry) {
			r.b.unitSet = true
			r.b.unit = readMatching(r.Reader, e.Value, unitPattern(), `"unit"`, "unit: byte")
		}},
	{name: "work", initial: "1", help: "units of work that one iteration does, 1e-30 to 1e30: times are per unit",
		read: func(r *benchReader, e entry) { r.b.work = readWork(r.text, e.Value) }},
	{name: "samples", initial: partsOf("samples"),
		help: "bounds of the number of samples, and what is kept of them; a bound that is not set follows the " +
			"other, and `20` is both",
		see: "[very long runs](#very-long-runs)",
		read: func(r *benchReader, e entry) {
			if e.Value.Kind == yaml.Scalar {
				r.exactly(e.Value, e.origin)
				return
			}
			for _, p := range r.Mapping(e.Value, `"samples"`, "in samples", samplesKeys) {
				r.set(p.Value, "samples."+p.Name, e.origin)
			}
		}},
	{name: "cpu", initial: "suite's own",
		help:    "values of GOMAXPROCS for existing benchmarks, a case for each: `[1, 4]`",
		without: reasons{goFunc: goTestOnly, command: goTestOnly},
		read:    func(r *benchReader, e entry) { r.b.procs = readProcs(r.Reader, e.Value) }},
	{name: timerKey, initial: "the suite's",
		help: "where time and cycles of this benchmark are read; a list that it does not name has its default",
		see:  "[timers](timers.md)",
		flag: "clock and cycle counter of all cases, such as `'clock=wall cycle=any'`; the word list shows " +
			"what works here",
		without: reasons{gotest: "package testing reads the wall clock", harness: "a harness reads a clock of its own"},
		read: func(r *benchReader, e entry) {
			r.b.timer = readTimer(r.text, e.Value)
			r.remember(timerKey, e.origin, e.Value)
		}},
	{name: "counters", initial: "none",
		help: "events to count in addition to the time, by the names of the kernel's tools: `[instructions, " +
			"branch-misses]`. What this machine does not have is reported as absent. `{instructions: callgrind}` " +
			"counts them by valgrind, in runs after the samples. In pairs instructions are counted unasked; `[]` " +
			"prevents that",
		see: "[counters](timers.md#counters)",
		without: reasons{
			gotest:  "they would count the start of the test binary too",
			harness: "they would count the start of the program too",
		},
		read: func(r *benchReader, e entry) { r.b.counters = readCounters(r.Reader, e.Value) }},
	{name: "pegs", initial: "`false`",
		help: "whether to measure the arcs between the pegs of the program, in a pass after the samples; " +
			"`[parse, emit]`: only between these points",
		see:     "[pegs](pegs.md)",
		without: reasons{harness: "how often a harness runs a benchmark is its own affair"},
		read:    func(r *benchReader, e entry) { r.b.pegs, r.b.points = readPegs(r.text, e.Value) }},
	{name: "env", help: "environment variables, added to suite's own",
		without: reasons{goFunc: hostHint}, with: hookKeys,
		read: func(r *benchReader, e entry) { r.b.env = r.text.variables(e.Value) }},
	{name: "cwd", initial: "folder of the file",
		help: "folder in which commands run, relative to the folder of the file",
		without: reasons{
			goFunc: hostHint,
			gotest: "a test binary runs in the folder of its package, as go test has it",
		},
		with: hookKeys,
		read: func(r *benchReader, e entry) { r.b.cwd = r.text.path(e.Pair) }},
	{name: "stdin", initial: "nothing",
		help: "file that a command reads, relative to the folder of the file; `stdin: {text: …}` is a text",
		without: reasons{
			goFunc: "a Go function reads its input in its setup",
			gotest: "go test gives a test binary no input", harness: "a harness has the standard input of its program",
		},
		read: func(r *benchReader, e entry) { r.b.stdin, r.b.input = readStdin(r.text, e.Pair) }},
	{name: "stdout", initial: "thrown away", help: "file that a command writes, relative to the folder of the file",
		without: reasons{
			goFunc: "a Go function's output is not measured",
			gotest: "what is printed is read for results", harness: "what is printed is read for results",
		},
		read: func(r *benchReader, e entry) { r.b.stdout = r.text.path(e.Pair) }},
	{name: "inputs",
		help: "patterns of the files that the case depends on, relative to the folder of the file: `*` is " +
			"any text in a name, `**` any folders, and a folder's name means what is below the folder. With " +
			"`--against` the case is not measured if none of them has changed; `--resume` measures it again if one has",
		see:  "[what did not change](unaffected.md)",
		read: func(r *benchReader, e entry) { r.b.inputs = readInputs(r.text, e.Pair) }},
	{name: "requires",
		help: "programs of this machine that the case needs, by name: `python3` or `[sh, python3]`. If one is " +
			"missing, the case and those that are compared with it are skipped, and every report says so",
		see:  "[programs that may be missing](commands.md#programs-that-may-be-missing)",
		read: func(r *benchReader, e entry) { r.b.requires = readRequires(r.text, e.Pair) }},
	{name: "exit_codes", initial: "`[0]`",
		help: "exit statuses that mean success; `any`: every one of them. A run that a signal ended is never one",
		without: reasons{
			goFunc:  "a Go function returns an error instead",
			gotest:  "a benchmark that fails could not be measured",
			harness: "a benchmark that fails could not be measured",
		},
		read: func(r *benchReader, e entry) { r.b.exitCodes, r.b.anyExit = readExitCodes(r.Reader, e.Value) }},
	{name: "reject", initial: partsOf("reject"),
		help: "exit statuses that declare a run void, and the share of runs that must count; a Go function " +
			"calls `c.Try`",
		see:     "[void iterations](commands.md#void-iterations)",
		without: reasons{gotest: "b.Skip leaves a benchmark out", harness: "match: leaves a benchmark out"},
		read:    (*benchReader).reject},
	{name: "metrics", initial: "none",
		help: "numbers that a command prints or writes: each is a metric of the case, and gates can name " +
			"it. Every run must print all of them",
		see: "[numbers that programs print](commands.md#numbers-that-programs-print)",
		without: reasons{
			goFunc: "they are numbers that a program prints",
			gotest: "a benchmark reports them itself: b.ReportMetric",
		},
		read: func(r *benchReader, e entry) { r.b.metrics = readMetrics(r.text, e.Value) }},
	{name: "same_output", initial: "`false`",
		help: "whether every run must print the same; a name: the runs of all cases with this name must",
		without: reasons{
			goFunc: "a Go function checks its results itself: c.Fatal",
			gotest: "a benchmark checks its results itself: b.Fatal", harness: "its output has times in it",
		},
		read: func(r *benchReader, e entry) { r.b.sameOutput, r.b.outputName = readSameOutput(r.text, e.Value) }},
	{name: "setup", help: "a command that is run once before the case, not measured",
		read: func(r *benchReader, e entry) { r.b.setup = r.text.hook(e.Pair) }},
	{name: "prepare", help: "a command that is run before every run, not measured",
		without: reasons{goFunc: "set up in Go: what runs before the loop is returned is not timed"},
		read:    func(r *benchReader, e entry) { r.b.prepare = r.text.hook(e.Pair) }},
	{name: "conclude", help: "a command that is run after every run, not measured",
		without: reasons{goFunc: "clean up in Go: c.Cleanup runs after the last sample"},
		read:    func(r *benchReader, e entry) { r.b.conclude = r.text.hook(e.Pair) }},
	{name: "cleanup", help: "a command that is run once after the case, also if the case failed",
		read: func(r *benchReader, e entry) { r.b.cleanup = r.text.hook(e.Pair) }},
	{name: "service", help: "a program that runs while the case is measured, such as a server, or a list of programs",
		see:  "[services](commands.md#services)",
		read: func(r *benchReader, e entry) { r.b.services = readServices(r.text, e.Value) }},
	{name: "base", initial: "none",
		help: "another case of the suite, to compare with: batches of both are taken next to each other. An " +
			"empty name removes the base of `defaults`",
		see:  "[comparing with a base](comparing.md#comparing-with-a-base)",
		read: func(r *benchReader, e entry) { r.b.base, r.b.baseOrigin = readBase(r.text, e.Value), e.origin }},
	{name: "expect",
		help: "gates: an expression, or a list of expressions and `{name, expr, severity, on_inconclusive}`",
		see:  "[gates](gates.md)",
		read: func(r *benchReader, e entry) { r.b.gates = readGates(r.text, e.Pair) }},
	{name: "was", help: "earlier names of the case, for `--against`",
		see:  "[another revision](comparing.md#comparing-with-another-revision)",
		read: func(r *benchReader, e entry) { r.b.wasNames = readWas(r.text, e.Pair) }},
}

// hostHint is the reason why env and cwd need a hook if the body is a Go function.
const hostHint = "a host runs the Go functions of all cases; here it is for setup:, cleanup: and service:"

var keysByName = func() map[string]*benchmarkKey {
	byName := make(map[string]*benchmarkKey, len(keys))
	for i := range keys {
		byName[keys[i].name] = &keys[i]
	}
	return byName
}()

func keyNames() (names []string) {
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}

// own describes the key of a setting that is not a part of another key.
func (s *setting) own() benchmarkKey {
	return benchmarkKey{
		name:    s.key,
		initial: s.initial(),
		help:    s.help,
		see:     s.see,
		flag:    s.flag,
		without: s.without,
		with:    s.with,
		read:    func(r *benchReader, e entry) { r.set(e.Value, e.Name, e.origin) },
	}
}

// partsOf shows the default of a key whose value is a mapping of settings.
func partsOf(name string) string {
	var parts []string
	d := Defaults()
	for _, s := range settings {
		if part, ok := strings.CutPrefix(s.key, name+"."); ok {
			parts = append(parts, part+": "+s.show(&d))
		}
	}
	return "`{" + strings.Join(parts, ", ") + "}`"
}

// text makes a reader of a text with ${…}.
func text(field func(*benchmark) **lang.Template) func(*benchReader, entry) {
	return func(r *benchReader, e entry) { *field(r.b) = r.text.template(e.Value, diag.Quote(e.Name)) }
}

func readParams(r *benchReader, e entry) { r.params.key(e.Pair) }

func plainText(help string) string { return strings.ReplaceAll(help, "`", "") }

var samplesKeys = yaml.KeySet{Known: []string{"min", "max", "keep"}}

// body is what decides which settings a benchmark has.
type body struct {
	kind        result.Kind
	isHarnessed bool // its command has a harness
}

func (b *benchmark) body() body { return body{b.kind, b.harness != ""} }

// concerns reports whether a setting has a meaning for a body.
func (s *setting) concerns(b body) bool {
	name, _, _ := strings.Cut(s.key, ".")
	k := keysByName[name]
	if b.isHarnessed && (k.without.harness != "" || slices.Contains(k.with, harnessKey)) {
		return k.without.harness == ""
	}
	return k.without.why(b.kind) == ""
}

// Setting is a setting as flags and completion know it.
type Setting struct {
	Key   string   // as in the file and in --set: samples.min
	Help  string   // what it means
	Flag  string   // help of its own flag; empty: it has none
	Words []string // that it takes, besides numbers, times, sizes or shares
}

// ListSettings lists all settings that Overrides can have.
func ListSettings() (all []Setting) {
	for _, s := range settings {
		all = append(all, Setting{s.key, plainText(s.help), s.flag, s.words()})
	}
	timer := keysByName[timerKey]
	return append(all, Setting{timerKey, plainText(timer.help), timer.flag, nil})
}

func backquoted(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }
