package spec

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Case is one case as it will be measured.
type Case struct {
	Name        string              `json:"name"`
	Description string              `json:"description,omitempty"`
	Tags        []string            `json:"tags,omitempty"`
	Kind        result.Kind         `json:"kind"`
	Function    string              `json:"function,omitempty"` // kind go
	Argv        []string            `json:"argv,omitempty"`     // kind command
	Shell       string              `json:"shell,omitempty"`    // kind shell
	GoTest      *GoTest             `json:"gotest,omitempty"`   // kind gotest
	Params      []Param             `json:"params,omitempty"`
	Unit        string              `json:"unit"`
	Work        float64             `json:"work"`
	WorkSet     bool                `json:"-"` // the file sets work; if not, a Go function may set its own
	UnitSet     bool                `json:"-"`
	Settings    Settings            `json:"settings"`
	Origins     map[string]Origin   `json:"origins"`              // of timer and every setting, by key
	Env         []string            `json:"env,omitempty"`        // NAME=value, added to suite's own
	Cwd         string              `json:"cwd"`                  // absolute
	Stdin       string              `json:"stdin,omitempty"`      // absolute path, empty: the null device
	StdinText   string              `json:"stdin_text,omitempty"` // text for standard input, if Stdin is empty
	Stdout      string              `json:"stdout,omitempty"`     // absolute path, empty: the null device
	Inputs      []string            `json:"inputs,omitempty"`     // patterns of the files that it depends on, absolute, with slashes; nil: unknown
	Requires    []string            `json:"requires,omitempty"`   // programs without which it is skipped
	Missing     []string            `json:"missing,omitempty"`    // programs of Requires, its base's included, that this machine lacks
	ExitCodes   []int               `json:"exit_codes,omitempty"`
	AnyExit     bool                `json:"any_exit,omitempty"`    // every exit status means success
	Reject      []int               `json:"reject,omitempty"`      // exit statuses that make a run void
	Metrics     []Metric            `json:"metrics,omitempty"`     // that the program prints
	Reports     []result.Declared   `json:"reports,omitempty"`     // that the loop of the function reports, as far as it was asked
	SameOutput  bool                `json:"same_output,omitempty"` // all runs must print the same
	OutputName  string              `json:"output_name,omitempty"` // so must all cases with this name; empty: the case alone
	Callgrind   bool                `json:"callgrind,omitempty"`   // instructions come from one simulated run, after the samples
	NoWitness   bool                `json:"no_witness,omitempty"`  // instructions are not counted in pairs (counters: [])
	Counters    []string            `json:"counters,omitempty"`    // metrics of the events to count, in the order of the metric table
	Pegs        bool                `json:"pegs,omitempty"`        // arcs between its pegs are measured, in a pass of their own
	PegPoints   []string            `json:"peg_points,omitempty"`  // between these points alone; nil: all
	Timer       TimerPrefs          `json:"timer"`
	Setup       *Hook               `json:"setup,omitempty"`
	Prepare     *Hook               `json:"prepare,omitempty"`
	Conclude    *Hook               `json:"conclude,omitempty"`
	Cleanup     *Hook               `json:"cleanup,omitempty"`
	Services    []Service           `json:"services,omitempty"`
	Expanded    []string            `json:"-"`                     // parameters that go: and work: name in ${…}
	Base        string              `json:"base,omitempty"`        // name of the case that it is paired with
	Other       *Other              `json:"other,omitempty"`       // what it is paired with, if that is not a case of the plan
	Counterpart *result.Counterpart `json:"counterpart,omitempty"` // set if Plan.Against is
	Was         []string            `json:"was,omitempty"`         // earlier names
	Gates       []Gate              `json:"gates,omitempty"`
	Place       diag.Place          `json:"place"`

	within     string // the part of its name that comes from an existing benchmark
	base       lang.Text
	baseOrigin Origin
	tolerance  diag.Place  // of the tolerance, if one was given
	was        []lang.Text // texts of Was with their places
}

// Param is a parameter of a case.
type Param struct {
	Name  string     `json:"name"`
	Value lang.Value `json:"value"`
}

// trait is a part of what a case is: what it measures, and in which unit. How it is sampled
// and judged is not a trait.
type trait struct {
	name string
	text func(p *Plan, c *Case) string
}

// traits are the traits of a case. A path in the suite's folder is relative to it, so that
// cases of two trees can be compared.
var traits = []trait{
	{"kind", func(_ *Plan, c *Case) string { return kindOf(c.Kind) }},
	{"function", func(p *Plan, c *Case) string { return c.functionText(p) }},
	{"command", func(_ *Plan, c *Case) string { return words(c.Argv) }},
	{"shell text", func(_ *Plan, c *Case) string { return c.Shell }},
	{"benchmark", func(_ *Plan, c *Case) string { return c.benchmarkText() }},
	{"parameters", func(_ *Plan, c *Case) string { return paramsText(c.Params) }},
	{"unit", func(_ *Plan, c *Case) string { return c.Unit }},
	{"work", func(_ *Plan, c *Case) string { return lang.FormatNumber(c.Work) }},
	{"standard input", func(p *Plan, c *Case) string { return c.stdinText(p.Dir) }},
	{"batch", func(_ *Plan, c *Case) string { return orWord(c.Settings.Batch == 0, "auto", c.Settings.Batch) }},
	{"benchtime", func(_ *Plan, c *Case) string { return c.benchtimeText() }},
}

