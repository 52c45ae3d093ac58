package result

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
)

// The words that a document may use.
var (
	kinds      = []Kind{KindGo, KindCommand, KindShell, KindGoTest}
	statuses   = []Status{Measured, Failed, NotRun, LeftOut, Unaffected}
	verdicts   = []Verdict{Pass, Fail, Inconclusive, Error, NotJudged}
	forms      = []Form{FormExact, FormPairs, FormInterval, FormPoint, FormUnpaired, FormHistory}
	severities = []string{"fail", "warn"}
	undecided  = []string{"auto", "list", "fail"}
	loops      = []string{"", "direct", "indirect", "trial", "inputs"}
	samplings  = []string{"", "many", "once"}
	keeps      = []string{"", "samples", "summary"}
	extremes   = []string{"", "iteration", "batch"}
	counts     = []string{"ticks", "cycles"}
	exits      = []int{0, 1, 3, 4, exitHangUp, exitInterrupt, exitTerminated}
	seedShape  = lazy.Regexp(`^[0-9a-f]{32}$`)
)

// always is the column without gaps: a sample without a time does not exist.
const always = "time"

// Validate checks what the types cannot express: unique names, known words, columns
// of one length. All problems are joined in one error, in the order of the document.
// A document without problems can be judged and rendered without further checks.
func (d *Document) Validate() error {
	if err := checkSchema(d.Schema); err != nil {
		return err
	}
	v := &validator{seen: map[string]bool{}, suites: map[string]bool{}, against: map[string]*Against{}}
	v.document(d)
	for i := range d.Cases {
		v.oneCase(i, &d.Cases[i])
		d.Cases[i].Forget()
	}
	v.orders(d)
	return errors.Join(v.problems...)
}

type validator struct {
	where    string          // prefix of each problem
	seen     map[string]bool // see fresh
	key      []byte          // of fresh, to use again
	suites   map[string]bool // by name
	against  map[string]*Against
	problems []error
}

func (v *validator) check(ok bool, format string, args ...any) {
	if !ok {
		v.problems = append(v.problems, errors.New(v.where+fmt.Sprintf(format, args...)))
	}
}

// fresh reports whether these words occur together for the first time.
func (v *validator) fresh(words ...string) bool {
	key := v.key[:0]
	for _, word := range words { // with their lengths: no two lists of words have one key
		key = binary.AppendUvarint(key, uint64(len(word)))
		key = append(key, word...)
	}
	v.key = key
	if v.seen[string(key)] {
		return false
	}
	v.seen[string(key)] = true
	return true
}

func (v *validator) document(d *Document) {
	v.check(seedShape().MatchString(d.Seed), "seed %q is not 32 hexadecimal digits", d.Seed)
	v.check(slices.Contains(exits, d.Exit), "unknown exit status %d", d.Exit)
	v.check(d.Digest == "" || digestShape().MatchString(d.Digest), "the digest %q is not one", d.Digest)
	for _, s := range d.Suites {
		v.suites[s.Name] = true
		v.check(s.Name != "", "a suite has no name")
		v.check(v.fresh("suite", s.Name), "suite %q is there twice", s.Name)
		v.check(slices.Contains(undecided, s.OnInconclusive), "suite %q: unknown on_inconclusive %q", s.Name, s.OnInconclusive)
		v.suiteAgainst(&s)
		v.planned(&s)
		v.sentinel(&s)
		v.sources(&s)
		v.check(s.Floor == nil || *s.Floor >= 0 && !notNumber(*s.Floor), "suite %q: its floor is out of range", s.Name)
	}
	for i := range d.Acceptances {
		v.acceptance(&d.Acceptances[i])
	}
	for _, c := range d.Calibrations {
		v.check(v.suites[c.Suite], "a calibration names the unknown suite %q", c.Suite)
		v.check(c.Counter == nil || slices.Contains(counts, c.Counter.Unit), "a calibration has a counter of unknown unit %q", unitOf(c.Counter))
	}
}

func unitOf(c *Counter) string {
	if c == nil {
		return ""
	}
	return c.Unit
}

func (v *validator) oneCase(i int, c *Case) {
	v.where = fmt.Sprintf("case %q: ", c.Name)
	if c.Name == "" {
		v.where = fmt.Sprintf("case %d: ", i+1)
	}
	v.check(c.Name != "", "it has no name")
	v.check(v.suites[c.Suite], "unknown suite %q", c.Suite)
	v.check(v.fresh("case", c.Suite, c.Name), "it is there twice in suite %q", c.Suite)
	v.check(slices.Contains(kinds, c.Kind), "unknown kind %q", c.Kind)
	v.check(slices.Contains(statuses, c.Status), "unknown status %q", c.Status)
	v.check((c.Failure != nil) == (c.Status == Failed), "status %q and failure do not fit together", c.Status)
	v.check((len(c.Missing) > 0) == (c.Status == LeftOut), "status %q and missing programs do not fit together", c.Status)
	v.check(c.Work >= 0 && c.Seconds >= 0 && c.Iterations >= 0 && c.Launches >= 0, "work, seconds, iterations or launches are negative")
	v.check(c.Void >= 0 && c.Retried >= 0, "void or retried are negative")
	v.share("stolen", c.Stolen)
	v.share("multiplexed", c.Multiplexed)
	v.check(slices.Contains(loops, c.Loop), "unknown loop %q", c.Loop)
	v.inputs(c)
	v.latency("latency", c.Latency)
	if c.Pairs != nil {
		v.latency("latency of the base", c.Pairs.Latency)
	}
	v.check(slices.Contains(samplings, c.Settings.Sampling), "unknown sampling %q", c.Settings.Sampling)
	v.check(slices.Contains(keeps, c.Settings.Keep), "unknown keep %q", c.Settings.Keep)
	v.declared(c)
	v.samples(&c.Samples)
	v.counterpart(c)
	v.earlier(c)
	v.past(c)
	v.pairs(c)
	v.pegs(c, "pegs", c.Pegs)
	v.pegs(c, "base_pegs", c.BasePegs)
	v.profiling(c.Profiling)
	v.pegPairs(c)
	for i := range c.Metrics {
		v.summary("metric", c, &c.Metrics[i])
	}
	for i := range c.Gates {
		v.gate(c, &c.Gates[i])
	}
}

