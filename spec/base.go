package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// toleranceKey is the setting that adds a gate to a case with a base.
const toleranceKey = "tolerance"

// maxTolerance allows a case to take eleven times as long as its base.
const maxTolerance = 10

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

// ofSuite adds what the top of the outermost file sets for all benchmarks. It comes after
// all defaults, which are nearer.
func (r *reader) ofSuite(pairs []yaml.Pair, layers []layer) []layer {
	t, ok := find(pairs, toleranceKey)
	if !ok {
		return layers
	}
	l := layer{toleranceKey: entry{t, FromSuite}}
	if d, ok := find(pairs, "defaults"); ok && len(layers) > 0 {
		if _, twice := layers[0][toleranceKey]; twice {
			r.FailAs(diag.Duplicate, t.Key, "at the top it is short for the one in defaults", "tolerance is given here and in defaults (line %d)", d.Key.Line)
			return layers
		}
	}
	alone := &benchReader{reader: r, b: newBenchmark(t.Value), loose: true}
	alone.key(l[toleranceKey])
	return append(layers, l)
}

// toleranceGate names the gate of a case that has both a base and a tolerance.
const toleranceGate = "tolerance"

// base reads the name of the case to be paired with. An empty name removes the base of
// defaults.
func (r *benchReader) base(e entry) {
	r.b.base, r.b.baseOrigin = nil, e.origin
	if e.Value.Kind == yaml.Scalar && strings.TrimSpace(e.Value.Value) == "" && e.Value.ShortTag() == "!!str" {
		return
	}
	r.b.base = r.template(e.Value, `"base"`)
}

// baseOf records the base of a case until all cases are known.
func (p *planner) baseOf(b *benchmark, c *Case) {
	if c.Origins[toleranceKey] != FromBuiltin {
		c.tolerance = b.at(toleranceKey, c)
	}
	if b.base == nil {
		return
	}
	text, err := b.base.Expand(p.scope)
	if p.check(err) {
		c.Base = text.Value
		c.base = text
		c.baseOrigin = b.baseOrigin
	}
}

// bases checks that every base is a case with which its candidate can be compared, and adds
// the gates of tolerances. If the plan has problems already, cases may be missing, so an
// unknown name is not reported.
func (p *planner) bases(plan *Plan) {
	whole := len(p.Found) == 0
	byName, names := make(map[string]*Case, len(plan.Cases)), []string(nil)
	for i := range plan.Cases {
		c := &plan.Cases[i]
		byName[c.Name], names = c, append(names, c.Name)
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		base := byName[c.Base]
		switch {
		case c.Base == "":
			continue
		case base == c:
			p.itsOwn(plan, c)
			continue
		case base != nil:
			p.comparable(c, base)
		case whole && !unfinished(plan):
			p.Add(c.base.Problem(0, fmt.Sprintf("unknown case %s as base of %s", diag.Quote(c.Base), diag.Quote(c.Name)), nearestCase(c.Base, names)).Coded(diag.UnknownName))
		}
		p.paired(c)
		p.tolerate(c)
		c.shareTime()
	}
	if len(p.Found) == 0 {
		p.circles(plan, byName)
	}
}

// shareTime doubles the max_time of a case with a base if nobody has set it: two sides share it.
func (c *Case) shareTime() {
	if c.Origins["max_time"] == FromBuiltin {
		c.Settings.MaxTime = 2 * Defaults().MaxTime
	}
}

// itsOwn handles a case that base: names as its own base. If the benchmark has several
// cases, the case is the base of the others and has none itself; in a benchmark with one
// case it is a mistake.
func (p *planner) itsOwn(plan *Plan, c *Case) {
	others := slices.ContainsFunc(plan.Cases, func(other Case) bool { return other.Place == c.Place && other.Name != c.Name })
	if c.baseOrigin == FromBenchmark && !others {
		p.Add(c.base.Problem(0, fmt.Sprintf("case %s is its own base", diag.Quote(c.Name)), "name the case that it is to be compared with").Coded(diag.Invalid))
	}
	c.Base = ""
}

