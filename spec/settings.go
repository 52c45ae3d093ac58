package spec

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// Settings control how one case is measured.
type Settings struct {
	Batch      int64     `json:"batch"` // 0: auto
	Warmup     Duration  `json:"warmup"`
	SampleTime Duration  `json:"sample_time"`
	Benchtime  Benchtime `json:"benchtime"` // existing benchmarks use it in place of Batch and SampleTime
	TargetTime Duration  `json:"target_time"`
	MaxTime    Duration  `json:"max_time"`
	Timeout    Duration  `json:"timeout"`
	SamplesMin int       `json:"samples_min"`
	SamplesMax int       `json:"samples_max"`
	Precision  float64   `json:"precision"` // half the interval over the median; 0: off
	Coalesce   float64   `json:"coalesce"`  // shortest batch, in clock costs; 0: batches of one iteration
	GC         string    `json:"gc"`        // on, between, off
	Thread     string    `json:"thread"`    // auto, locked, free
	Parallel   int       `json:"parallel"`  // goroutines that run the loop; 0 or 1: one
	Pin        string    `json:"pin"`       // auto, on, off; commands only
	Confidence float64   `json:"confidence"`
	Sampling   string    `json:"sampling"`  // many, once
	Keep       string    `json:"keep"`      // samples, summary
	Quorum     float64   `json:"quorum"`    // least share of iterations, or runs, that must not be void
	Tolerance  float64   `json:"tolerance"` // relative change against the base that is too small to care about

	WarmupBatches int `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: batches, of a command runs
}

// Defaults returns the settings of a suite file that sets none. No other code has
// fallbacks: help, docs and schema are tested against these.
func Defaults() Settings {
	return Settings{
		Batch:      0,                                // found by sizing
		Warmup:     Duration(100 * time.Millisecond), // thrown away
		SampleTime: Duration(time.Millisecond),       // wanted length of one batch
		// Starting a test binary took 3 ms here: a sample is six times as long, and
		// the 20 samples that there are at least still fit into a second.
		Benchtime:  Benchtime{Time: Duration(20 * time.Millisecond)},
		TargetTime: Duration(time.Second),      // measured time of a case
		MaxTime:    Duration(10 * time.Second), // limit of a case, warm-up included
		Timeout:    Duration(time.Minute),      // of one run or request
		SamplesMin: 20,
		SamplesMax: 10000,
		Precision:  0, // off
		Coalesce:   5, // shortest batch, in clock costs
		GC:         "on",
		Thread:     "auto",
		Parallel:   1,
		Pin:        "auto",
		Confidence: defaults.Confidence,
		Sampling:   "many",
		Keep:       "samples",
		Quorum:     0.5, // of the iterations, or runs
		Tolerance:  defaults.Tolerance,
	}
}

// Defaults of keys that are not settings of the measurement.
const (
	defaultUnit           = "op"
	defaultWork           = 1.0
	defaultOnInconclusive = "auto"
	defaultSeverity       = "fail"
	defaultClock          = "wall"
	defaultCycle          = "null"
	defaultReport         = "raw"
	defaultStop           = "SIGTERM"                  // of a service
	defaultServiceTimeout = Duration(10 * time.Second) // until it is ready
)

// setting is one field of Settings: how it is read and printed, and whether it has a
// meaning for commands, whose samples are single runs.
type setting struct {
	key    string // as in the file; samples.min and samples.max are keys of samples
	goOnly bool
	set    func(*Settings, string) error
	show   func(*Settings) string
}

// settings lists all settings in the order in which a plan prints them.
var settings = []setting{
	{"batch", true, setBatch, func(s *Settings) string { return orWord(s.Batch == 0, "auto", s.Batch) }},
	{"warmup", false, setWarmup, func(s *Settings) string {
		return orWord(s.WarmupBatches == 0, s.Warmup.String(), units.Plural(s.WarmupBatches, "run"))
	}},
	duration("sample_time", true, false, func(s *Settings) *Duration { return &s.SampleTime }),
	{"benchtime", false, setBenchtime, func(s *Settings) string { return s.Benchtime.String() }},
	duration("target_time", false, false, func(s *Settings) *Duration { return &s.TargetTime }),
	duration("max_time", false, false, func(s *Settings) *Duration { return &s.MaxTime }),
	duration("timeout", false, false, func(s *Settings) *Duration { return &s.Timeout }),
	word("sampling", false, []string{"many", once}, func(s *Settings) *string { return &s.Sampling }),
	count("samples.min", false, maxSamples, func(s *Settings) *int { return &s.SamplesMin }),
	count("samples.max", false, maxSummarised, func(s *Settings) *int { return &s.SamplesMax }),
	word("samples.keep", false, []string{"samples", summary}, func(s *Settings) *string { return &s.Keep }),
	{"precision", false, setPrecision, func(s *Settings) string { return orWord(s.Precision == 0, "off", units.Exact(s.Precision)) }},
	{"coalesce", true, setCoalesce, func(s *Settings) string { return lang.FormatNumber(s.Coalesce) }},
	word("gc", true, []string{"on", "between", "off"}, func(s *Settings) *string { return &s.GC }),
	word("thread", true, []string{"auto", "locked", "free"}, func(s *Settings) *string { return &s.Thread }),
	count("parallel", true, 10_000, func(s *Settings) *int { return &s.Parallel }),
	word(pinKey, false, []string{"auto", "on", "off"}, func(s *Settings) *string { return &s.Pin }),
	{"confidence", false, setConfidence, func(s *Settings) string { return units.Exact(s.Confidence) }},
	{"reject.quorum", false, setQuorum, func(s *Settings) string { return units.Exact(s.Quorum) }},
	{toleranceKey, false, setTolerance, func(s *Settings) string { return units.Exact(s.Tolerance) }},
}

// Words of settings that decide about other settings.
const (
	once    = "once"    // sampling
	summary = "summary" // samples.keep
)

// Limits of samples.max. A sample that is kept takes 8 bytes in each of about ten columns
// in memory, and its digits in the result document.
const (
	maxSamples    = 1_000_000
	maxSummarised = 1_000_000_000
)

// lateSetting is a setting whose text has parameters in it: parallel: ${workers}.
type lateSetting struct {
	setting
	text *lang.Template
}

// follow makes one bound of the samples follow the other if nobody gave it, or if a flag
// went past it: samples: {max: 5} takes five samples although samples.min is 20.
func follow(s *Settings, origins map[string]Origin) {
	given := func(key string) bool { return origins[key] != "" && origins[key] != FromBuiltin }
	switch {
	case s.SamplesMin <= s.SamplesMax:
	case !given("samples.min") || origins["samples.max"] == FromFlag:
		s.SamplesMin = s.SamplesMax
	case !given("samples.max") || origins["samples.min"] == FromFlag:
		s.SamplesMax = s.SamplesMin
	}
}

func findSetting(key string) (setting, bool) {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

func duration(key string, goOnly, zero bool, field func(*Settings) *Duration) setting {
	set := func(s *Settings, text string) error {
		d, err := ParseDuration(text)
		if err == nil && d == 0 && !zero {
			err = fmt.Errorf("%q is not more than zero", text)
		}
		*field(s) = d
		return err
	}
	return setting{key, goOnly, set, func(s *Settings) string { return field(s).String() }}
}

func count(key string, goOnly bool, most int, field func(*Settings) *int) setting {
	set := func(s *Settings, text string) error {
		n, err := whole(text, most)
		*field(s) = int(n)
		return err
	}
	return setting{key, goOnly, set, func(s *Settings) string { return fmt.Sprint(*field(s)) }}
}

func word(key string, goOnly bool, words []string, field func(*Settings) *string) setting {
	set := func(s *Settings, text string) error {
		*field(s) = text
		if !slices.Contains(words, text) {
			return fmt.Errorf("must be %s, not %s", diag.OrList(words), diag.Quote(text))
		}
		return nil
	}
	return setting{key, goOnly, set, func(s *Settings) string { return *field(s) }}
}

// whole reads a whole number from 1 to most.
func whole(text string, most int) (int64, error) {
	x, err := lang.ParseNumber(text)
	switch {
	case err != nil:
		return 0, err
	case x != math.Trunc(x):
		return 0, fmt.Errorf("%q is not a whole number", text)
	case x < 1 || x > float64(most):
		return 0, fmt.Errorf("%q is not between 1 and %d", text, most)
	}
	return int64(x), nil
}

// setWarmup reads a time, or a number of batches: 3 runs, 3 batches.
func setWarmup(s *Settings, text string) (err error) {
	s.Warmup, s.WarmupBatches = 0, 0
	number, noun, counted := strings.Cut(text, " ")
	switch {
	case counted && slices.Contains([]string{"run", "runs", "batch", "batches"}, noun):
		n, err := whole(number, maxSamples)
		s.WarmupBatches = int(n)
		return err
	case text != "" && text != "0" && strings.Trim(text, "0123456789") == "":
		return fmt.Errorf("%q has no unit: write %sms for a time, or %s runs", text, text, text)
	}
	s.Warmup, err = ParseDuration(text)
	return err
}

// maxBatch iterations of 0.1 ns each take more than a day.
const maxBatch = 1_000_000_000_000_000

func setBatch(s *Settings, text string) (err error) {
	s.Batch = 0
	if text == "auto" {
		return nil
	}
	s.Batch, err = whole(text, maxBatch)
	if err != nil {
		return fmt.Errorf("%w, nor auto", err)
	}
	return nil
}

func setCoalesce(s *Settings, text string) (err error) {
	s.Coalesce, err = lang.ParseNumber(text)
	if err == nil && s.Coalesce != 0 && (s.Coalesce < 1 || s.Coalesce > 1e6) {
		err = fmt.Errorf("%q is not between 1 and 1000000, nor 0", text)
	}
	return err
}

func setPrecision(s *Settings, text string) (err error) {
	s.Precision = 0
	if text == "off" {
		return nil
	}
	s.Precision, err = share(text, 0)
	return err
}

func setConfidence(s *Settings, text string) (err error) {
	s.Confidence, err = share(text, 0.5)
	return err
}

func setQuorum(s *Settings, text string) (err error) {
	s.Quorum, err = lang.ParsePercent(text)
	if err == nil && (s.Quorum <= 0 || s.Quorum > 1) {
		err = fmt.Errorf("%q is not more than 0%% and at most 100%%", text)
	}
	return err
}

// share reads a percentage above least and below 100%.
func share(text string, least float64) (float64, error) {
	x, err := lang.ParsePercent(text)
	if err == nil && (x <= least || x >= 1) {
		err = fmt.Errorf("%q is not between %s and 100%%", text, units.Exact(least))
	}
	return x, err
}

func orWord(is bool, word string, value any) string {
	if is {
		return word
	}
	return fmt.Sprint(value)
}

// setting reads one setting of a benchmark and reports whether it was right.
func (r *reader) setting(n yaml.Node, key string, s *Settings) bool {
	d, _ := findSetting(key)
	if !r.IsA(n, yaml.Scalar, diag.Quote(key), "one value") {
		return false
	}
	err := d.set(s, n.Value)
	if n.ShortTag() == "!!str" && err == nil {
		if _, plain := lang.ParseNumber(n.Value); plain == nil {
			r.Fail(n, "leave out the quotes", "%s: %s is text, not a number", key, diag.Quote(n.Value))
			return false
		}
	}
	if err != nil {
		r.Fail(n, "", "%s: %s", key, diag.Clip(err.Error()))
	}
	return err == nil
}

// pinKey is the setting that keeps runs on one CPU, the only setting for commands alone.
const pinKey = "pin"

// concerns reports whether a setting has a meaning for a kind of body.
func (s *setting) concerns(kind result.Kind) bool {
	if kind == result.KindGoTest || slices.Contains(onlyGoTest, s.key) {
		return kind == result.KindGoTest && s.forGoTests()
	}
	if kind == result.KindGo {
		return s.key != pinKey
	}
	return !s.goOnly
}

// together refuses settings that contradict each other. It runs when all settings of a case
// are known.
func (p *planner) together(b *benchmark, c *Case) {
	s := &c.Settings
	if s.Sampling == once {
		p.once(b, c)
		return
	}
	if s.SamplesMax > maxSamples && s.Keep != summary {
		p.fail(b.at("samples.max", c), fmt.Sprintf("samples: {max: %d, keep: summary} keeps a summary of them", s.SamplesMax),
			"samples.max: %d is more than %d", s.SamplesMax, maxSamples)
	}
	if s.Batch > 1 && s.Coalesce == 0 {
		key := "batch"
		if c.Origins["coalesce"] == FromFlag {
			key = "coalesce"
		}
		p.fail(b.at(key, c), "leave one of them out: coalesce: 0 means batches of one iteration", "batch %d with coalesce 0", s.Batch)
	}
}

// manyOnly are the settings without a meaning for a case that takes one sample.
var manyOnly = []string{"sample_time", "samples.min", "samples.max", "samples.keep", "precision", "coalesce"}

// once sets up a case that takes one sample. Settings about many samples are a mistake in
// the benchmark itself, unless a flag or a parameter made the case one with a single
// sample; in defaults and flags they are for other cases.
func (p *planner) once(b *benchmark, c *Case) {
	asked := c.Origins["sampling"] != FromFlag && !b.isLate("sampling")
	c.Origins = maps.Clone(c.Origins) // cases without settings of their own share the map
	for _, key := range manyOnly {
		if asked && c.Origins[key] == FromBenchmark {
			p.fail(b.at(key, c), "leave it out, or write sampling: many", "%q has no meaning with sampling: once", key)
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

func (b *benchmark) isLate(key string) bool {
	return slices.ContainsFunc(b.late, func(s lateSetting) bool { return s.key == key })
}

// at returns the place at which a setting was given.
func (b *benchmark) at(key string, c *Case) diag.Place {
	if c.Origins[key] == FromFlag {
		return commandLine
	}
	if at, ok := b.places[key]; ok {
		return at
	}
	return b.place
}

// Duration is a length of time that prints as people write it: 100ms.
type Duration time.Duration

// String returns the duration as people write it: 100ms, 1m30s, 2m.
func (d Duration) String() string {
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// MarshalText returns the text that String returns.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// ParseDuration reads a duration such as 100ms, 1.5s, 2m, 1h30m or 0. It is exact to the
// nanosecond and at most 146 years.
func ParseDuration(s string) (Duration, error) {
	seconds, err := lang.ParseDuration(s)
	switch {
	case err != nil:
		return 0, err
	case seconds*1e9 > math.MaxInt64/2:
		return 0, fmt.Errorf("%q is too long", s)
	case seconds > 0 && seconds < 0.5e-9:
		return 0, fmt.Errorf("%q is shorter than a nanosecond", s)
	}
	return Duration(math.Round(seconds * 1e9)), nil
}