func (v *validator) inputs(c *Case) {
	in := c.Inputs
	if in == nil {
		return
	}
	v.check(in.Size >= 0 && in.Part >= 1 && in.Parts >= 1, "inputs: size, part or parts are out of range")
	for _, x := range []Cost{in.Pause, in.Margin} {
		v.check(!(x.Value < 0) && !(x.Error < 0) && !notNumber(x.Value) && !notNumber(x.Error), "inputs: a cost is out of range")
	}
}

func (v *validator) share(name string, x *float64) {
	v.check(x == nil || *x >= 0 && *x <= 1, "%s is not between 0 and 1", name)
}

func (v *validator) samples(s *Samples) {
	n := s.Len()
	v.check(len(s.Launch) == n, "column launch has %d rows, block %d", len(s.Launch), n)
	v.check(len(s.At) == n, "column at has %d rows, block %d", len(s.At), n)
	folded := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		other, twice := folded[strings.ToLower(name)]
		v.check(!twice, "columns %q and %q differ in case only", other, name)
		folded[strings.ToLower(name)] = name
		v.check(len(s.Columns[name]) == n, "column %q has %d rows, block %d", name, len(s.Columns[name]), n)
		v.check(!slices.ContainsFunc(s.Columns[name], infinite), "column %q has a number that is not finite", name)
	}
	if gap := slices.IndexFunc(s.Columns[always], absent); gap >= 0 {
		v.check(false, "column %q has no number in row %d, and it must have one in every row", always, gap)
	}
	v.check(s.Taken == 0 || s.Taken >= n, "%d samples were taken, and there are %d rows of them", s.Taken, n)
	v.check(!slices.ContainsFunc(s.Launch, negative), "column launch has a negative number")
	v.check(!slices.ContainsFunc(s.Block, negative), "column block has a negative number")
	last := -1
	for _, d := range s.Disturbed {
		v.check(d.Index >= 0 && d.Index < n, "disturbed sample %d is outside the %d samples", d.Index, n)
		v.check(d.Index > last, "disturbed samples are not in ascending order: %d after %d", d.Index, last)
		last = d.Index
	}
	v.censored(s)
}

func negative(i int) bool { return i < 0 }

// summary checks one summary. side separates the case's own from its base's.
func (v *validator) summary(side string, c *Case, s *Summary) {
	v.check(s.Metric != "", "a summary names no metric")
	v.check(v.fresh(side, c.Suite, c.Name, s.Metric), "%s %q is there twice", side, s.Metric)
	v.check(s.N >= 0 && s.Blocks >= 0, "metric %q: n or blocks are negative", s.Metric)
	v.check((s.Low == nil) == (s.High == nil) || s.High == nil && s.Censored > 0, "metric %q: the interval has only one end", s.Metric)
	v.bounds(s)
	v.check(s.Low == nil || s.High == nil || *s.Low <= *s.High, "metric %q: the interval is upside down", s.Metric)
	v.check(!(s.Min > s.Max) && !(s.Median < s.Min) && !(s.Median > s.Max), "metric %q: the median is not between minimum and maximum", s.Metric)
	v.check(!(s.Slack < 0) && !notNumber(s.Slack), "metric %q: its slack is out of range", s.Metric)
	v.check(!(s.StdDev < 0) && !(s.MAD < 0), "metric %q: a deviation is negative", s.Metric)
	v.check(!notNumber(s.Median), "metric %q: the median is not finite", s.Metric)
	v.check(slices.Contains(extremes, s.Extremes), "metric %q: unknown extremes %q", s.Metric, s.Extremes)
	v.check(s.Confidence >= 0 && s.Confidence <= 1, "metric %q: confidence %v is not between 0 and 1", s.Metric, s.Confidence)
}

func (v *validator) gate(c *Case, g *Gate) {
	v.check(g.ID != "", "a gate has no id")
	v.check(v.fresh("gate", c.Suite, c.Name, g.ID), "gate %q is there twice", g.ID)
	v.check(slices.Contains(verdicts, g.Verdict), "gate %q: unknown verdict %q", g.ID, g.Verdict)
	v.check(slices.Contains(forms, g.Form), "gate %q: unknown form %q", g.ID, g.Form)
	v.check(slices.Contains(causes, g.Cause), "gate %q: unknown cause %q", g.ID, g.Cause)
	for _, r := range g.Reads {
		v.check(slices.Contains(readingsOf, r.Of), "gate %q: it reads a number of unknown kind %q", g.ID, r.Of)
	}
	v.check(slices.Contains(severities, g.Severity), "gate %q: unknown severity %q", g.ID, g.Severity)
	v.check(slices.Contains(undecided, g.OnInconclusive), "gate %q: unknown on_inconclusive %q", g.ID, g.OnInconclusive)
	v.accepted(g)
}

func infinite(x float64) bool { return math.IsInf(x, 0) }

func notNumber(x float64) bool { return absent(x) || infinite(x) }
