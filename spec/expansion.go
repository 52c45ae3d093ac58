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

// expansion fills in a case from its benchmark, for one row of parameters.
type expansion struct {
	*expander
	planner *planner
	b       *benchmark
	c       *Case
	row     []lang.Value
}

// expand fills in what depends on the parameters.
func (p *planner) expand(b *benchmark, c *Case, row []lang.Value) {
	p.with(c.Params)
	x := &expansion{p.expander, p, b, c, row}
	x.all()
}

func (x *expansion) all() {
	b, c := x.b, x.c
	x.body()
	c.Name = x.name()
	c.Description = x.text(b.description)
	c.Cwd = b.dir
	if b.cwd.text != nil {
		c.Cwd = x.path(b.cwd)
	}
	c.Stdin = x.path(b.stdin)
	c.StdinText = x.text(b.input)
	c.Stdout = x.path(b.stdout)
	c.Env = append(c.Env, x.variables(b.env)...)
	c.Setup, c.Prepare = x.hook(b.setup), x.hook(b.prepare)
	c.Conclude, c.Cleanup = x.hook(b.conclude), x.hook(b.cleanup)
	x.services()
	x.hookVariables()
	c.Expanded = b.expanded()
	if len(b.timer.templates()) > 0 {
		c.Timer = x.planner.timers.of(b)
	}
	x.settle()
	x.work()
	x.metrics()
	x.output()
	x.pegs()
	x.gates()
	x.base()
	x.was()
	x.inputs()
	x.requires()
}

func (x *expansion) work() {
	b, c := x.b, x.c
	if b.work == nil {
		return
	}
	work, err := b.work.Number(x.scope)
	// a literal was checked when it was read
	if why, hint := wrongWork(work); x.Check(err) && why != "" && !b.work.Literal() {
		x.fail(b.work.Text.Place, hint, "%s", why)
	}
	c.Work = work
}

// hookVariables refuses parameters that would be the same variable in the environment of hooks.
func (x *expansion) hookVariables() {
	b, c := x.b, x.c
	if c.Setup == nil && c.Prepare == nil && c.Conclude == nil && c.Cleanup == nil {
		return
	}
	first := map[string]string{}
	for _, param := range c.Params {
		variable := ParamVariable(param.Name)
		if strings.ContainsRune(param.Value.Text, 0) {
			x.fail(b.place, "", "parameter %s has a NUL character, and hooks could not be told", diag.Quote(param.Name))
		}
		if other, twice := first[variable]; twice {
			x.fail(b.place, "give one of them another name",
				"parameters %s and %s are both %s in the environment of hooks", diag.Quote(other),
				diag.Quote(param.Name), variable)
		}
		first[variable] = param.Name
	}
}

func (x *expansion) body() {
	b, c := x.b, x.c
	switch b.kind {
	case result.KindGo:
		c.Function = x.text(b.function)
		if x.planner.checked && c.Function != "" && !slices.Contains(x.planner.registered, c.Function) {
			x.failAs(diag.UnknownName, b.function.Text.Place, nearest(c.Function, x.planner.registered),
				"no Go function %s is registered", diag.Quote(c.Function))
		}
	case result.KindCommand:
		c.Argv = x.words(b.argv)
	case result.KindShell:
		c.Shell = x.text(b.shell)
	}
}

// output fills in which runs must print the same.
func (x *expansion) output() {
	b, c := x.b, x.c
	c.SameOutput = b.sameOutput
	c.OutputName = x.text(b.outputName)
	if b.outputName != nil && strings.TrimSpace(c.OutputName) == "" {
		x.fail(b.outputName.Text.Place, "", "same_output is empty in case %s", diag.Quote(c.Name))
	}
}

// inputs fills in the patterns of a case, absolute and with slashes.
func (x *expansion) inputs() {
	b, c := x.b, x.c
	for _, one := range b.inputs {
		text, err := one.text.Expand(x.scope)
		switch pattern := filepath.ToSlash(text.Value); {
		case !x.Check(err):
		case strings.TrimSpace(pattern) == "":
			x.fail(one.text.Text.Place, "inputs: [src/**, data/*.json], relative to the suite file",
				"a pattern of inputs is empty in case %s", diag.Quote(c.Name))
		case !doublestar.ValidatePattern(pattern):
			x.fail(one.text.Text.Place,
				"* is any text in a name, ** any folders, {a,b} one of several, [ab] one letter",
				"%s is not a pattern", diag.Quote(text.Value))
		case filepath.IsAbs(text.Value):
			c.Inputs = append(c.Inputs, pattern)
		default:
			c.Inputs = append(c.Inputs,
				literal.Replace(filepath.ToSlash(paths.Resolved(one.dir)))+"/"+strings.TrimPrefix(pattern, "./"))
		}
	}
}

