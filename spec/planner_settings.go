package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// settle reads the settings that depend on parameters. Flags win over them as well.
func (x *expansion) settle() {
	b, c := x.b, x.c
	for _, s := range b.late {
		text, err := s.text.Expand(x.scope)
		if !x.Check(err) || c.Origins[s.key] == FromFlag {
			continue
		}
		if err := s.set(&c.Settings, text.Value); err != nil {
			x.fail(s.text.Text.Place, "", "%s: %s in case %s", s.key, diag.Clip(err.Error()), diag.Quote(c.Name))
		}
	}
	follow(&c.Settings, c.Origins)
	if c.Settings.SamplesMin > c.Settings.SamplesMax && !slices.Contains(b.wrong, "samples") {
		x.fail(b.place, "",
			"samples: min %d is more than max %d in case %s", c.Settings.SamplesMin,
			c.Settings.SamplesMax, diag.Quote(c.Name))
	}
	if c.Settings.onlyWarmsUp() && !slices.Contains(b.wrong, "warmup") {
		at := b.place
		if c.Origins["warmup"] == FromFlag {
			at = commandLine
		}
		x.fail(at, hintWarmup,
			"warmup %s leaves no time for samples within max_time %s in case %s",
			c.Settings.Warmup, c.Settings.MaxTime, diag.Quote(c.Name))
	}
	x.together()
}

// together refuses settings that contradict each other. It runs when all settings of a case
// are known.
func (x *expansion) together() {
	b, c := x.b, x.c
	s := &c.Settings
	if s.Arrivals > 0 && c.Kind == result.KindGo {
		x.arrivals()
	}
	if s.Sampling == once {
		x.once()
		return
	}
	if s.SamplesMax > maxSamples && s.Keep != summary {
		x.fail(b.at("samples.max", c),
			fmt.Sprintf("samples: {max: %d, keep: summary} keeps a summary of them", s.SamplesMax),
			"samples.max: %d is more than %d", s.SamplesMax, maxSamples)
	}
	if s.Batch > 1 && s.Coalesce == 0 {
		key := "batch"
		if c.Origins["coalesce"] == FromFlag {
			key = "coalesce"
		}
		x.fail(b.at(key, c), "leave one of them out: coalesce: 0 means batches of one iteration",
			"batch %d with coalesce 0", s.Batch)
	}
}

// arrivals refuses what arrivals cannot be combined with.
func (x *expansion) arrivals() {
	b, c := x.b, x.c
	s := &c.Settings
	refuse := func(hint, format string, args ...any) {
		x.fail(b.at("arrivals", c), hint, "arrivals: "+format, args...)
	}
	if !s.Latency {
		refuse("add latency: true, or write arrivals: off",
			"they say from when the latencies of iterations count, and latency is false")
	}
	if s.Parallel > 1 {
		refuse("leave one of them out", "one goroutine runs the iterations, not %d (parallel)", s.Parallel)
	}
	if len(c.Counters) > 0 {
		refuse("leave one of them out", "counters would count the waiting for arrivals too")
	}
	if !slices.Equal(c.Timer.Clock, []string{defaultClock}) || !slices.Equal(c.Timer.Cycle, []string{defaultCycle}) {
		refuse(fmt.Sprintf("timer: clock=%s cycle=%s", defaultClock, defaultCycle),
			"they are waited for by the wall clock, and cycles would count the waiting too")
	}
	// seconds that the arrivals of a batch take at least
	batch := float64(max(s.Batch, 1)) / s.Arrivals
	least, most := time.Duration(s.MaxTime).Seconds(), time.Duration(s.Timeout).Seconds()/2
	switch {
	case s.Sampling == once:
	case batch*float64(s.SamplesMin) > least:
		refuse("a higher rate, a longer max_time, or fewer samples", "%s of %s take %s, longer than the max_time of %s",
			units.Plural(s.SamplesMin, "sample"),
			units.Plural(int(max(s.Batch, 1)), "iteration"), units.Format(batch*float64(s.SamplesMin), "s"), s.MaxTime)
	case batch > most:
		refuse("a higher rate, or a longer timeout",
			"the iterations of a sample are %s apart in all, longer than half of the timeout of %s",
			units.Format(batch, "s"), s.Timeout)
	}
}

