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

// Plan expands the suite into cases, in the order of the file. There is a plan
// or there are problems, never both or neither.
func (s *Suite) Plan(cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	plan, problems := s.plan(cat, o)
	if len(problems) > 0 {
		return nil, problems
	}
	return plan, nil
}

// plan gives the cases as far as they could be expanded, and the problems.
func (s *Suite) plan(cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	p := &planner{suite: s, catalogue: cat, overrides: o, names: map[string]diag.Place{}, builtin: map[result.Kind]map[string]Origin{}}
	p.Add(o.check()...)
	p.scope = lang.Scope{Env: cat.Env, Suite: s.Name, Dir: s.Dir}
	p.timers()
	plan := &Plan{Suite: s.Name, Description: s.Description, File: s.File, Dir: s.Dir, Hash: s.Hash,
		Timer: p.timer, Budget: s.budget, BudgetPlace: s.budgetPlace, Errors: s.errors, OnInconclusive: s.onInconclusive, Report: s.report, Sources: s.sources, Given: s.given,
		Build: p.hook(s.build)}
	if len(s.packages.Patterns) > 0 {
		plan.Packages = &s.packages
	}
	p.registered, p.checked = p.functions()
	plan.Cases = make([]Case, 0, len(s.benchmarks))
	for _, b := range s.benchmarks {
		if plan.Cases = p.benchmark(plan.Cases, b); len(plan.Cases) > maxCases {
			p.fail(b.place, "", "the suite has more than %d cases", maxCases)
			break
		}
	}
	p.bases(plan)
	plan.Removed = s.removed
	p.earlier(plan)
	return plan, p.Found.Sort()
}

// planner holds what is common to all cases of a plan.
type planner struct {
	suite     *Suite
	catalogue Catalogue
	overrides Overrides
	scope     lang.Scope
	names     map[string]diag.Place
	builtin   map[result.Kind]map[string]Origin // of benchmarks that set nothing
	shared    Case                              // see shareOf

	forced      *preference // of the command line or the environment
	timer       TimerPrefs  // of benchmarks that say nothing
	timerOrigin Origin
	registered  []string // functions
	checked     bool     // names of functions are compared with them
	diag.Collector
}

func (p *planner) fail(at diag.Place, hint, format string, args ...any) {
	p.Add(diag.Problem{Place: at, Message: fmt.Sprintf(format, args...), Hint: hint})
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

// shareOf finds out what all cases of a benchmark share. It stays in the planner: a case
// has a kilobyte, and one for each benchmark would be a quarter of all that is allocated.
func (p *planner) shareOf(b *benchmark) {
	c := &p.shared
	*c = Case{Tags: b.tags, Kind: b.kind, Unit: b.unit, Work: DefaultWork, WorkSet: b.work != nil,
		UnitSet: b.unitSet, Settings: b.settings, Origins: p.origins(b), ExitCodes: b.exitCodes, Reject: b.reject,
		Counters: p.counters(b.counters), Place: b.place}
	if len(b.timer.templates()) == 0 {
		c.Timer = p.timerOf(b)
	}
	if b.kind == result.KindGo || b.kind == result.KindGoTest {
		c.ExitCodes = nil
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
	c.Stdin, c.StdinText, c.Stdout = p.path(b.stdin), p.text(b.input), p.path(b.stdout)
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
}

// with makes ${…} speak of these parameters.
func (p *planner) with(params []Param) {
	p.scope.Params = make(map[string]lang.Value, len(params))
	for _, param := range params {
		p.scope.Params[param.Name] = param.Value
	}
}

// expanded lists the parameters that change what a Go case is without being
// read by its function.
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

// settle reads the settings that depend on the parameters. A flag wins here too.
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
	p.together(b, c)
}

func (p *planner) body(b *benchmark, c *Case) {
	switch b.kind {
	case result.KindGo:
		c.Function = p.text(b.function)
		if p.checked && c.Function != "" && !slices.Contains(p.registered, c.Function) {
			p.fail(b.function.Text.Place, nearest(c.Function, p.registered), "no Go function %s is registered", diag.Quote(c.Function))
		}
	case result.KindCommand:
		c.Argv = p.words(b.argv)
	case result.KindShell:
		c.Shell = p.text(b.shell)
	}
}

// text expands a template; nil gives nothing.
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
	if why, hint := wrongWork(x); p.check(err) && why != "" && !b.work.Literal() { // else it has been said
		p.fail(b.work.Text.Place, hint, "%s", why)
	}
	c.Work = x
}

func (p *planner) gates(b *benchmark, c *Case) {
	seen := map[string]bool{}
	for _, g := range b.gates {
		if g.expr == nil {
			continue // its problem has been said
		}
		expr, err := g.expr.Expand(p.scope)
		if !p.check(err) {
			continue
		}
		gate := Gate{ID: p.text(g.name), Expr: expr, Severity: g.severity, OnInconclusive: g.onInconclusive}
		if gate.ID == "" {
			gate.ID = oneLine(expr.Value)
		}
		if gate.OnInconclusive == "" {
			gate.OnInconclusive = p.suite.onInconclusive
		}
		if seen[gate.ID] {
			p.fail(expr.Place, "give one of them another name", "gate %s comes twice in case %s", diag.Quote(gate.ID), diag.Quote(c.Name))
		}
		if c.Settings.Keep == summary {
			p.recomputable(expr)
		}
		seen[gate.ID] = true
		c.Gates = append(c.Gates, gate)
	}
}
