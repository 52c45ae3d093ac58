package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
)

// Outcome answers "may I merge?": the exit status and the parts of the last line of
// every report.
type Outcome struct {
	Exit int
	// PASS, ACCEPTED, FAIL, INCONCLUSIVE, REFUSED, UNFIT, NOT JUDGED, NO GATES, EMPTY, ERROR or INTERRUPTED
	Word string
	Text string // "1 of 8 gates failed"
	// the gates or cases that Text counts, in document order, findings worst first: "sha256/1KiB: time.median < 2ms"
	Culprits []string
	// CauseFirst is set if gates failed: the culprits are then findings, such as
	// "sort/1e6 +30% (5% allowed)", and are written before the text.
	CauseFirst bool
	// Undecided counts the gates that could not be decided, if others could: of the gates
	// that compare if there are such, else of all: "3 of 13 undecided".
	Undecided string
}

// Head is the beginning of the line: "PASS", or "PASS, 3 of 13 undecided".
func (o Outcome) Head() string {
	if o.Undecided == "" {
		return o.Word
	}
	return o.Word + ", " + o.Undecided
}

// String is the whole line, with all culprits.
func (o Outcome) String() string { return o.Head() + ": " + o.With(o.Culprits) }

// With returns the line without its head, with only the first culprits, which may be
// shortened or escaped. The others are counted.
func (o Outcome) With(first []string) string {
	if len(first) == 0 {
		return o.Text
	}
	list := strings.Join(first, "; ")
	if rest := len(o.Culprits) - len(first); rest > 0 {
		list += fmt.Sprintf("; and %d more", rest)
	}
	if o.CauseFirst {
		return list + "; " + o.Text
	}
	return o.Text + " (" + list + ")"
}

// The exit statuses that a document can have. ExitFail means that suite could not do all of
// its work.
const (
	exitOK         = 0
	exitWorse      = 1
	ExitFail       = 3
	exitUnfit      = 4
	exitHangUp     = 129
	exitInterrupt  = 130
	exitTerminated = 143
)

// Outcome judges the document as a whole. An interrupted run has the status of its
// signal, because it did not measure everything. Otherwise status 3 has precedence
// over 1, and 1 over 4. Gates of severity warn and accepted failures never fail the
// run. If gates compare a metric and none of them was decided, the status is 4, unless all
// of them have on_inconclusive: list. A strict run that refuses something other than a gate has
// status 4 too: no gate has failed, so nothing may be called slower.
func (d *Document) Outcome() Outcome {
	t := d.tally()
	o := d.outcome(t)
	o.Text += d.shard() + d.relaxed()
	switch {
	case o.Exit == ExitFail || d.Interrupted != "":
	case len(t.unsettled) > 0 && t.settled > 0:
		o.Undecided = fmt.Sprintf("%d of %d undecided", len(t.unsettled), t.settled+len(t.unsettled))
	case len(t.open) > 0 && (o.Word == "PASS" || o.Word == "FAIL"):
		o.Undecided = fmt.Sprintf("%d of %d undecided", len(t.open)+len(t.refused), t.judged-t.skipped)
	}
	return o
}

func (d *Document) outcome(t *tally) Outcome {
	switch {
	case d.Interrupted != "":
		text := fmt.Sprintf("%s after %s, %s", d.Interrupted, t.progress(), t.gates())
		return Outcome{Exit: InterruptStatus(d.Interrupted), Word: "INTERRUPTED", Text: text}
	case t.cases == 0 && len(t.vanished) == 0 && d.isEmpty():
		text := fmt.Sprintf("no case is left for shard %d of %d: there are fewer groups of cases than shards",
			d.Division.Index, d.Division.Count)
		return Outcome{Exit: exitOK, Word: "EMPTY", Text: text}
	case t.cases == 0 && len(t.vanished) == 0:
		return unmeasured("nothing was measured", nil)
	case len(t.broken) > 0 || len(t.vanished) > 0:
		return unmeasured(t.brokenText()+t.alsoUnjudged()+t.alsoFailed()+d.uncompared(),
			slices.Concat(t.broken, t.vanished))
	case len(t.lacking) == t.cases:
		return unmeasured("nothing was measured: this machine lacks a program for each case", t.lacking)
	case len(t.errors) > 0:
		return unmeasured(fmt.Sprintf("%d of %s could not be evaluated%s",
			len(t.errors), units.Plural(t.judged, "gate"), t.alsoFailed()+d.uncompared()), t.errors)
	case len(t.failed) > 0:
		text := fmt.Sprintf("%d of %s failed%s",
			len(t.failed), units.Plural(t.judged, "gate"), t.alsoAccepted()+d.uncompared())
		return Outcome{Exit: exitWorse, Word: "FAIL", Text: text, Culprits: t.worstFirst(), CauseFirst: true}
	case len(t.uncounted) > 0:
		return inconclusive(fmt.Sprintf("the instructions of %d of %s could not be counted; %s",
			len(t.uncounted), units.Plural(t.cases, "case"), t.gates()), t.uncounted)
	case len(t.unfit) > 0:
		return unfit(d.unfitText(len(t.unfit))+"; "+t.gates(), t.unfit)
	case len(t.refused) > 0:
		also := t.alsoAccepted() + t.alsoByMetric() + d.uncompared()
		return inconclusive(fmt.Sprintf("%d of %s could not be decided%s",
			len(t.refused), units.Plural(t.judged, "gate"), also), t.refused)
	}
	if open := t.openMetrics(); len(open) > 0 {
		return inconclusive(fmt.Sprintf("%s; %s measured, %s%s", cmp.Or(t.byMetric(), t.noneSettled()),
			units.Plural(t.cases, "case"), t.gates(), d.against()), open)
	}
	if o, refused := d.strictly(t); refused {
		return o
	}
	text := fmt.Sprintf("%s, %s%s%s", t.measuredText(), t.gates(), t.alsoByMetric(), d.against())
	return Outcome{Exit: exitOK, Word: t.word(), Text: text, Culprits: slices.Concat(t.open, t.accepted)}
}

