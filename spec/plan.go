package spec

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Plan is what a run will do: its cases in the order of the file, with everything resolved.
type Plan struct {
	Suite          string          `json:"suite"`
	Description    string          `json:"description,omitempty"`
	File           string          `json:"file"` // as it was given to Load
	Dir            string          `json:"dir"`  // absolute; relative paths of the file start here
	Hash           string          `json:"hash"`
	Partial        bool            `json:"-"`                  // other machines measure the rest of its cases
	Traced         bool            `json:"-"`                  // it is run to record what its cases look at
	Built          bool            `json:"-"`                  // its build command has run while it was prepared
	Unasked        bool            `json:"-"`                  // no function was asked what it reports, so gates may name metrics that nothing declares
	HostDir        string          `json:"-"`                  // absolute folder in which its hosts start; empty: the current folder
	Packages       *Packages       `json:"packages,omitempty"` // nil: the functions of suite itself
	Build          *Hook           `json:"build,omitempty"`
	Timer          TimerPrefs      `json:"timer"`            // of cases without a timer of their own
	Budget         Duration        `json:"budget,omitempty"` // 0: none
	BudgetPlace    diag.Place      `json:"-"`
	Errors         Errors          `json:"errors"`
	Calls          int             `json:"calls,omitempty"` // comparative calls of its gates, before any filter; package gate counts them
	OnInconclusive string          `json:"on_inconclusive"`
	Report         string          `json:"report"`
	Unaffected     Unaffected      `json:"unaffected"`
	Removed        []Removed       `json:"removed,omitempty"` // names of earlier cases that may be gone
	Sources        []result.Source `json:"-"`                 // texts of its files
	Given          []string        `json:"-"`                 // NAME=value of each variable in Sources, as it is written there
	Cases          []Case          `json:"cases"`
	Against        *result.Against `json:"against,omitempty"`  // what the cases are compared with, besides their bases
	Other          *Plan           `json:"other,omitempty"`    // the same definitions in the tree of Against; nil if no tree is compared
	Gone           []Case          `json:"-"`                  // cases of the base that are in Against.Vanished
	Sentinel       *Case           `json:"sentinel,omitempty"` // a case that is compared with itself, see PlaceSentinel; nil: none
	Builds         int             `json:"builds,omitempty"`   // builds of the sentinel's program that take part: 1
}

// TimerPrefs are subtimers in order of preference. Neither list is empty.
type TimerPrefs struct {
	Clock []string `json:"clock"`
	Cycle []string `json:"cycle"`
}

// Hook is a command that is run and not measured.
type Hook struct {
	Argv  []string   `json:"argv"`
	Place diag.Place `json:"-"`
}

// Catalogue is what there is on this machine: a plan is checked against it.
type Catalogue struct {
	Functions []string // registered Go functions
	Clocks    []string // names of clock subtimers; nil: not checked
	Cycles    []string // names of cycle subtimers; nil: not checked
	Counters  []string // names of events to count, as kernel and as metric; nil: not checked
	// Registered, if it is set, is asked for the functions in place of Functions, and only
	// if a benchmark names one.
	Registered func() []string
	// Build builds the host of a suite with packages of its own, starting from the suite's
	// folder, and returns the functions that the host registers. If it is nil, they are not
	// checked.
	Build func(dir string, p Packages) (functions []string, problems diag.Problems)
	// GoTests lists the benchmarks of packages, built as p describes. If it is nil,
	// they are not known, and a benchmark of gotest is one case.
	GoTests func(p Packages, q GoTestQuery) (found []GoBenchmark, problems diag.Problems)
	// Reports runs the function of a case once and returns the metrics that its loop reports.
	// It is asked only for cases whose gates read a metric that nothing else declares. If it
	// is nil, nobody is asked.
	Reports func(p *Plan, c *Case) ([]result.Declared, error)
	// Folder maps the absolute folder of a file to the absolute folder that its relative
	// paths start from: the same folder in another tree. If it is nil, paths start from the
	// file's own folder.
	Folder func(dir string) string
	// Read reads a suite file, but not the files that it includes. If it is nil, LoadPlan
	// reads the file itself.
	Read    func(path string) ([]byte, error)
	Offline bool                        // functions are not known and not checked
	Env     func(string) (string, bool) // environment variables, SUITE_TIMER among them; nil: there are none
}

