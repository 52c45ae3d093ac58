package spec

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/paths"
	"example.com/suite/result"
	"github.com/bmatcuk/doublestar/v4"
)

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

// output fills in which runs must print the same.
func (p *planner) output(b *benchmark, c *Case) {
	c.SameOutput = b.sameOutput
	c.OutputName = p.text(b.outputName)
	if b.outputName != nil && strings.TrimSpace(c.OutputName) == "" {
		p.fail(b.outputName.Text.Place, "", "same_output is empty in case %s", diag.Quote(c.Name))
	}
}

// inputs fills in the patterns of a case, absolute and with slashes.
func (p *planner) inputs(b *benchmark, c *Case) {
	for _, one := range b.inputs {
		text, err := one.text.Expand(p.scope)
		switch pattern := filepath.ToSlash(text.Value); {
		case !p.check(err):
		case strings.TrimSpace(pattern) == "":
			p.fail(one.text.Text.Place, "inputs: [src/**, data/*.json], relative to the suite file", "a pattern of inputs is empty in case %s", diag.Quote(c.Name))
		case !doublestar.ValidatePattern(pattern):
			p.fail(one.text.Text.Place, "* is any text in a name, ** any folders, {a,b} one of several, [ab] one letter", "%s is not a pattern", diag.Quote(text.Value))
		case filepath.IsAbs(text.Value):
			c.Inputs = append(c.Inputs, pattern)
		default:
			c.Inputs = append(c.Inputs, literal.Replace(filepath.ToSlash(paths.Resolved(one.dir)))+"/"+strings.TrimPrefix(pattern, "./"))
		}
	}
}

// literal escapes a folder so that it matches only itself in a pattern.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`)

// requires expands the names of the programs that a case needs, each once.
func (p *planner) requires(b *benchmark, c *Case) {
	known := map[string]bool{}
	for _, t := range b.requires {
		before := len(p.Found)
		name := p.text(t)
		if t == nil || len(p.Found) > before || known[name] {
			continue
		}
		known[name] = true
		p.programName(t, name)
		c.Requires = append(c.Requires, name)
	}
}

// programName refuses what cannot be found in the PATH.
func (p *planner) programName(t *lang.Template, name string) {
	const hint = "requires: [python3, curl]"
	switch {
	case strings.TrimSpace(name) == "":
		p.fail(t.Text.Place, hint, `"requires" names no program`)
	case strings.ContainsAny(name, `/\`):
		p.fail(t.Text.Place, "a case whose own program is missing could not be measured, which is an error; requires: is for programs of the machine",
			`"requires" has names of programs and no paths, not %s`, diag.Quote(name))
	case strings.ContainsAny(name, " \t\n"):
		p.fail(t.Text.Place, hint, `"requires" has names of programs without arguments, not %s`, diag.Quote(name))
	}
}

// pegsOf fills in which points are measured.
func (p *planner) pegsOf(b *benchmark, c *Case) {
	seen := map[string]bool{}
	c.Pegs, c.PegPoints = b.pegs, nil
	for _, t := range b.points {
		name := p.text(t)
		switch why := notPoint(name); {
		case why != "" && !t.Literal():
			p.fail(t.Text.Place, "pegs: true measures all points", "point %s %s in case %s", diag.Quote(name), why, diag.Quote(c.Name))
		case seen[name]:
			p.failAs(diag.Duplicate, t.Text.Place, "", "point %s comes twice in case %s", diag.Quote(name), diag.Quote(c.Name))
		}
		seen[name] = true
		c.PegPoints = append(c.PegPoints, name)
	}
}

func (p *planner) gates(b *benchmark, c *Case) {
	seen := map[string]bool{}
	for _, g := range b.gates {
		if g.expr == nil {
			continue // its problem has been reported
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
			p.failAs(diag.Duplicate, expr.Place, "give one of them another name", "gate %s comes twice in case %s", diag.Quote(gate.ID), diag.Quote(c.Name))
		}
		if c.Settings.Keep == summary {
			p.recomputable(expr)
		}
		seen[gate.ID] = true
		c.Gates = append(c.Gates, gate)
	}
}

// recomputable refuses gates that need pairs in a case that keeps only a summary of them:
// nobody could check their verdicts later.
func (p *planner) recomputable(expr lang.Text) {
	for _, name := range lang.Identifiers(expr) {
		if lang.FindWord(name.Name).OfBase {
			p.Add(expr.Problem(name.At, fmt.Sprintf("%q with samples: {keep: summary}: its verdict could not be recomputed", name.Name),
				"keep the samples of this case"))
		}
	}
}
