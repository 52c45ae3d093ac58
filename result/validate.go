package result

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"example.com/suite/internal/lazy"
)

// The words that a document may use.
var (
	kinds      = []Kind{KindGo, KindCommand, KindShell, KindGoTest}
	statuses   = []Status{Measured, Failed, NotRun, LeftOut, Unaffected}
	verdicts   = []Verdict{Pass, Fail, Inconclusive, Error, NotJudged}
	forms      = []Form{FormExact, FormPairs, FormInterval, FormRuns, FormPoint, FormUnpaired, FormHistory}
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

// Validate checks what the types cannot express: unique names, known words, columns
// of one length. All problems are joined in one error, in the order of the document.
// A document without problems can be judged and rendered without further checks.
func (d *Document) Validate() error {
	if err := checkSchema(d.Schema); err != nil {
		return err
	}
	v := &validator{newChecklist(), map[string]bool{}, map[string]*Against{}}
	v.document(d)
	for i := range d.Cases {
		v.oneCase(i, &d.Cases[i])
		d.Cases[i].Forget()
	}
	v.orders(d)
	return errors.Join(v.problems...)
}

// checklist collects the problems of a document.
type checklist struct {
	where    string          // prefix of each problem
	seen     map[string]bool // see fresh
	key      []byte          // of fresh, to use again
	problems []error
}

func newChecklist() *checklist { return &checklist{seen: map[string]bool{}} }

func (l *checklist) check(ok bool, format string, args ...any) {
	if !ok {
		l.problems = append(l.problems, errors.New(l.where+fmt.Sprintf(format, args...)))
	}
}

// fresh reports whether these words occur together for the first time.
func (l *checklist) fresh(words ...string) bool {
	key := l.key[:0]
	for _, word := range words { // with their lengths: no two lists of words have one key
		key = binary.AppendUvarint(key, uint64(len(word)))
		key = append(key, word...)
	}
	l.key = key
	if l.seen[string(key)] {
		return false
	}
	l.seen[string(key)] = true
	return true
}

// validator checks a document and its cases.
type validator struct {
	*checklist
	suites  map[string]bool // by name
	against map[string]*Against
}

func (v *validator) document(d *Document) {
	v.check(seedShape().MatchString(d.Seed), "seed %q is not 32 hexadecimal digits", d.Seed)
	v.check(slices.Contains(exits, d.Exit), "unknown exit status %d", d.Exit)
	v.check(d.Digest == "" || digestShape().MatchString(d.Digest), "the digest %q is not one", d.Digest)
	for _, s := range d.Suites {
		v.suites[s.Name] = true
		v.check(s.Name != "", "a suite has no name")
		v.check(v.fresh("suite", s.Name), "suite %q is there twice", s.Name)
		v.check(slices.Contains(undecided, s.OnInconclusive), "suite %q: unknown on_inconclusive %q",
			s.Name, s.OnInconclusive)
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
		v.check(c.Counter == nil || slices.Contains(counts, c.Counter.Unit),
			"a calibration has a counter of unknown unit %q",
			unitOf(c.Counter))
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
	v.check((len(c.Missing) > 0) == (c.Status == LeftOut), "status %q and missing programs do not fit together",
		c.Status)
	v.check(c.Work >= 0 && c.Seconds >= 0 && c.Iterations >= 0 && c.Launches >= 0,
		"work, seconds, iterations or launches are negative")
	v.check(c.Void >= 0 && c.Retried >= 0, "void or retried are negative")
	v.share("stolen", c.Stolen)
	v.share("multiplexed", c.Multiplexed)
	v.check(slices.Contains(loops, c.Loop), "unknown loop %q", c.Loop)
	v.inputs(c)
	v.latency("latency", c.Latency)
	v.counted("counted", c.Counted)
	if c.Pairs != nil {
		v.latency("latency of the base", c.Pairs.Latency)
		v.counted("counted base", c.Pairs.Counted)
	}
	v.check(slices.Contains(samplings, c.Settings.Sampling), "unknown sampling %q", c.Settings.Sampling)
	v.check(slices.Contains(keeps, c.Settings.Keep), "unknown keep %q", c.Settings.Keep)
	v.declared(c)
	v.samples(&c.Samples)
	v.counterpart(c)
	v.earlier(c)
	v.histories(c)
	v.pairs(c)
	pegs := pegsValidator{v.checklist}
	pegs.side(c, "pegs", c.Pegs)
	pegs.side(c, "base_pegs", c.BasePegs)
	profileValidator{v.checklist}.profiling(c.Profiling)
	pegs.pairs(c)
	for i := range c.Metrics {
		v.summary("metric", c, &c.Metrics[i])
	}
	for i := range c.Gates {
		v.gate(c, &c.Gates[i])
	}
}

func (v *validator) share(name string, x *float64) {
	v.check(x == nil || *x >= 0 && *x <= 1, "%s is not between 0 and 1", name)
}

func (v *validator) declared(c *Case) {
	for _, d := range c.Declared {
		_, taken := FindMetric(d.Name)
		v.check(DeclaredName.MatchString(d.Name), "declared metric %q has no name that gates could write", d.Name)
		v.check(!taken, "declared metric %q has the name of one that every case has", d.Name)
		v.check(v.fresh("declared", c.Suite, c.Name, d.Name), "declared metric %q is there twice", d.Name)
		v.check(d.Better == Lower || d.Better == Higher, "declared metric %q: unknown better %q", d.Name, d.Better)
	}
}
