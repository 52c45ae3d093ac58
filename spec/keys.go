package spec

import (
	"slices"
	"strings"
)

// SuiteKeys lists the keys of a suite file, in the order of the README.
func SuiteKeys() []string { return slices.Clone(suiteKeys.known) }

// BenchmarkKeys lists the keys of a benchmark and of defaults.
func BenchmarkKeys() []string { return slices.Clone(benchmarkKeys.known) }

// TimerKeys lists the keys of timer in its long form.
func TimerKeys() []string { return slices.Clone(timerKeys.known) }

// ToolchainKeys lists the keys of toolchain.
func ToolchainKeys() []string { return slices.Clone(toolchainKeys.known) }

// SamplesKeys lists the keys of samples.
func SamplesKeys() []string { return slices.Clone(samplesKeys.known) }

// RejectKeys lists the keys of reject.
func RejectKeys() []string { return slices.Clone(rejectKeys.known) }

// GateKeys lists the keys of a gate in its long form.
func GateKeys() []string { return slices.Clone(gateKeys.known) }

// SettingKeys lists the settings of the measurement, as Origins and Overrides
// name them: samples.min for min of samples; timer is the last.
func SettingKeys() (keys []string) {
	for _, s := range settings {
		keys = append(keys, s.key)
	}
	return append(keys, timerKey)
}

// What to do where a key is not available yet.
const (
	compareHint = "gates compare with constants: expect: time.median < 2ms"
	bodyHint    = "a benchmark is one of go:, command: and shell:"
)

var suiteKeys = keySet{
	known: []string{"suite", "description", "files", "packages", "toolchain", "build", "timer", "defaults", "budget", "on_inconclusive", "report", "benchmarks"},
	later: map[string]string{
		"errors": compareHint, "tolerance": compareHint, "removed": compareHint,
	},
	moved: movedToDefaults(),
}

// movedToDefaults answers keys of a benchmark at the top of the file.
func movedToDefaults() map[string]string {
	moved := map[string]string{}
	for _, k := range benchmarkKeys.known {
		moved[k] = "it belongs into a benchmark, or into defaults: for all of them"
	}
	delete(moved, "description")
	return moved
}

// Keys that give a benchmark its body: one of them, in one place.
var bodyKeys = []string{"go", "command", "shell"}

var benchmarkKeys = keySet{
	known: []string{"name", "description", "tags", "go", "command", "shell",
		"matrix", "zip", "include", "exclude", "params", "unit", "work",
		"batch", "warmup", "target_time", "sample_time", "max_time", "sampling", "samples", "precision", "coalesce",
		"gc", "thread", "parallel", "confidence", "timer", "counters", "timeout",
		"env", "cwd", "stdin", "stdout", "exit_codes", "reject", "setup", "prepare", "conclude", "cleanup", "expect"},
	later: map[string]string{
		"gotest": bodyHint, "match": bodyHint,
		"base": compareHint, "was": compareHint, "tolerance": compareHint,
		"same_output": "exit_codes: says which exit statuses are right",
		"metrics":     "what is measured is fixed: time, cpu, rss and the like, and counters",
		"pegs":        "measure the parts as benchmarks of their own",
		"launches":    "a case is measured in one launch",
	},
	moved: map[string]string{"on_inconclusive": "it belongs to the suite, or to one gate: expect: [{expr: …, on_inconclusive: fail}]",
		"files": "it belongs to the top of the file", "build": "it belongs to the top of the file; setup: runs before one case",
		"budget": "it belongs to the top of the file", "benchmarks": "benchmarks are not nested"},
}

var (
	timerKeys     = keySet{known: []string{"clock", "cycle"}}
	toolchainKeys = keySet{known: []string{"tags", "flags", "env"}}
	samplesKeys   = keySet{known: []string{"min", "max", "keep"}}
	rejectKeys    = keySet{known: []string{"exit_codes", "quorum"}}
	gateKeys      = keySet{known: []string{"name", "expr", "severity", "on_inconclusive"},
		moved: map[string]string{"expect": `write "expr"`, "tolerance": compareHint}}
)

// Keys that have a meaning for one kind of body, and why not for the other.
var (
	goOnlyHint  = "a sample of a command is one run"
	cmdOnlyHint = map[string]string{
		"stdin":      "a Go function reads its input in its set-up",
		"stdout":     "a Go function's output is not measured",
		"exit_codes": "a Go function returns an error instead",
		"prepare":    "set up in Go: what runs before the loop is returned is not timed",
		"conclude":   "clean up in Go: c.Cleanup runs after the last sample",
	}
)

// isGoOnly says whether a key has a meaning for Go functions alone.
func isGoOnly(key string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool {
		name, _, _ := strings.Cut(s.key, ".")
		return name == key && s.goOnly
	})
}
