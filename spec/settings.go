package spec

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// Settings steer the measurement of one case.
type Settings struct {
	Batch      int64     `json:"batch"` // 0: auto
	Warmup     Duration  `json:"warmup"`
	SampleTime Duration  `json:"sample_time"`
	Benchtime  Benchtime `json:"benchtime"` // of existing benchmarks, in place of Batch and SampleTime
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
	Quorum     float64   `json:"quorum"`    // share of iterations that have to count
	Tolerance  float64   `json:"tolerance"` // relative change against the base that is too small to care about
}

// Defaults returns what a suite file means when it says nothing. No other code
// holds a fallback; help, docs and schema are tested against it (design.md §8.10).
func Defaults() Settings {
	return Settings{
		Batch:      0,                                // found by sizing
		Warmup:     Duration(100 * time.Millisecond), // thrown away
		SampleTime: Duration(time.Millisecond),       // wanted length of one batch
		// Starting a test binary took 3 ms here: a sample is six times as long, and
		// the 20 samples that there are at least still fit into a second.
		Benchtime:  Benchtime{Time: Duration(20 * time.Millisecond)},
		TargetTime: Duration(time.Second),      // measured time of a case
		MaxTime:    Duration(10 * time.Second), // ends a case always, warm-up included
		Timeout:    Duration(time.Minute),      // of one run or request
		SamplesMin: 20,
		SamplesMax: 10000,
		Precision:  0, // off
		Coalesce:   5, // shortest batch, in clock costs
		GC:         "on",
		Thread:     "auto",
		Parallel:   1,
		Pin:        "auto",
		Confidence: 0.95, // of every interval
		Sampling:   "many",
		Keep:       "samples",
		Quorum:     0.5, // of the iterations, or runs
		Tolerance:  0.03,
	}
}

// What a suite file means when it does not name these; they are no settings of
// the measurement.
const (
	DefaultUnit           = "op"
	DefaultWork           = 1.0
	DefaultOnInconclusive = "auto"
	DefaultSeverity       = "fail"
	DefaultClock          = "wall"
	DefaultCycle          = "null"
	DefaultReport         = "raw"
	DefaultStop           = "SIGTERM"                  // of a service
	DefaultServiceTimeout = Duration(10 * time.Second) // until it is ready
)

// setting is one of Settings: how it is read and printed, and whether it has a
// meaning for commands, whose samples are single runs.
type setting struct {
	key    string // as in the file; samples.min and samples.max are keys of samples
	goOnly bool
	set    func(*Settings, string) error
	show   func(*Settings) string
}

// settings in the order in which a plan prints them.
var settings = []setting{
	{"batch", true, setBatch, func(s *Settings) string { return orWord(s.Batch == 0, "auto", s.Batch) }},
	duration("warmup", false, true, func(s *Settings) *Duration { return &s.Warmup }),
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

// Words of settings that other settings look at.
const (
	once    = "once"    // sampling
	summary = "summary" // samples.keep
)

// Most samples of a case. One that is kept takes 8 bytes in each of about ten
// columns, in memory and again as text in the result document.
const (
	maxSamples    = 1_000_000
	maxSummarised = 1_000_000_000
)

// lateSetting is one whose text names parameters: parallel: ${workers}.
type lateSetting struct {
	setting
	text *lang.Template
}

// follow lets a bound of the samples that nobody gave, or that a flag went
// past, follow the other: samples: {max: 5} takes five.
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

// maxBatch iterations of a tenth of a nanosecond take a day.
const maxBatch = 1_000_000_000_000_000

func setBatch(s *Settings, text string) (err error) {
	if s.Batch = 0; text == "auto" {
		return nil
	}
	if s.Batch, err = whole(text, maxBatch); err != nil {
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
	if s.Precision = 0; text == "off" {
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

// setting reads one setting of a benchmark.
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

// pinKey is the setting that keeps runs on one CPU. It is the only one that
// speaks of commands alone.
const pinKey = "pin"

// concerns says whether a setting has a meaning for a kind of body.
func (s *setting) concerns(kind result.Kind) bool {
	if kind == result.KindGoTest || slices.Contains(onlyGoTest, s.key) {
		return kind == result.KindGoTest && s.forGoTests()
	}
	if kind == result.KindGo {
		return s.key != pinKey
	}
	return !s.goOnly
}

// together compares the settings of a case with each other, once all of them
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

// manyOnly are the settings without a meaning for a case that is sampled once.
var manyOnly = []string{"sample_time", "samples.min", "samples.max", "samples.keep", "precision", "coalesce"}

// once leaves one sample to a case. What defaults or flags say of many samples
// is for other cases; in the benchmark itself it is a mistake, unless a flag or
// a parameter made the case one that is sampled once.
func (p *planner) once(b *benchmark, c *Case) {
	asked := c.Origins["sampling"] != FromFlag && !b.isLate("sampling")
	c.Origins = maps.Clone(c.Origins) // cases without settings of their own share it
	for _, key := range manyOnly {
		if asked && c.Origins[key] == FromBenchmark {
			p.fail(b.at(key, c), "leave it out, or write sampling: many", "%q has no meaning with sampling: once", key)
		}
		delete(c.Origins, key)
	}
	d := Defaults()
	s := &c.Settings
	s.SampleTime, s.Precision, s.Coalesce, s.Keep = d.SampleTime, d.Precision, d.Coalesce, d.Keep
	s.SamplesMin, s.SamplesMax = 1, 1
}

func (b *benchmark) isLate(key string) bool {
	return slices.ContainsFunc(b.late, func(s lateSetting) bool { return s.key == key })
}

// at is where the value of a setting was given.
func (b *benchmark) at(key string, c *Case) diag.Place {
	if c.Origins[key] == FromFlag {
		return commandLine
	}
	if at, ok := b.places[key]; ok {
		return at
	}
	return b.place
}

// Duration prints as people write it: 100ms.
type Duration time.Duration

// String prints a duration as people write it: 100ms, 1m30s, 2m.
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

// MarshalText gives the form that String gives.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// ParseDuration reads 100ms, 1.5s, 2m, 1h30m or 0, to the nanosecond, up to 292
// years.
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