// nearestCase hints at the full name if the name lacks its beginning, otherwise at a
// similar name.
func nearestCase(name string, names []string) string {
	for _, known := range names {
		if strings.HasSuffix(known, "/"+name) {
			return fmt.Sprintf("did you mean %q?", known)
		}
	}
	return nearest(name, names)
}

// unfinished reports whether the names of some cases are not known yet.
func unfinished(plan *Plan) bool {
	return slices.ContainsFunc(plan.Cases, func(c Case) bool {
		return c.GoTest != nil && (c.GoTest.Top || c.GoTest.Benchmark == "")
	})
}

// Cases can be compared only within a family.
func family(k result.Kind) string {
	switch k {
	case result.KindGo:
		return "a Go function"
	case result.KindGoTest:
		return "a benchmark of gotest:"
	}
	return "a command"
}

// comparable refuses a base if a ratio to it would mean nothing.
func (p *planner) comparable(c, base *Case) {
	differs := func(what, own, theirs, hint string) {
		p.Add(c.base.Problem(0, fmt.Sprintf("case %s cannot be compared with %s: %s %s and %s", diag.Quote(c.Name), diag.Quote(base.Name), what, own, theirs), hint).Coded(diag.Invalid))
	}
	declared := c.Kind == result.KindGo && !(c.UnitSet && base.UnitSet) // functions may set their units when they are prepared
	switch {
	case family(c.Kind) != family(base.Kind):
		differs("they are", family(c.Kind), family(base.Kind), "the processes of commands are compared with each other, and functions with each other")
	case c.Unit != base.Unit && !declared:
		differs("the units are", c.Unit, base.Unit, "give both the same unit, and work: the number of units in one iteration")
	case c.Timer.String() != base.Timer.String():
		differs("the timers are", c.Timer.String(), base.Timer.String(), "give both the same timer")
	case c.Settings.Batch != base.Settings.Batch:
		show := func(c *Case) string { return orWord(c.Settings.Batch == 0, "auto", c.Settings.Batch) }
		differs("batch is", show(c), show(base), "the batches of a pair are of one size: give both the same batch")
	}
}

// paired refuses ways of sampling that produce no pairs.
func (p *planner) paired(c *Case) {
	s := &c.Settings
	switch {
	case s.Sampling == once:
		p.Add(c.base.Problem(0, fmt.Sprintf("base with sampling: once in case %s: one pair proves nothing", diag.Quote(c.Name)), "leave one of them out").Coded(diag.Invalid))
	case s.Keep == summary:
		p.Add(c.base.Problem(0, fmt.Sprintf("base with samples: {keep: summary} in case %s: verdicts need the pairs themselves", diag.Quote(c.Name)), "keep the samples of this case, or leave out its base").Coded(diag.Invalid))
	}
}

// tolerate adds the gate of a tolerance that somebody gave.
func (p *planner) tolerate(c *Case) {
	if c.Origins[toleranceKey] == FromBuiltin {
		return
	}
	if problem := c.tolerate(toleranceGate, p.suite.onInconclusive); problem != nil {
		p.Add(*problem)
	}
}

// tolerate adds the gate of a tolerance. It fails if the case has another gate with the
// same id.
func (c *Case) tolerate(id, onInconclusive string) *diag.Problem {
	at := c.tolerance
	if at == (diag.Place{}) {
		at = c.Place
	}
	if c.hasGate(id) {
		return &diag.Problem{Code: diag.Duplicate, Place: at, Hint: "give the other one another name",
			Message: fmt.Sprintf("gate %s comes twice in case %s: %s is a gate of this name", diag.Quote(id), diag.Quote(c.Name), gateMaker[id])}
	}
	c.Gates = append(c.Gates, Gate{ID: id, Expr: fixed(c.toleranceText(), at), Severity: defaultSeverity, OnInconclusive: onInconclusive})
	return nil
}