// unmeasured is the outcome of a run in which a case, or a gate, has no answer.
func unmeasured(text string, culprits []string) Outcome {
	return Outcome{Exit: ExitFail, Word: "ERROR", Text: text, Culprits: culprits}
}

// unfit is the outcome on a machine that cannot judge.
func unfit(text string, culprits []string) Outcome {
	return Outcome{Exit: exitUnfit, Word: "UNFIT", Text: text, Culprits: culprits}
}

// inconclusive is the outcome if what was to be decided is not.
func inconclusive(text string, culprits []string) Outcome {
	return Outcome{Exit: exitUnfit, Word: "INCONCLUSIVE", Text: text, Culprits: culprits}
}

// InterruptStatus is the exit status of a program that a signal has ended: 128 plus
// the number of the signal, as in a shell. An unknown signal counts as an interrupt,
// 130.
func InterruptStatus(signal string) int {
	switch strings.ToLower(signal) {
	case "sigterm", "terminated":
		return exitTerminated
	case "sighup", "hangup":
		return exitHangUp
	}
	return exitInterrupt
}

// tally counts everything that an outcome depends on; each list names cases or gates.
type tally struct {
	cases, measured        int
	unaffected             int      // cases that were not measured, because nothing that they depend on has changed
	lacking                []string // cases that were not measured, because this machine lacks a program
	judged, passed         int      // all gates, and the gates that passed
	warned, skipped        int
	broken, errors, failed []string
	findings               []finding // for each of failed
	byInstructions         int       // gates on the time that instructions decided
	unjudged               int       // gates in error of cases that were measured
	vanished               []string  // cases that only the other tree has; not in cases
	refused                []string  // inconclusive, with on_inconclusive: fail
	open                   []string  // inconclusive, and only listed
	unfit                  []string  // why the machine cannot judge, by suite
	uncounted              []string  // cases that are judged by instructions, which valgrind could not count
	accepted               []string  // failed, and the failure is accepted
	until                  []string  // for each of accepted, its last day
	settled                int       // gates that compare, may fail the run and were decided
	unsettled              []unsettled
	metrics                []*settling // of the gates that compare, by name
}

func (d *Document) tally() *tally {
	t := &tally{unfit: d.Unfit()}
	for i := range d.Cases {
		c := &d.Cases[i]
		if c.IsVanished() {
			t.vanished = append(t.vanished, d.Label(c))
			continue
		}
		t.cases++
		switch c.Status {
		case Measured:
			t.measured++
		case Unaffected:
			t.unaffected++
		case LeftOut:
			t.lacking = append(t.lacking, d.Label(c)+": "+c.MissingText())
		case Failed:
			if c.Failure != nil && c.Failure.Cause == FailedUncounted {
				t.uncounted = append(t.uncounted, d.Label(c))
				break
			}
			t.broken = append(t.broken, d.Label(c))
		default:
			t.broken = append(t.broken, d.Label(c))
		}
		for _, g := range c.Gates {
			t.settle(c, d.Label(c)+": "+g.ID, &g)
			t.addGate(d.Label(c), g)
			if g.DecidedBy == Instructions {
				t.byInstructions++
			}
			if c.Status == Measured && g.Verdict == Error && g.Severity != "warn" {
				t.unjudged++
			}
		}
	}
	return t
}

// finding is a case with what a gate has found of it.
type finding struct {
	text   string
	ofTime bool
	beyond float64 // its limit
}

// worstFirst lists the findings: times before counters, which are never a little off, and of
// each those first that are farthest beyond their limits. Two gates of a case that have found
// the same are one finding.
func (t *tally) worstFirst() (texts []string) {
	sorted := slices.Clone(t.findings)
	slices.SortStableFunc(sorted, func(a, b finding) int {
		if a.ofTime != b.ofTime {
			return map[bool]int{true: -1, false: 1}[a.ofTime]
		}
		return cmp.Compare(b.beyond, a.beyond)
	})
	listed := map[string]bool{}
	for _, f := range sorted {
		if !listed[f.text] {
			texts = append(texts, f.text)
		}
		listed[f.text] = true
	}
	return texts
}

