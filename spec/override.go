package spec

import (
	"fmt"
	"maps"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Origin is where a setting came from.
type Origin string

// A setting comes from the benchmark, from defaults, from the command line, or is built in.
// tolerance and timer may also come from the top of the file, and timer from SUITE_TIMER.
const (
	FromBuiltin     Origin = "built-in"
	FromSuite       Origin = "suite"
	FromDefaults    Origin = "defaults"
	FromBenchmark   Origin = "benchmark"
	FromEnvironment Origin = "environment"
	FromFlag        Origin = "flag"
)

// Overrides are settings from the command line as text, by name: {"target_time": "5s",
// "samples.min": "3", "timer": "clock=wall cycle=any"}. They win over the suite file.
type Overrides map[string]string

// commandLine is the place of problems in overrides.
var commandLine = diag.Place{File: result.CommandLine}

// check reads every override once and returns the problems.
func (o Overrides) check() (problems diag.Problems) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if key == timerKey {
			continue // planner.override reads it
		}
		at := commandLine
		s, ok := findSetting(key)
		if !ok {
			hint := ""
			if near, ok := diag.Nearest(key, settingKeys()); ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			} else if slices.Contains(benchmarkKeys.Known, key) {
				hint = fmt.Sprintf("%s is a key that only the suite file can set", key)
			}
			problems = append(problems, diag.Problem{Code: diag.UnknownKey, Place: at, Message: fmt.Sprintf("unknown setting %s", diag.Quote(key)), Hint: hint})
		} else if err := s.set(new(Settings), o[key]); err != nil {
			problems = append(problems, diag.Problem{Place: at, Message: key + ": " + diag.Clip(err.Error())})
		}
	}
	return problems
}

// apply puts the overrides that have a meaning for a kind of body into its settings.
func (o Overrides) apply(kind result.Kind, s *Settings, origins map[string]Origin) {
	for key, text := range o {
		if d, ok := findSetting(key); ok && d.concerns(kind) {
			d.set(s, text)
			origins[key] = FromFlag
		}
	}
}

// origins contains only the settings that have a meaning for the benchmark's kind.
// Benchmarks that set nothing share one map: of 10,000 cases most do.
func (p *planner) origins(b *benchmark) map[string]Origin {
	if all := p.builtin[b.kind]; all != nil && len(b.origins) == 0 {
		return all
	}
	all := make(map[string]Origin, len(settings))
	for _, s := range settings {
		if s.concerns(b.kind) {
			all[s.key] = FromBuiltin
		}
	}
	all[timerKey] = p.timerOrigin
	if len(b.origins) == 0 {
		p.builtin[b.kind] = all
	}
	maps.Copy(all, b.origins)
	if p.forced != nil {
		all[timerKey] = p.timerOrigin
	}
	return all
}
