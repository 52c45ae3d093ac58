package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Settings control how one case is measured.
type Settings struct {
	Batch      int64     `json:"batch"` // 0: auto
	Warmup     Duration  `json:"warmup"`
	SampleTime Duration  `json:"sample_time"`
	Benchtime  Benchtime `json:"benchtime"` // existing benchmarks use it in place of Batch and SampleTime
	Isolate    string    `json:"isolate"`   // launch, process; existing benchmarks, and benchmarks of other harnesses
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
	Judge      string    `json:"judge"`     // time, instructions

	WhenUndecided string `json:"when_undecided"` // inform, instructions

	Latency bool `json:"latency,omitempty"` // single iterations are timed

	// iterations that are due in a second; 0: one begins when the one before has ended
	Arrivals float64 `json:"arrivals,omitempty"`
	Poisson  bool    `json:"poisson,omitempty"` // arrivals are a Poisson process; else they are evenly spread

	WarmupBatches int `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: batches, of a command runs
}

// Defaults returns the settings of a suite file that sets none. No other code has
// fallbacks: help, docs and schema are tested against these.
func Defaults() Settings {
	return Settings{
		Batch:      0,                                // found by sizing
		Warmup:     Duration(100 * time.Millisecond), // thrown away
		SampleTime: Duration(time.Millisecond),       // wanted length of one batch
		// What comes with a sample took 0.3 ms here, and starting a test binary 5 ms.
		Benchtime:  Benchtime{Time: Duration(10 * time.Millisecond)},
		Isolate:    result.IsolateLaunch,
		TargetTime: Duration(time.Second),      // measured time of a case
		MaxTime:    Duration(10 * time.Second), // limit of a case, warm-up included; see shareTime
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
		Judge:      result.JudgeTime,

		WhenUndecided: Inform,
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

// Words of settings that decide about other settings.
const (
	once    = "once"    // sampling
	summary = "summary" // samples.keep
	poisson = "poisson" // arrivals
)

// follow makes a setting follow another one if nobody gave it, or if a flag went past it:
// samples: {max: 5} takes five samples although samples.min is 20, and max_time: 100ms
// leaves time after the warm-up although warmup is 100ms.
func follow(s *Settings, origins map[string]Origin) {
	given := func(key string) bool { return origins[key] != "" && origins[key] != FromBuiltin }
	switch {
	case s.SamplesMin <= s.SamplesMax:
	case !given("samples.min") || origins["samples.max"] == FromFlag:
		s.SamplesMin = s.SamplesMax
	case !given("samples.max") || origins["samples.min"] == FromFlag:
		s.SamplesMax = s.SamplesMin
	}
	switch {
	case s.WarmupBatches > 0:
	case !given("warmup") && s.Warmup > s.MaxTime/2,
		origins["max_time"] == FromFlag && origins["warmup"] != FromFlag && s.onlyWarmsUp():
		s.Warmup = s.MaxTime / 20
	}
}

// onlyWarmsUp reports whether max_time is over before the first sample.
func (s *Settings) onlyWarmsUp() bool {
	return s.WarmupBatches == 0 && s.Warmup > 0 && s.Warmup >= s.MaxTime
}

// hintWarmup is the remedy if onlyWarmsUp.
const hintWarmup = "max_time includes the warm-up: raise it, or shorten warmup"

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

// Inform is the word of when_undecided for gates that instructions do not decide.
const Inform = "inform"

// whenUndecidedKey is the name of the setting that decides about gates that the time does not decide.
const whenUndecidedKey = "when_undecided"

// judgeKey is the name of the setting that decides what is measured at all.
const judgeKey = "judge"

// timerKey is the name of the timer in Origins and Overrides.
const timerKey = "timer"

// commandLine is the place of problems in overrides.
var commandLine = diag.Place{File: result.CommandLine}

// anyStatus is the word for every exit status.
const anyStatus = "any"

// setting is everything about one field of Settings. The parser, the flags, plans, the
// schema and the table in docs/suite-file.md are made from it.
type setting struct {
	key     string // as in the file; samples.min is the key min of samples
	after   string // the key that it follows in the documents; empty: the setting before it
	help    string // what it means: a sentence without its full stop, words of the file in backquotes
	see     string // a link in Markdown that the table adds
	flag    string // help of its own flag; empty: only --set overrides it
	without reasons
	with    []string // as in benchmarkKey
	scalar
}

// scalar is how the value of a setting is read, printed and described to editors.
type scalar struct {
	set      func(*Settings, string) error
	show     func(*Settings) string
	accepts  string // JSON Schemas, of which a value has to match one
	examples string // values as JSON
}

// reasons are why a key has no meaning for a kind of body, and what to do instead. They are
// hints of problems. An empty one means that the kind has the key.
type reasons struct {
	goFunc  string
	command string // also of a line for a shell
	gotest  string
	harness string // of a command with harness:
}

func (r reasons) why(kind result.Kind) string {
	switch kind {
	case result.KindGo:
		return r.goFunc
	case result.KindCommand, result.KindShell:
		return r.command
	case result.KindGoTest:
		return r.gotest
	}
	return ""
}

// Why a key has no meaning for other kinds of body.
const (
	oneRun      = "a sample of a command is one run"
	goTestOnly  = "only gotest: has it"
	listedOnly  = "only gotest: and harness: have it"
	commandOnly = "only command: has it"
)

// settings lists all settings in the order in which a plan prints them.
var settings = []setting{
	{
		key: "batch", after: "work",
		help:    "iterations between two readings of the clock; `auto` finds a number that takes `sample_time`",
		without: reasons{command: oneRun, gotest: "benchtime: 100x fixes the number of iterations"},
		scalar: scalar{setBatch, func(s *Settings) string { return orWord(s.Batch == 0, "auto", s.Batch) },
			`{"const": "auto"}, ` + integers(maxBatch), `"auto", 1000`},
	},
	{
		key: "warmup",
		help: "time to run before the first sample; the results are thrown away. If nobody sets it and it " +
			"would take more than half of `max_time`, it is a twentieth of that. It is 20ms by default for an " +
			"existing benchmark. `3 runs` is a number of runs of a command, `3 batches` of batches of a function, of " +
			"the size that was found; both words mean the same. " +
			"Cases that take turns begin each block of short runs with one more run that is thrown away",
		flag: "run each case for this `TIME` before its first sample, such as 100ms, or so many times, such as 3",
		scalar: scalar{setWarmup, func(s *Settings) string {
			return orWord(s.WarmupBatches == 0, s.Warmup.String(), units.Plural(s.WarmupBatches, "run"))
		}, durations +
			`, {"type": "string", "pattern": "^[1-9][0-9]*(_[0-9]+)* (run|runs|batch|batches)$"}, {"const": 0}`,
			`0, "1s", "3 runs"`},
	},
	{
		key: "sample_time", after: "target_time",
		help:    "wanted length of a sample: most samples of 1 ms fit between two preemptions",
		without: reasons{command: oneRun, gotest: "benchtime: 10ms is the wanted length of a sample"},
		scalar:  duration(`"10ms"`, func(s *Settings) *Duration { return &s.SampleTime }),
	},
	{
		key: "benchtime", help: "length of a sample of an existing benchmark; `100x` fixes its iterations",
		without: reasons{goFunc: listedOnly, command: listedOnly},
		with:    []string{harnessKey},
		scalar: scalar{setBenchtime, func(s *Settings) string { return s.Benchtime.String() },
			durations + `, {"type": "string", "pattern": "^[1-9][0-9]*x$"}`, `"100x", "50ms"`},
	},
	{
		key: "isolate",
		help: "what an existing benchmark has a process of its own for: each `launch`, in which samples follow each " +
			"other as with `go test -count`, or each sample: `process`. With `harness: lines` and " +
			"`pytest-benchmark` pairs have launches; other harnesses have a process for each sample",
		see:     "[existing benchmarks](go.md#existing-benchmarks)",
		without: reasons{goFunc: listedOnly, command: listedOnly},
		with:    []string{harnessKey},
		scalar: word([]string{result.IsolateLaunch, result.IsolateSample}, func(s *Settings) *string {
			return &s.Isolate
		}),
	},
	{
		key: "target_time", after: "warmup",
		help:   "measured time of a case, over all samples; 200ms by default for an existing benchmark",
		flag:   "measured `TIME` of each case, such as 3s",
		scalar: duration(`"5s"`, func(s *Settings) *Duration { return &s.TargetTime }),
	},
	{
		key: "max_time", after: "isolate",
		help: "always ends a case, even before `samples.min`; includes warm-up and suite's own work. A " +
			"case takes one sample in any case, and functions one batch before it even without a warm-up, which " +
			"finds the size of batches: a body of 300 ms takes 600 ms with `max_time: 100ms`, and the report shows " +
			"it. It is the time of both sides if the case has a base, with the start of their launches, and " +
			"20s by default",
		flag:   "end each case after this `TIME`, warm-up included",
		scalar: duration(`"1m"`, func(s *Settings) *Duration { return &s.MaxTime }),
	},
	{
		key: "timeout", after: "pegs",
		help: "longest time of one run of a command, or of one request to a host; a command is measured even " +
			"if some of its runs exceed it",
		see:    "[runs that hang](commands.md#runs-that-hang)",
		flag:   "give up on a run or request that takes longer than this `TIME`",
		scalar: duration(`"30s"`, func(s *Settings) *Duration { return &s.Timeout }),
	},
	{
		key: "sampling", after: "max_time",
		help: "many samples, or `once`: a single pass as long as `target_time`; then `sample_time`, `samples`, " +
			"`precision` and `coalesce` have no meaning",
		without: reasons{gotest: "samples: {max: 1} takes one sample", harness: "samples: {max: 1} takes one sample"},
		scalar:  word([]string{"many", once}, func(s *Settings) *string { return &s.Sampling }),
	},
	{
		key: "samples.min", help: "least number of samples, unless `max_time` ends the case",
		scalar: count(maxSamples, `5`, func(s *Settings) *int { return &s.SamplesMin }),
	},
	{
		key: "samples.max", help: "most samples; above a million only with `keep: summary`",
		scalar: count(maxSummarised, `1000`, func(s *Settings) *int { return &s.SamplesMax }),
	},
	{
		key: "samples.keep", help: "whether every sample is kept, or a summary of them in constant memory",
		scalar: word([]string{"samples", summary}, func(s *Settings) *string { return &s.Keep }),
	},
	{
		key: "precision", after: "samples", help: "ends a case when half its interval is this share of the median",
		flag: "end a case once half its interval is below this `SHARE` of the median, such as 1%",
		scalar: scalar{setPrecision,
			func(s *Settings) string { return orWord(s.Precision == 0, "off", units.Exact(s.Precision)) },
			`{"const": "off"}, {"$ref": "#/$defs/percentage"}`, `"1%"`},
	},
	{
		key: "coalesce", help: "shortest batch, in costs of reading the clock; 0: batches of one iteration",
		without: reasons{command: oneRun, gotest: "benchtime: 10ms is the wanted length of a sample"},
		scalar: scalar{setCoalesce, func(s *Settings) string { return lang.FormatNumber(s.Coalesce) },
			`{"const": 0}, {"type": "number", "minimum": 1, "maximum": 1000000}`, `1000, 0`},
	},
	{
		key: "gc", help: "garbage collections: `on` as they come, `between` blocks only, or `off`",
		without: reasons{
			command: oneRun,
			gotest:  "package testing collects before each sample; env: {GOGC: off} turns collections off",
		},
		scalar: word([]string{"on", "between", "off"}, func(s *Settings) *string { return &s.GC }),
	},
	{
		key: "thread", help: "whether the loop is `locked` to its thread or `free`; `auto` finds out in the warm-up",
		see:     "[threads](method.md#threads)",
		without: reasons{command: oneRun, gotest: "the benchmark says it itself: runtime.LockOSThread"},
		scalar:  word([]string{"auto", "locked", "free"}, func(s *Settings) *string { return &s.Thread }),
	},
	{
		key: "parallel", help: "goroutines that run the loop at the same time",
		without: reasons{command: oneRun,
			gotest: "the benchmark says it itself: b.RunParallel; cpu: [1, 4] sets GOMAXPROCS"},
		scalar: count(maxParallel, `8`, func(s *Settings) *int { return &s.Parallel }),
	},
	{
		key: "latency", after: "cpu",
		help: "whether single iterations are timed, for percentiles such as `latency.p99`; each costs a reading " +
			"of the clock",
		see: "[latencies](latency.md)",
		without: reasons{
			command: "a sample of a command is one run: time.p99",
			gotest:  "the benchmark times its iterations itself: b.ReportMetric",
		},
		scalar: scalar{setLatency, func(s *Settings) string { return fmt.Sprint(s.Latency) },
			`{"type": "boolean"}`, `true`},
	},
	{
		key: "arrivals",
		help: "how many iterations are due in a second, `1000/s`, whether the one before has ended or not: latencies " +
			"count from then. `1000/s poisson` draws the times between them",
		see: "[open loop](latency.md#open-loop)",
		without: reasons{
			command: "a program makes load of its own, and prints latencies: metrics",
			gotest:  "the benchmark begins its iterations itself",
		},
		scalar: scalar{setArrivals, showArrivals,
			`{"const": "off"}, {"type": "string", "pattern": ` +
				`"^[0-9][0-9._]*(e[0-9]+)?/([0-9][0-9._]*)?(ns|us|µs|ms|s|m|h)( even| poisson)?$"}`,
			`"1000/s", "50/s poisson"`},
	},
	{
		key: "pin", help: "what stays on one CPU (Linux): `on`: the runs of a command; `auto`: only the process that " +
			"starts them; `off`: neither", see: "[one CPU](method.md#one-cpu)",
		without: reasons{
			goFunc: "a Go function runs in a host with others, which stays free; taskset holds suite itself on one CPU",
			gotest: "cpu: [1] sets GOMAXPROCS",
		},
		scalar: word([]string{"auto", "on", "off"}, func(s *Settings) *string { return &s.Pin }),
	},
	{
		key: "confidence", help: "confidence of every interval that is shown, above 50%",
		scalar: scalar{setConfidence, func(s *Settings) string { return units.Exact(s.Confidence) },
			percentages + `, {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1}`, `"99%"`},
	},
	{
		key:  "reject.quorum",
		help: "share of the runs, or iterations, that must count; with fewer the case could not be measured",
		scalar: scalar{setQuorum, func(s *Settings) string { return units.Exact(s.Quorum) },
			percentages + `, {"type": "number", "exclusiveMinimum": 0, "maximum": 1}`, `"90%"`},
	},
	{
		key: judgeKey, after: "counters",
		help: "what a case is judged by: its `time`, or its `instructions`, which valgrind counts in a few runs of " +
			"each side; then no times are taken, and `tolerance` is a gate on instructions",
		see: "[instructions](gates.md#instructions)",
		flag: "judge cases by `WHAT`: time, or instructions, which valgrind counts in a few short runs on however " +
			"busy a machine",
		scalar: word([]string{result.JudgeTime, result.JudgeInstructions}, func(s *Settings) *string {
			return &s.Judge
		}),
	},
	{
		key: whenUndecidedKey, after: judgeKey,
		help: "what becomes of a gate on the time that the time does not decide: it remains inconclusive and reports " +
			"`inform` about the instructions of both sides, or the `instructions` decide it",
		see:    "[instructions](gates.md#instructions)",
		scalar: word([]string{Inform, result.JudgeInstructions}, func(s *Settings) *string { return &s.WhenUndecided }),
	},
	{
		key: toleranceKey, after: "base",
		help: "change against the base that is too small to care about; if you set it, it is a gate",
		scalar: scalar{setTolerance, func(s *Settings) string { return units.Exact(s.Tolerance) },
			`{"$ref": "#/$defs/percentage"}, {"type": "number", "minimum": 0, "exclusiveMaximum": 1}`, `"3%", "0.5%"`},
	},
}

// JSON Schemas of values that several settings have.
const (
	durations   = `{"$ref": "#/$defs/duration"}`
	percentages = `{"type": "string", "pattern": "^(0|[1-9][0-9]*(_[0-9]+)*)(\\.[0-9]+)?%$"}`
)

func integers(most int) string {
	return fmt.Sprintf(`{"type": "integer", "minimum": 1, "maximum": %d}`, most)
}

// Limits of samples.max. A sample that is kept takes 8 bytes in each of about ten columns
// in memory, and its digits in the result document.
const (
	maxSamples    = 1_000_000
	maxSummarised = 1_000_000_000
)

// maxParallel is the greatest number of goroutines that run a loop.
const maxParallel = 10_000

func findSetting(key string) (setting, bool) {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

// duration describes a length of time above 0.
func duration(examples string, field func(*Settings) *Duration) scalar {
	set := func(s *Settings, text string) error {
		d, err := ParseDuration(text)
		if err == nil && d == 0 {
			err = fmt.Errorf("%q is not more than zero", text)
		}
		*field(s) = d
		return err
	}
	return scalar{set, func(s *Settings) string { return field(s).String() }, durations, examples}
}

// count describes a whole number from 1 to most.
func count(most int, examples string, field func(*Settings) *int) scalar {
	set := func(s *Settings, text string) error {
		n, err := whole(text, most)
		*field(s) = int(n)
		return err
	}
	return scalar{set, func(s *Settings) string { return fmt.Sprint(*field(s)) }, integers(most), examples}
}

// word describes a choice. The second of the words is its example.
func word(words []string, field func(*Settings) *string) scalar {
	set := func(s *Settings, text string) error {
		*field(s) = text
		if !slices.Contains(words, text) {
			return fmt.Errorf("must be %s, not %s", diag.OrList(words), diag.Quote(text))
		}
		return nil
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	accepts := `{"enum": [` + strings.Join(quoted, ", ") + `]}`
	return scalar{set, func(s *Settings) string { return *field(s) }, accepts, quoted[1]}
}

// setLatency reads whether single iterations are timed.
func setLatency(s *Settings, text string) error {
	s.Latency = text == "true"
	if text != "true" && text != "false" {
		return fmt.Errorf("must be true or false, not %s", diag.Quote(text))
	}
	return nil
}

// setArrivals reads a rate and how the arrivals are spread: 1000/s, 1000/s poisson.
func setArrivals(s *Settings, text string) (err error) {
	s.Arrivals, s.Poisson = 0, false
	if text == "off" {
		return nil
	}
	rate, spread, spreads := strings.Cut(text, " ")
	s.Arrivals, err = lang.ParseRate(rate)
	switch {
	case err != nil:
		return err
	case spreads && spread != "even" && spread != poisson:
		return fmt.Errorf("after the rate comes even or %s, not %s", poisson, diag.Quote(spread))
	case s.Arrivals > mostArrivals:
		return fmt.Errorf("%q leaves less than a nanosecond between two iterations", rate)
	}
	s.Poisson = spread == poisson
	return nil
}

func showArrivals(s *Settings) string {
	switch {
	case s.Arrivals == 0:
		return "off"
	case s.Poisson:
		return lang.FormatNumber(s.Arrivals) + "/s " + poisson
	}
	return lang.FormatNumber(s.Arrivals) + "/s"
}

// mostArrivals in a second: the clock of the schedule has steps of a nanosecond.
const mostArrivals = 1e9

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

func setTolerance(s *Settings, text string) (err error) {
	s.Tolerance, err = lang.ParsePercent(text)
	switch {
	case err != nil:
	case s.Tolerance >= 1 && !strings.HasSuffix(text, "%"):
		err = fmt.Errorf("%q is %s: write it with a %% sign", text, units.Exact(s.Tolerance))
	case !(s.Tolerance >= 0 && s.Tolerance <= maxTolerance):
		err = fmt.Errorf("%q is not between 0%% and %s", text, units.Exact(maxTolerance))
	}
	return err
}

// toleranceKey is the setting that adds a gate to a case with a base.
const toleranceKey = "tolerance"

// maxTolerance allows a case to take eleven times as long as its base.
const maxTolerance = 10

// maxIterations is the limit of package testing for one sample.
const maxIterations = 1_000_000_000

// setBenchtime reads 100x or 20ms.
func setBenchtime(s *Settings, text string) error {
	if count, ok := strings.CutSuffix(text, "x"); ok {
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil || n < 1 || n > maxIterations {
			return fmt.Errorf("%q is not a number of iterations from 1x to %dx", text, maxIterations)
		}
		s.Benchtime = Benchtime{N: n}
		return nil
	}
	d, err := ParseDuration(text)
	switch {
	case err != nil:
		return fmt.Errorf("%w, and no number of iterations such as 100x", err)
	case d == 0:
		return fmt.Errorf("%q is not more than zero", text)
	}
	s.Benchtime = Benchtime{Time: d}
	return nil
}

// initial is the default as it is shown in a table in Markdown: a word is in
// backquotes.
func (s *setting) initial() string {
	d := Defaults()
	shown := s.show(&d)
	if strings.ToLower(shown[:1]) != strings.ToUpper(shown[:1]) {
		return "`" + shown + "`"
	}
	return shown
}

// words collects the texts that the setting's schema accepts as they are.
func (s *scalar) words() (words []string) {
	var schemas []struct {
		Const any
		Enum  []any
	}
	if err := json.Unmarshal([]byte("["+s.accepts+"]"), &schemas); err != nil {
		panic(err) // the schema of suite files is made of the same text
	}
	for _, schema := range schemas {
		for _, x := range append(schema.Enum, schema.Const) {
			if word, ok := x.(string); ok {
				words = append(words, word)
			}
		}
	}
	return words
}
