package spec

import (
	"slices"
	"strings"

	"example.com/suite/spec/internal/yaml"
)

// SuiteKeys lists the keys of a suite file, in the order in which docs/suite-file.md has
// them.
func SuiteKeys() []string { return slices.Clone(suiteKeys.Known) }

// BenchmarkKeys lists the keys of a benchmark and of defaults.
func BenchmarkKeys() []string { return slices.Clone(benchmarkKeys.Known) }

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
	Known: []string{"suite", "description", "files", "packages", "toolchain", "build", "timer", "defaults", "budget", "errors", "tolerance", "on_inconclusive", "removed", "report", "benchmarks"},
	Moved: movedToDefaults(),
}

// movedToDefaults returns hints for keys of a benchmark at the top of the file.
func movedToDefaults() map[string]string {
	moved := map[string]string{}
	for _, k := range benchmarkKeys.Known {
		moved[k] = "it belongs into a benchmark, or into defaults: for all of them"
	}
	delete(moved, "description")
	delete(moved, "tolerance")
	return moved
}

// bodyKeys are the keys that define what a benchmark runs. A benchmark has exactly one.
var bodyKeys = []string{"go", "command", "shell", "gotest"}

var benchmarkKeys = yaml.KeySet{
	Known: []string{"name", "description", "tags", "go", "command", "shell", "gotest", "match",
		"matrix", "zip", "include", "exclude", "params", "unit", "work",
		"batch", "warmup", "target_time", "sample_time", "benchtime", "max_time", "sampling", "samples", "precision", "coalesce",
		"gc", "thread", "parallel", "cpu", "pin", "confidence", "timer", "counters", "pegs", "timeout",
		"env", "cwd", "stdin", "stdout", "inputs", "exit_codes", "reject", "metrics", "same_output", "setup", "prepare", "conclude", "cleanup", "service", "base", "tolerance", "expect", "was"},
	Later: map[string]string{
		"launches": "a case is measured in one launch",
	},
	Moved: map[string]string{"on_inconclusive": "it belongs to the suite, or to one gate: expect: [{expr: …, on_inconclusive: fail}]",
		"files": "it belongs to the top of the file", "build": "it belongs to the top of the file; setup: runs before one case",
		"budget": "it belongs to the top of the file", "removed": "it belongs to the top of the file", "benchmarks": "benchmarks are not nested", "errors": "it belongs to the top of the file",
		"baseline": `write "base"`},
}

var (
	timerKeys     = yaml.KeySet{Known: []string{"clock", "cycle"}}
	toolchainKeys = yaml.KeySet{Known: []string{"tags", "flags", "env"}}
	samplesKeys   = yaml.KeySet{Known: []string{"min", "max", "keep"}}
	rejectKeys    = yaml.KeySet{Known: []string{"exit_codes", "quorum"}}
	serviceKeys   = yaml.KeySet{Known: []string{"command", "ready", "timeout", "stop", "cwd", "env"},
		Moved: map[string]string{"shell": `command: [sh, -c, "…"] passes a line to a shell`, "tcp": "ready: {tcp: …}", "file": "ready: {file: …}", "line": "ready: {line: …}", "port": "ready: {tcp: …}"}}
	readyKeys  = yaml.KeySet{Known: []string{"tcp", "file", "line"}, Moved: map[string]string{"port": "write tcp: PORT", "http": "write tcp: PORT", "regex": "write line: REGEX"}}
	metricKeys = yaml.KeySet{Known: []string{"name", "from", "regex", "json", "bench", "unit", "better", "exact"}}
	fromKeys   = yaml.KeySet{Known: []string{"file"}}
	stdinKeys  = yaml.KeySet{Known: []string{"text"}, Moved: map[string]string{"file": fileHint, "path": fileHint, "from": fileHint}}
	gateKeys   = yaml.KeySet{Known: []string{"name", "expr", "severity", "on_inconclusive"},
		Moved: map[string]string{"expect": `write "expr"`, "tolerance": "write expr: not worse(time, 3%), or tolerance: beside base:"}}
)

// Hints for keys that have a meaning for Go functions only, or for commands only.
var (
	goOnlyHint  = "a sample of a command is one run"
	cmdOnlyHint = map[string]string{
		"stdin":       "a Go function reads its input in its set-up",
		"stdout":      "a Go function's output is not measured",
		"metrics":     "they are numbers that a program prints",
		"same_output": "a Go function checks its results itself: c.Fatal",
		"exit_codes":  "a Go function returns an error instead",
		"pin":         "a Go function runs in a host with others, which stays free; taskset holds suite itself on one CPU",
		"prepare":     "set up in Go: what runs before the loop is returned is not timed",
		"conclude":    "clean up in Go: c.Cleanup runs after the last sample",
	}
)

// isGoOnly reports whether a key has a meaning for Go functions only.
func isGoOnly(key string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool {
		name, _, _ := strings.Cut(s.key, ".")
		return name == key && s.goOnly
	})
}

// key reads one key of a benchmark and notes it as wrong if it has a problem.
func (r *benchReader) key(e entry) {
	before := len(r.Found)
	r.readKey(e)
	if len(r.Found) > before {
		r.b.wrong = append(r.b.wrong, e.Name)
	}
}

func (r *benchReader) readKey(e entry) {
	b, n := r.b, e.Value
	switch e.Name {
	case "name":
		b.name = r.template(n, `"name"`)
	case "description":
		b.description = r.template(n, `"description"`)
	case "tags":
		r.tags(n)
	case "go":
		b.function = r.template(n, `"go"`)
	case "command":
		b.argv = r.argv(n, "command")
	case "shell":
		r.names.Shell = true
		b.shell = r.template(n, `"shell"`)
		r.names.Shell = false
	case "gotest":
		b.gotest = r.template(n, `"gotest"`)
	case "match":
		r.match(n)
	case "cpu":
		r.cpu(n)
	case "matrix", "zip", "include", "exclude", "params":
		r.params(e)
	case "unit":
		b.unitSet = true
		b.unit = r.matching(n, unitPattern(), `"unit"`, "unit: byte")
	case "work":
		r.work(n)
	case "samples":
		if n.Kind == yaml.Scalar {
			r.exactly(n, e.origin)
			break
		}
		for _, p := range r.Mapping(n, `"samples"`, "in samples", samplesKeys) {
			r.set(p.Value, "samples."+p.Name, e.origin)
		}
	case "timer":
		r.ownTimer(e)
	case "counters":
		r.counters(n)
	case "pegs":
		r.pegs(n)
	case "reject":
		r.reject(e)
	case "env":
		r.env(n)
	case "cwd":
		b.cwd = path{r.template(n, `"cwd"`), n.Dir()}
	case "stdin":
		r.stdin(n)
	case "stdout":
		b.stdout = path{r.template(n, `"stdout"`), n.Dir()}
	case "inputs":
		r.inputs(n)
	case "metrics":
		r.metrics(n)
	case "same_output":
		r.sameOutput(n)
	case "exit_codes":
		r.exitCodes(n)
	case "setup":
		b.setup = r.hook(e.Pair)
	case "prepare":
		b.prepare = r.hook(e.Pair)
	case "conclude":
		b.conclude = r.hook(e.Pair)
	case "cleanup":
		b.cleanup = r.hook(e.Pair)
	case "service":
		r.services(n)
	case "expect":
		r.expect(n)
	case "base":
		r.base(e)
	case "was":
		r.was(n)
	default:
		r.set(n, e.Name, e.origin)
	}
}