func (c *Case) toleranceText() string {
	return fmt.Sprintf("not worse(time, %s)", units.Exact(c.Settings.Tolerance))
}

// gateMaker is the origin of gates that the suite file does not spell out.
var gateMaker = map[string]string{toleranceGate: "tolerance:", AgainstGate: "--against"}

// circles refuses cases that are their own bases by way of other cases.
func (p *planner) circles(plan *Plan, byName map[string]*Case) {
	done := map[*Case]bool{}
	for i := range plan.Cases {
		var path []string
		on := map[*Case]bool{}
		for c := &plan.Cases[i]; c != nil && !done[c]; c = byName[cmp.Or(c.Base, "\x00")] {
			path = append(path, diag.Quote(c.Name))
			if on[c] {
				p.Add(c.base.Problem(0, "bases form a cycle: "+strings.Join(path[slices.Index(path, diag.Quote(c.Name)):], " → "), "one of these cases must have no base").Coded(diag.Invalid))
				break
			}
			on[c] = true
		}
		for c := range on {
			done[c] = true
		}
	}
}

func (c *Case) baseText() string {
	if c.Base == "" || c.Origins[toleranceKey] != FromBuiltin {
		return c.Base
	}
	return c.Base + " (a ratio and no gate; tolerance: adds one)"
}

// Doubts finds what is allowed in a suite file but hardly meant: a limit of whole seconds
// without a unit, and the tolerance of a benchmark whose cases have no base, in a run
// that compares no trees.
func (p *Plan) Doubts() (doubts diag.Problems) {
	for i := range p.Cases {
		for _, g := range p.Cases[i].Gates {
			doubts = append(doubts, unitless(g.Expr)...)
		}
	}
	doubts = doubts.Unique()
	if p.Against != nil {
		return doubts
	}
	compares := map[diag.Place]bool{}
	var places []diag.Place
	for i := range p.Cases {
		c := &p.Cases[i]
		switch c.Origins[toleranceKey] {
		case FromBuiltin, FromSuite, FromDefaults: // for --against, which not every run has
			continue
		}
		at := c.tolerance
		if at == (diag.Place{}) {
			at = c.Place
		}
		if _, seen := compares[at]; !seen {
			places = append(places, at)
		}
		compares[at] = compares[at] || c.Base != ""
	}
	for _, at := range places {
		if !compares[at] {
			doubts = append(doubts, diag.Problem{Code: diag.NoEffect, Place: at, Message: "the tolerance has no effect: no case with it has a base", Hint: "add base: NAME, or compare with --against"})
		}
	}
	return doubts
}

// timeLimit matches a limit of a time that is a number of seconds, 1 or more, without a
// unit.
var timeLimit = lazy.Regexp(`\b(?:time|wall|cpu|thread_cpu|user|system|wait|tree_cpu|tree_wait)\.(?:median|mean|min|max|p[0-9]+|stddev|mad|low|high)\s*(?:[<>]=?|==)\s*([1-9][0-9_]*(?:\.[0-9]+)?)\s*(?:$|[)&|]|and\b|or\b)`)

// unitless warns of limits that people write in milliseconds or nanoseconds, as other
// tools print them: time.median < 200 never fails.
func unitless(expr lang.Text) (doubts diag.Problems) {
	for _, at := range timeLimit().FindAllStringSubmatchIndex(expr.Value, -1) {
		number := expr.Value[at[2]:at[3]]
		p := expr.Problem(utf8.RuneCountInString(expr.Value[:at[2]]), fmt.Sprintf("%s has no unit, so it is %s seconds", number, number), fmt.Sprintf("write %sms, %sus or %sns; or %ss, if it is meant", number, number, number, number))
		doubts = append(doubts, p.Coded(diag.NoUnit))
	}
	return doubts
}