func nearest(name string, known []string) string {
	if near, ok := diag.Nearest(name, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch n := len(known); {
	case n == 0:
		return "there are none"
	case n > 20:
		return fmt.Sprintf("known: %s and %d more", strings.Join(known[:20], ", "), n-20)
	}
	return "known: " + strings.Join(known, ", ")
}

// Plan expands the suite into cases, in the order of the file. It returns a plan or
// problems, never both or neither.
func (s *Suite) Plan(cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	plan, problems := s.plan(cat, o)
	if len(problems) > 0 {
		return nil, problems
	}
	return plan, nil
}

// plan expands as many cases as it can: problems do not stop it.
func (s *Suite) plan(cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	p := &planner{suite: s, catalogue: cat, overrides: o, names: map[string]diag.Place{}, builtin: map[result.Kind]map[string]Origin{}}
	p.Add(o.check()...)
	p.scope = lang.Scope{Env: cat.Env, Suite: s.Name, Dir: s.Dir}
	p.timers()
	plan := &Plan{Suite: s.Name, Description: s.Description, File: s.File, Dir: s.Dir, Hash: s.Hash,
		Timer: p.timer, Budget: s.budget, BudgetPlace: s.budgetPlace, Errors: s.errors, OnInconclusive: s.onInconclusive, Report: s.report, Unaffected: s.unaffected, Sources: s.sources, Given: s.given,
		Build: p.hook(s.build)}
	if len(s.packages.Patterns) > 0 {
		plan.Packages = &s.packages
	}
	p.registered, p.checked = p.functions()
	plan.Cases = make([]Case, 0, len(s.benchmarks))
	for _, b := range s.benchmarks {
		plan.Cases = p.benchmark(plan.Cases, b)
		if len(plan.Cases) > maxCases {
			p.fail(b.place, "", "the suite has more than %d cases", maxCases)
			break
		}
	}
	p.bases(plan)
	plan.Removed = s.removed
	p.earlier(plan)
	return plan, p.Found.Sort()
}

// planner expands the benchmarks of one suite.
type planner struct {
	suite     *Suite
	catalogue Catalogue
	overrides Overrides
	scope     lang.Scope
	names     map[string]diag.Place
	builtin   map[result.Kind]map[string]Origin // origins of benchmarks that set nothing
	shared    Case                              // see shareOf

	forced      *preference // of the command line or the environment
	timer       TimerPrefs  // of benchmarks without a timer
	timerOrigin Origin
	registered  []string // functions
	checked     bool     // whether names of functions must be in registered
	diag.Collector
}

func (p *planner) fail(at diag.Place, hint, format string, args ...any) {
	p.failAs(diag.Invalid, at, hint, format, args...)
}

func (p *planner) failAs(code diag.Code, at diag.Place, hint, format string, args ...any) {
	p.Add(diag.Problem{Code: code, Place: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// benchmark appends the cases of one benchmark.
func (p *planner) benchmark(cases []Case, b *benchmark) []Case {
	rows, problem := b.combinations()
	if problem != nil {
		p.Add(*problem)
		return cases
	}
	p.shareOf(b)
	names := b.varying()
	cases = slices.Grow(cases, len(rows))
	for _, row := range rows {
		if b.kind == result.KindGoTest {
			cases = p.gotests(cases, b, p.shared, row)
			continue
		}
		before := len(p.Found)
		cases = append(cases, p.shared)
		c := &cases[len(cases)-1]
		c.Params = params(names, row, b.constants)
		p.expand(b, c, row)
		if len(p.Found) == before {
			p.unique(b, c)
		}
	}
	return cases
}

// shareOf fills p.shared with what all cases of a benchmark share. The planner keeps it
// because a Case has a kilobyte: a new one for each benchmark was a quarter of all memory
// that planning allocated.
func (p *planner) shareOf(b *benchmark) {
	c := &p.shared
	*c = Case{Tags: b.tags, Kind: b.kind, Unit: b.unit, Work: defaultWork, WorkSet: b.work != nil,
		UnitSet: b.unitSet, Settings: b.settings, Origins: p.origins(b), ExitCodes: b.exitCodes, AnyExit: b.anyExit, Reject: b.reject,
		Counters: p.counters(b.counters), Callgrind: b.callgrind, NoWitness: b.noWitness, Place: b.place}
	if len(b.timer.templates()) == 0 {
		c.Timer = p.timerOf(b)
	}
	if b.kind == result.KindGo || b.kind == result.KindGoTest {
		c.ExitCodes, c.AnyExit = nil, false
	}
	p.overrides.apply(b.kind, &c.Settings, c.Origins)
}

func params(names []string, row []lang.Value, constants []Param) []Param {
	all := make([]Param, 0, len(names)+len(constants))
	for i, name := range names {
		all = append(all, Param{name, row[i]})
	}
	return append(all, constants...)
}

// expand fills in what depends on the parameters.
func (p *planner) expand(b *benchmark, c *Case, row []lang.Value) {
	p.with(c.Params)
	p.body(b, c)
	c.Name = p.name(b, c, row)
	c.Description = p.text(b.description)
	c.Cwd = b.dir
	if b.cwd.text != nil {
		c.Cwd = p.path(b.cwd)
	}
	c.Stdin = p.path(b.stdin)
	c.StdinText = p.text(b.input)
	c.Stdout = p.path(b.stdout)
	for _, v := range b.env {
		c.Env = append(c.Env, v.name+"="+p.text(v.value))
	}
	c.Setup, c.Prepare = p.hook(b.setup), p.hook(b.prepare)
	c.Conclude, c.Cleanup = p.hook(b.conclude), p.hook(b.cleanup)
	p.services(b, c)
	p.told(b, c)
	c.Expanded = b.expanded()
	if len(b.timer.templates()) > 0 {
		c.Timer = p.timerOf(b)
	}
	p.settle(b, c)
	p.work(b, c)
	p.metrics(b, c)
	p.output(b, c)
	p.pegsOf(b, c)
	p.gates(b, c)
	p.baseOf(b, c)
	p.was(b, c, row)
	p.inputs(b, c)
	p.requires(b, c)
}

// with makes ${…} refer to these parameters.
func (p *planner) with(params []Param) {
	p.scope.Params = make(map[string]lang.Value, len(params))
	for _, param := range params {
		p.scope.Params[param.Name] = param.Value
	}
}

// expanded names the parameters that change a Go case although its function does not
// read them.
func (b *benchmark) expanded() (names []string) {
	templates := append(b.timer.templates(), b.function, b.work)
	for _, s := range b.late {
		templates = append(templates, s.text)
	}
	for _, t := range templates {
		if t != nil {
			names = append(names, t.Uses()...)
		}
	}
	return names
}

// settle reads the settings that depend on parameters. Flags win over them as well.
func (p *planner) settle(b *benchmark, c *Case) {
	for _, s := range b.late {
		text, err := s.text.Expand(p.scope)
		if !p.check(err) || c.Origins[s.key] == FromFlag {
			continue
		}
		if err := s.set(&c.Settings, text.Value); err != nil {
			p.fail(s.text.Text.Place, "", "%s: %s in case %s", s.key, diag.Clip(err.Error()), diag.Quote(c.Name))
		}
	}
	follow(&c.Settings, c.Origins)
	if c.Settings.SamplesMin > c.Settings.SamplesMax && !slices.Contains(b.wrong, "samples") {
		p.fail(b.place, "", "samples: min %d is more than max %d in case %s", c.Settings.SamplesMin, c.Settings.SamplesMax, diag.Quote(c.Name))
	}
	if c.Settings.onlyWarmsUp() && !slices.Contains(b.wrong, "warmup") {
		at := b.place
		if c.Origins["warmup"] == FromFlag {
			at = commandLine
		}
		p.fail(at, hintWarmup, "warmup %s leaves no time for samples within max_time %s in case %s", c.Settings.Warmup, c.Settings.MaxTime, diag.Quote(c.Name))
	}
	p.together(b, c)
}

func (p *planner) body(b *benchmark, c *Case) {
	switch b.kind {
	case result.KindGo:
		c.Function = p.text(b.function)
		if p.checked && c.Function != "" && !slices.Contains(p.registered, c.Function) {
			p.failAs(diag.UnknownName, b.function.Text.Place, nearest(c.Function, p.registered), "no Go function %s is registered", diag.Quote(c.Function))
		}
	case result.KindCommand:
		c.Argv = p.words(b.argv)
	case result.KindShell:
		c.Shell = p.text(b.shell)
	}
}

// text expands a template. It returns "" for nil.
func (p *planner) text(t *lang.Template) string {
	if t == nil {
		return ""
	}
	text, err := t.Expand(p.scope)
	if p.check(err) && strings.ContainsRune(text.Value, 0) {
		p.fail(t.Text.Place, "", "text with a NUL character, %s", diag.Quote(text.Value))
	}
	return text.Value
}

func (p *planner) check(err error) bool {
	if err != nil {
		p.AddError(err)
	}
	return err == nil
}

func (p *planner) words(templates []*lang.Template) (words []string) {
	before := len(p.Found)
	for _, t := range templates {
		words = append(words, p.text(t))
	}
	if len(p.Found) == before && len(words) > 0 && words[0] == "" && templates[0] != nil && !templates[0].Literal() {
		p.fail(templates[0].Text.Place, "", "the command names no program once ${…} is expanded")
	}
	return words
}

func (p *planner) hook(h *hook) *Hook {
	if h == nil {
		return nil
	}
	return &Hook{Argv: p.words(h.argv), Place: h.place}
}

func (p *planner) path(f path) string {
	text := p.text(f.text)
	if text == "" || filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(f.dir, text)
}

func (p *planner) work(b *benchmark, c *Case) {
	if b.work == nil {
		return
	}
	x, err := b.work.Number(p.scope)
	if why, hint := wrongWork(x); p.check(err) && why != "" && !b.work.Literal() { // a literal was checked when it was read
		p.fail(b.work.Text.Place, hint, "%s", why)
	}
	c.Work = x
}

// ParamVariable names the environment variable through which hooks get a parameter:
// SUITE_PARAM_SIZE for size.
func ParamVariable(name string) string {
	letter := func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}
	return "SUITE_PARAM_" + strings.Map(letter, strings.ToUpper(name))
}

// told refuses parameters that would be the same variable in the environment of hooks.
func (p *planner) told(b *benchmark, c *Case) {
	if c.Setup == nil && c.Prepare == nil && c.Conclude == nil && c.Cleanup == nil {
		return
	}
	first := map[string]string{}
	for _, param := range c.Params {
		variable := ParamVariable(param.Name)
		if strings.ContainsRune(param.Value.Text, 0) {
			p.fail(b.place, "", "parameter %s has a NUL character, and hooks could not be told", diag.Quote(param.Name))
		}
		if other, twice := first[variable]; twice {
			p.fail(b.place, "give one of them another name", "parameters %s and %s are both %s in the environment of hooks", diag.Quote(other), diag.Quote(param.Name), variable)
		}
		first[variable] = param.Name
	}
}

// Names lists the names of the cases, in their order.
func (p *Plan) Names() []string {
	names := make([]string, len(p.Cases))
	for i := range p.Cases {
		names[i] = p.Cases[i].Name
	}
	return names
}