// literal escapes a folder so that it matches only itself in a pattern.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`)

// requires expands the names of the programs that a case needs, each once.
func (x *expansion) requires() {
	b, c := x.b, x.c
	known := map[string]bool{}
	for _, t := range b.requires {
		before := len(x.Found)
		name := x.text(t)
		if t == nil || len(x.Found) > before || known[name] {
			continue
		}
		known[name] = true
		x.programName(t, name)
		c.Requires = append(c.Requires, name)
	}
}

// programName refuses what cannot be found in the PATH.
func (x *expansion) programName(t *lang.Template, name string) {
	const hint = "requires: [python3, curl]"
	switch {
	case strings.TrimSpace(name) == "":
		x.fail(t.Text.Place, hint, `"requires" names no program`)
	case strings.ContainsAny(name, `/\`):
		x.fail(t.Text.Place,
			"a case whose own program is missing could not be measured, which is an error; requires: is for "+
				"programs of the machine",
			`"requires" has names of programs and no paths, not %s`, diag.Quote(name))
	case strings.ContainsAny(name, " \t\n"):
		x.fail(t.Text.Place, hint, `"requires" has names of programs without arguments, not %s`, diag.Quote(name))
	}
}

// pegs fills in which points are measured.
func (x *expansion) pegs() {
	b, c := x.b, x.c
	seen := map[string]bool{}
	c.Pegs, c.PegPoints = b.pegs, nil
	for _, t := range b.points {
		name := x.text(t)
		switch why := notPoint(name); {
		case why != "" && !t.Literal():
			x.fail(t.Text.Place, "pegs: true measures all points",
				"point %s %s in case %s", diag.Quote(name), why, diag.Quote(c.Name))
		case seen[name]:
			x.failAs(diag.Duplicate, t.Text.Place, "", "point %s comes twice in case %s",
				diag.Quote(name), diag.Quote(c.Name))
		}
		seen[name] = true
		c.PegPoints = append(c.PegPoints, name)
	}
}

func (x *expansion) gates() {
	b, c := x.b, x.c
	seen := map[string]bool{}
	for _, g := range b.gates {
		if g.expr == nil {
			continue // its problem has been reported
		}
		expr, err := g.expr.Expand(x.scope)
		if !x.Check(err) {
			continue
		}
		gate := Gate{ID: x.text(g.name), Expr: expr, Severity: g.severity, OnInconclusive: g.onInconclusive}
		if gate.ID == "" {
			gate.ID = oneLine(expr.Value)
		}
		if gate.OnInconclusive == "" {
			gate.OnInconclusive = x.planner.suite.onInconclusive
		}
		if seen[gate.ID] {
			x.failAs(diag.Duplicate, expr.Place, "give one of them another name",
				"gate %s comes twice in case %s", diag.Quote(gate.ID), diag.Quote(c.Name))
		}
		if c.Settings.Keep == summary {
			x.recomputable(expr)
		}
		seen[gate.ID] = true
		c.Gates = append(c.Gates, gate)
	}
}

// recomputable refuses gates that need pairs in a case that keeps only a summary of them:
// nobody could check their verdicts later.
func (x *expansion) recomputable(expr lang.Text) {
	for _, name := range lang.Identifiers(expr) {
		if lang.FindWord(name.Name).OfBase {
			x.Add(expr.Problem(name.At,
				fmt.Sprintf("%q with samples: {keep: summary}: its verdict could not be recomputed", name.Name),
				"keep the samples of this case"))
		}
	}
}

// base records the base of a case until all cases are known.
func (x *expansion) base() {
	b, c := x.b, x.c
	if c.Origins[toleranceKey] != FromBuiltin {
		c.tolerance = b.at(toleranceKey, c)
	}
	if b.base == nil {
		return
	}
	text, err := b.base.Expand(x.scope)
	if x.Check(err) {
		c.Base = text.Value
		c.base = text
		c.baseOrigin = b.baseOrigin
	}
}

// was fills in the earlier names of a case, which are completed as its name is.
func (x *expansion) was() {
	b, c := x.b, x.c
	for _, t := range b.wasNames {
		if text, err := t.Expand(x.scope); x.Check(err) {
			c.Was, c.was = append(c.Was, x.named(t)), append(c.was, text)
		}
	}
}
