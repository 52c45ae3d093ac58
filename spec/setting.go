package spec

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
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
	{"precision", false, setPrecision, func(s *Settings) string { return orWord(s.Precision == 0, "off", percent(s.Precision)) }},
	{"coalesce", true, setCoalesce, func(s *Settings) string { return lang.FormatNumber(s.Coalesce) }},
	word("gc", true, []string{"on", "between", "off"}, func(s *Settings) *string { return &s.GC }),
	word("thread", true, []string{"auto", "locked", "free"}, func(s *Settings) *string { return &s.Thread }),
	count("parallel", true, 10_000, func(s *Settings) *int { return &s.Parallel }),
	word(pinKey, false, []string{"auto", "on", "off"}, func(s *Settings) *string { return &s.Pin }),
	{"confidence", false, setConfidence, func(s *Settings) string { return percent(s.Confidence) }},
	{"reject.quorum", false, setQuorum, func(s *Settings) string { return percent(s.Quorum) }},
	{toleranceKey, false, setTolerance, func(s *Settings) string { return percent(s.Tolerance) }},
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
		err = fmt.Errorf("%q is not between %s and 100%%", text, percent(least))
	}
	return x, err
}

// percent prints a share with as many digits as it was written with: 95%.
func percent(x float64) string { return lang.FormatNumber(math.Round(x*1e10)/1e8) + "%" }

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