func (t *tally) addGate(label string, g Gate) {
	name := label + ": " + g.ID
	t.judged++
	switch {
	case g.Verdict == Pass:
		t.passed++
	case g.Verdict == NotJudged:
		t.skipped++
	case g.Severity == "warn":
		t.warned++
	case g.IsAccepted():
		t.accepted, t.until = append(t.accepted, name), append(t.until, g.Accepted.Until)
	case g.Verdict == Fail:
		t.failed = append(t.failed, name)
		if g.Finding != nil {
			name = label + " " + g.Finding.String()
		}
		t.findings = append(t.findings,
			finding{name, g.Finding != nil && strings.HasPrefix(g.Finding.Text, "time"), g.Finding.beyond()})
	case g.Verdict == Inconclusive && g.OnInconclusive == "fail":
		t.refused = append(t.refused, name)
	case g.Verdict == Inconclusive:
		t.open = append(t.open, name)
	default:
		t.errors = append(t.errors, name)
	}
}

// word is the first word of a run that did not fail. It is PASS only if a gate passed
// or warned.
func (t *tally) word() string {
	switch {
	case t.judged == 0:
		return "NO GATES"
	case t.passed > 0 || t.warned > 0:
		return "PASS"
	case len(t.open) > 0:
		return "INCONCLUSIVE"
	case len(t.accepted) > 0:
		return "ACCEPTED"
	}
	return "NOT JUDGED"
}

// gates counts all gates: "7 of 8 gates passed, 1 inconclusive".
func (t *tally) gates() string {
	if t.judged == 0 {
		return "nothing to pass or fail"
	}
	parts := []string{fmt.Sprintf("%d of %s passed", t.passed, units.Plural(t.judged, "gate"))}
	if t.passed == t.judged {
		parts[0] = units.Plural(t.judged, "gate") + " passed"
	}
	for _, p := range []struct {
		n    int
		word string
	}{
		{len(t.failed), "failed"}, {len(t.errors), "in error"}, {len(t.refused) + len(t.open), "inconclusive"},
		{t.warned, "warned"}, {t.skipped, "skipped"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if t.byInstructions > 0 {
		parts = append(parts, fmt.Sprintf("%d of them by instructions", t.byInstructions))
	}
	if len(t.accepted) > 0 {
		parts = append(parts, t.acceptedText())
	}
	return strings.Join(parts, ", ")
}

// measuredText counts the cases of a run without errors: "15 cases measured", or "12
// unaffected, 3 measured", and those that were skipped.
func (t *tally) measuredText() string {
	text := units.Plural(t.measured, "case") + " measured"
	if t.unaffected > 0 {
		text = fmt.Sprintf("%d unaffected, %d measured", t.unaffected, t.measured)
	}
	if n := len(t.lacking); n > 0 {
		text += fmt.Sprintf(" and %d skipped", n)
	}
	return text
}

func (t *tally) progress() string {
	return fmt.Sprintf("%d of %s", t.measured, units.Plural(t.cases, "case"))
}

// brokenText counts the cases that could not be measured, and those that vanished.
func (t *tally) brokenText() string {
	var parts []string
	if n := len(t.broken); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s could not be measured", n, units.Plural(t.cases, "case")))
	}
	switch n := len(t.vanished); {
	case n == 1:
		parts = append(parts, "1 case has vanished from the suite")
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d cases have vanished from the suite", n))
	}
	return strings.Join(parts, ", and ")
}

// alsoFailed counts failed gates for a run whose status is an error, so that the error
// does not hide them.
func (t *tally) alsoFailed() string {
	if len(t.failed) == 0 {
		return t.alsoAccepted()
	}
	return fmt.Sprintf(", and %s failed", units.Plural(len(t.failed), "gate")) + t.alsoAccepted()
}

// alsoUnjudged counts the gates in error of measured cases. The line names the broken
// cases, which do not explain these errors.
func (t *tally) alsoUnjudged() string {
	if t.unjudged == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s in error", units.Plural(t.unjudged, "gate"))
}

// unfitText counts the sentinels that found their machine unfit, if there are several.
func (d *Document) unfitText(unfit int) string {
	if d.Division == nil || len(d.Division.Machines) < 2 {
		return "this machine finds a difference where there is none"
	}
	return fmt.Sprintf("%s of %s found a difference where there is none",
		units.Plural(unfit, "sentinel"), units.Plural(len(d.Division.Machines), "machine"))
}

// shard adds to the line of an outcome that it is only of a shard.
func (d *Document) shard() string {
	if !d.IsShard() || d.isEmpty() {
		return ""
	}
	return fmt.Sprintf("; shard %d of %d", d.Division.Index, d.Division.Count)
}

// isEmpty reports whether a document is a shard for which no case was left.
func (d *Document) isEmpty() bool {
	return d.IsShard() &&
		!slices.ContainsFunc(d.Division.Cases, func(p Portion) bool { return p.Shard == d.Division.Index })
}