// manyOnly are the settings without a meaning for a case that takes one sample.
var manyOnly = []string{"sample_time", "samples.min", "samples.max", "samples.keep", "precision", "coalesce"}

// once sets up a case that takes one sample. Settings about many samples are a mistake in
// the benchmark itself, unless a flag or a parameter made the case one with a single
// sample; in defaults and flags they are for other cases.
func (x *expansion) once() {
	b, c := x.b, x.c
	asked := c.Origins["sampling"] != FromFlag && !b.isLate("sampling")
	c.Origins = maps.Clone(c.Origins) // cases without settings of their own share the map
	for _, key := range manyOnly {
		if asked && c.Origins[key] == FromBenchmark {
			x.fail(b.at(key, c), "leave it out, or write sampling: many", "%q has no meaning with sampling: once", key)
		}
		delete(c.Origins, key)
	}
	d := Defaults()
	s := &c.Settings
	s.SampleTime = d.SampleTime
	s.Precision = d.Precision
	s.Coalesce = d.Coalesce
	s.Keep = d.Keep
	s.SamplesMin, s.SamplesMax = 1, 1
}

// origins contains only the settings that have a meaning for the benchmark's body.
// Benchmarks that set nothing share one map: of 10,000 cases most do.
func (p *planner) origins(b *benchmark) map[string]Origin {
	if all := p.builtin[b.body()]; all != nil && len(b.origins) == 0 {
		return all
	}
	all := make(map[string]Origin, len(settings))
	for _, s := range settings {
		if s.concerns(b.body()) {
			all[s.key] = FromBuiltin
		}
	}
	all[timerKey] = p.timers.origin
	if len(b.origins) == 0 {
		p.builtin[b.body()] = all
	}
	maps.Copy(all, b.origins)
	if p.timers.forced != nil {
		all[timerKey] = p.timers.origin
	}
	return all
}

// Overrides are settings from the command line as text, by name: {"target_time": "5s",
// "samples.min": "3", "timer": "clock=wall cycle=any"}. They win over the suite file.
type Overrides map[string]string

// checkKeys reads every override once and returns the problems.
func (o Overrides) checkKeys() (problems diag.Problems) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if key == timerKey {
			continue // newTimerChoice reads it
		}
		at := commandLine
		s, ok := findSetting(key)
		if !ok {
			hint := ""
			if near, ok := diag.Nearest(key, settingKeys()); ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			} else if slices.Contains(benchmarkKeys.Known, key) {
				hint = fmt.Sprintf("%s is a key that only the suite file can set", key)
			} else {
				hint = "settings: " + strings.Join(settingKeys(), ", ")
			}
			problems = append(problems, diag.Problem{
				Code:    diag.UnknownKey,
				Place:   at,
				Message: fmt.Sprintf("unknown setting %s", diag.Quote(key)),
				Hint:    hint,
			})
		} else if err := s.set(new(Settings), o[key]); err != nil {
			problems = append(problems, diag.Problem{Place: at, Message: key + ": " + diag.Clip(err.Error())})
		}
	}
	return problems
}

// apply puts the overrides that have a meaning for a body into its settings.
func (o Overrides) apply(b body, s *Settings, origins map[string]Origin) {
	for key, text := range o {
		if d, ok := findSetting(key); ok && d.concerns(b) {
			d.set(s, text)
			origins[key] = FromFlag
		}
	}
}

// functions returns the functions that a benchmark may name: the ones of the suite's packages if it
// has any, or else the functions of suite itself. known is false if names cannot be checked.
func (p *planner) functions() (names []string, known bool) {
	c := p.catalogue
	switch {
	case c.Offline:
		return nil, false
	case len(p.suite.packages.Patterns) == 0 && c.Registered != nil && slices.ContainsFunc(p.suite.benchmarks, isGo):
		return c.Registered(), true
	case len(p.suite.packages.Patterns) == 0:
		return c.Functions, true
	case c.Build == nil:
		return nil, false
	}
	names, problems := c.Build(p.suite.Dir, p.suite.packages)
	p.Add(problems...)
	return names, len(problems) == 0
}