// differs finds the first trait in which a case is not what it was as a case of another
// plan: the trait's name, its value now and its value then. differs is false if all
// traits are equal.
func (c *Case) differs(plan *Plan, was *Case, of *Plan) (part, now, then string, differs bool) {
	for _, t := range traits {
		now, then = t.text(plan, c), t.text(of, was)
		if now != then {
			return t.name, cmp.Or(now, "none"), cmp.Or(then, "none"), true
		}
	}
	return "", "", "", false
}

func kindOf(k result.Kind) string {
	if k == result.KindShell {
		return "a line for a shell"
	}
	return family(k)
}

// The function is marked if it is one of suite's own.
func (c *Case) functionText(p *Plan) string {
	if c.Kind == result.KindGo && p.Packages == nil {
		return c.Function + " of suite itself"
	}
	return c.Function
}

func (c *Case) benchmarkText() string {
	if c.GoTest == nil {
		return ""
	}
	g := *c.GoTest
	g.Top = false
	return g.text()
}

// A benchtime in time is not a trait, because the number of iterations adapts to it.
func (c *Case) benchtimeText() string {
	if c.Settings.Benchtime.N == 0 {
		return "auto"
	}
	return c.Settings.Benchtime.String()
}

func paramsText(params []Param) string {
	var all []string
	for _, p := range params {
		all = append(all, p.Name+" = "+p.Value.Text)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// stdinText is a file, relative to the suite's folder if it is in that folder, or a
// text. It is "" if the case reads nothing.
func (c *Case) stdinText(dir string) string {
	switch rel, err := filepath.Rel(dir, c.Stdin); {
	case c.Stdin == "" && c.StdinText == "":
		return ""
	case c.Stdin == "":
		return "text " + strconv.Quote(c.StdinText)
	case err == nil && filepath.IsLocal(rel):
		return filepath.ToSlash(rel)
	}
	return c.Stdin
}

func changedReason(part, now, then, base string) string {
	return fmt.Sprintf("its %s changed from %s in %s to %s", part, diag.Quote(then), base, diag.Quote(now))
}

// The name is the given name, or the body. If neither has ${…} in it, the values of the
// parameters follow, as in the names of Go's sub-benchmarks.
func (p *planner) name(b *benchmark, c *Case, row []lang.Value) string {
	if b.name != nil {
		return p.named(b.name, c, row)
	}
	name := oneLine(c.Function + strings.Join(c.Argv, " ") + c.Shell)
	return completed(name, append(b.argv, b.function, b.shell, b.gotest), c, row)
}

func (p *planner) named(t *lang.Template, c *Case, row []lang.Value) string {
	return completed(p.text(t), []*lang.Template{t}, c, row)
}

// completed adds to a name what distinguishes the cases of one benchmark.
func completed(name string, templates []*lang.Template, c *Case, row []lang.Value) string {
	literal := true
	if c.within != "" {
		name = strings.TrimPrefix(name+"/"+c.within, "/")
	}
	for _, t := range templates {
		literal = literal && (t == nil || t.Literal())
	}
	if literal {
		for _, v := range row {
			name += "/" + v.Text
		}
	}
	return name
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxName is the length of the longest name: it fits on two lines of a report.
const maxName = 200

// isNamed reports whether the name of a benchmark's cases could be read. Without name: the
// body is the name.
func (b *benchmark) isNamed() bool {
	if slices.Contains(b.wrong, "name") {
		return false
	}
	return b.name != nil || !slices.ContainsFunc(bodyKeys, func(key string) bool { return slices.Contains(b.wrong, key) })
}

// unique refuses names that another case has, and names that no report can show.
func (p *planner) unique(b *benchmark, c *Case) {
	if !b.isNamed() {
		return
	}
	place := b.place
	if b.name != nil {
		place = b.name.Text.Place
	}
	first, twice := p.names[c.Name]
	switch {
	case twice:
		p.failAs(diag.Duplicate, place, b.nameHint(first), "case %s comes twice", diag.Quote(c.Name))
	case c.Name == "" || len([]rune(c.Name)) > maxName:
		p.fail(place, "set another one with name:", "the name of a case must have 1 to %d characters", maxName)
	case strings.ContainsFunc(c.Name, unicode.IsControl):
		p.fail(place, "", "case %s has control characters in its name", diag.Quote(c.Name))
	}
	if !twice {
		p.names[c.Name] = place
	}
}

// nameHint explains where the other case of that name is, or which parameter the name
// lacks.
func (b *benchmark) nameHint(first diag.Place) string {
	var used []string
	templates := append([]*lang.Template{b.name, b.function, b.shell, b.gotest}, b.argv...)
	if b.name != nil {
		templates = templates[:1]
	}
	for _, t := range templates {
		if t != nil {
			used = append(used, t.Uses()...)
		}
	}
	for _, name := range b.varying() {
		if len(used) > 0 && !slices.Contains(used, name) {
			return fmt.Sprintf("the name does not tell apart the values of %q: add ${%s} to it", name, name)
		}
	}
	return fmt.Sprintf("the other one is at %s; set name: to tell them apart", first)
}
