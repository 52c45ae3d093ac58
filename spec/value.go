package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

var (
	tagPattern      = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_.:/+-]*$`)
	unitPattern     = lazy.Regexp(`^[A-Za-z][A-Za-z0-9_-]*$`)
	metricUnit      = lazy.Regexp(`^(%|1/s|[A-Za-zµμ][A-Za-z0-9_-]*(/[A-Za-z][A-Za-z0-9_-]*)?)$`)
	variablePattern = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// set reads a setting, or keeps it for later if its value has ${…} in it.
func (r *benchReader) set(n yaml.Node, key string, origin Origin) {
	if strings.Contains(n.Value, "${") {
		r.late(n, key)
	} else if !r.setting(n, key, &r.b.settings) {
		return
	}
	r.remember(key, origin, n)
}

// remember records where a setting was given.
func (r *benchReader) remember(key string, origin Origin, n yaml.Node) {
	if r.b.origins == nil {
		r.b.origins, r.b.places = map[string]Origin{}, map[string]diag.Place{}
	}
	r.b.origins[key], r.b.places[key] = origin, n.Place()
}

// late keeps a setting whose value depends on parameters until they are known.
func (r *benchReader) late(n yaml.Node, key string) {
	if t := r.template(n, diag.Quote(key)); t != nil {
		d, _ := findSetting(key)
		r.b.late = append(r.b.late, lateSetting{d, t})
	}
}

// template reads text that may contain ${…}.
func (r *benchReader) template(n yaml.Node, what string) *lang.Template {
	if _, ok := r.Str(n, what); !ok {
		return nil
	}
	return r.compile(n.Text())
}

// word reads text. A number, true or false is taken as it is written.
func (r *benchReader) word(n yaml.Node, what string) *lang.Template {
	if !r.IsA(n, yaml.Scalar, what, "text") {
		return nil
	}
	return r.compile(n.Text())
}

// compile parses the ${…} in a text. It returns nil after a problem, and in loose mode, in
// which the parameters are not known.
func (r *benchReader) compile(text lang.Text) *lang.Template {
	if strings.ContainsRune(text.Value, 0) {
		r.Add(text.Problem(strings.IndexRune(text.Value, 0), "text with a NUL character", ""))
		return nil
	}
	if r.loose {
		return nil
	}
	t, err := lang.ParseTemplate(text, r.names)
	if !r.ok(err) {
		return nil
	}
	return t
}

// matching reads text that must match a pattern.
func (r *benchReader) matching(n yaml.Node, pattern *regexp.Regexp, what, example string) string {
	s, ok := r.Str(n, what)
	if ok && !pattern.MatchString(s) {
		r.Fail(n, "write it like "+example, "%s must be a word, not %s", what, diag.Quote(s))
	}
	return s
}

func (r *benchReader) tags(n yaml.Node) {
	for _, item := range r.List(n, `"tags"`, "a list of words") {
		tag := r.matching(item, tagPattern(), "a tag", "tags: [slow, linux]")
		if slices.Contains(r.b.tags, tag) && tag != "" {
			r.FailAs(diag.Duplicate, item, "", "tag %s comes twice", diag.Quote(tag))
		}
		r.b.tags = append(r.b.tags, tag)
	}
}

func (r *benchReader) work(n yaml.Node) {
	r.b.work = r.word(n, `"work"`)
	if r.b.work == nil || !r.b.work.Literal() {
		return
	}
	if x, err := r.b.work.Number(lang.Scope{}); r.ok(err) {
		r.positive(r.b.work, x)
	}
}

func (r *reader) positive(t *lang.Template, x float64) {
	if why, hint := wrongWork(x); why != "" {
		r.Add(t.Text.Problem(0, why, hint))
	}
}

// wrongWork explains why an iteration cannot do this much work. why is "" if it can.
func wrongWork(x float64) (why, hint string) {
	switch {
	case x <= 0:
		return fmt.Sprintf("work is %s, not more than zero", lang.FormatNumber(x)), ""
	case !(x >= result.LeastWork && x <= result.MostWork):
		return fmt.Sprintf("work is %s, not between %g and %g", lang.FormatNumber(x), result.LeastWork, result.MostWork), "count it in another unit"
	}
	return "", ""
}

// exactly reads the short form of samples: one number is both bounds.
func (r *benchReader) exactly(n yaml.Node, origin Origin) {
	before := len(r.Found)
	r.set(n, "samples.min", origin)
	if len(r.Found) == before {
		r.set(n, "samples.max", origin)
	}
}

// inputs reads the patterns of the files that a case depends on: one pattern, or a list.
func (r *benchReader) inputs(n yaml.Node) {
	r.b.inputs = nil
	items := []yaml.Node{n}
	if n.Kind != yaml.Scalar {
		items = r.List(n, `"inputs"`, "a pattern or a list of patterns")
	}
	for _, item := range items {
		if t := r.template(item, "a pattern of inputs"); t != nil {
			r.b.inputs = append(r.b.inputs, path{t, n.Dir()})
		}
	}
}

// was reads the earlier names of a case: one name, or a list.
func (r *benchReader) was(n yaml.Node) {
	r.b.wasNames = nil
	items := []yaml.Node{n}
	if n.Kind != yaml.Scalar {
		items = r.List(n, `"was"`, "a name or a list of names")
	}
	for _, item := range items {
		if item.Kind == yaml.Scalar && strings.TrimSpace(item.Value) == "" && !item.IsNull() {
			r.Fail(item, "", `"was" is empty`)
		} else if t := r.template(item, "an earlier name"); t != nil {
			r.b.wasNames = append(r.b.wasNames, t)
		}
	}
}

// base reads the name of the case to be paired with. An empty name removes the base of
// defaults.
func (r *benchReader) base(e entry) {
	r.b.base, r.b.baseOrigin = nil, e.origin
	if e.Value.Kind == yaml.Scalar && strings.TrimSpace(e.Value.Value) == "" && e.Value.ShortTag() == "!!str" {
		return
	}
	r.b.base = r.template(e.Value, `"base"`)
}

// requires reads the names of programs: one, or a list.
func (r *benchReader) requires(n yaml.Node) {
	items := []yaml.Node{n}
	if n.Kind != yaml.Scalar {
		items = r.List(n, `"requires"`, "the name of a program, or a list of names")
	}
	r.b.requires = nil
	for _, item := range items {
		r.b.requires = append(r.b.requires, r.word(item, "a program of \"requires\""))
	}
}

// pegs reads whether the arcs between a program's pegs are measured: at all of its points,
// or at those in a list. false and an empty list remove the pegs of defaults.
func (r *benchReader) pegs(n yaml.Node) {
	r.b.pegs, r.b.points = false, nil
	switch {
	case n.Kind == yaml.Scalar && n.ShortTag() == "!!bool":
		r.b.pegs = strings.EqualFold(n.Value, "true")
	case n.Kind == yaml.Scalar && !n.IsNull():
		r.Fail(n, pegsHint(n.Value), `"pegs" must be true, false or a list of points, not %s`, diag.Quote(n.Value))
	case r.IsA(n, yaml.List, `"pegs"`, "true, false or a list of points"):
		r.points(n)
	}
}

func pegsHint(word string) string {
	switch meant := switches[strings.ToLower(word)]; {
	case meant != "":
		return "write " + meant
	case word == "true" || word == "false":
		return "leave out the quotes"
	}
	return fmt.Sprintf("pegs: [%s]", word)
}

// points reads the names of the points that are wanted.
func (r *benchReader) points(n yaml.Node) {
	for _, item := range n.Items() {
		t := r.template(item, "a point")
		if t == nil {
			continue // reported already, or in defaults alone
		}
		if t.Literal() {
			r.point(item, item.Value)
		}
		r.b.points = append(r.b.points, t)
	}
	r.b.pegs = len(n.Items()) > 0
}

func (r *benchReader) point(n yaml.Node, name string) {
	if why := notPoint(name); why != "" {
		r.Fail(n, "pegs: true measures all points", "point %s %s", diag.Quote(name), why)
	}
}

// notPoint explains why a name cannot be a point, "" if it can. The names are passed to
// programs in one variable, separated by commas, and read back from lines with tabs.
func notPoint(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "is empty"
	case strings.ContainsRune(name, ','):
		return "has a comma, which separates names"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has a control character"
	}
	return ""
}

// expect reads an expression, or a list of expressions and mappings. Package gate checks
// the expressions when it compiles them.
func (r *benchReader) expect(n yaml.Node) {
	r.b.gates = nil
	if n.Kind == yaml.Scalar {
		r.gate(n)
		return
	}
	for _, item := range r.List(n, `"expect"`, "an expression or a list of them") {
		r.gate(item)
	}
}

func (r *benchReader) gate(n yaml.Node) {
	g := gate{severity: defaultSeverity}
	if n.Kind != yaml.Mapping {
		if n.Kind == yaml.Scalar && n.What() != "text" {
			r.FailAs(diag.WrongType, n, "write it like time.median < 2ms", "a gate must be an expression, not %s", n.What())
			return
		}
		g.expr = r.template(n, "a gate")
		r.b.gates = append(r.b.gates, g)
		return
	}
	given := false
	for _, p := range r.Mapping(n, "a gate", "in a gate", gateKeys) {
		switch p.Name {
		case "name":
			g.name = r.template(p.Value, `"name"`)
		case "expr":
			given, g.expr = true, r.template(p.Value, `"expr"`)
		case "severity":
			g.severity = r.Choice(p.Value, `"severity"`, "fail", "warn")
		case "on_inconclusive":
			g.onInconclusive = r.Choice(p.Value, `"on_inconclusive"`, "auto", "list", "fail")
		}
	}
	if !given {
		r.Fail(n, "write it like {name: fast, expr: time.median < 2ms}", "a gate without expr")
	}
	r.b.gates = append(r.b.gates, g)
}

// match reads the pattern of the benchmarks that are wanted.
func (r *benchReader) match(n yaml.Node) {
	r.b.match = r.template(n, `"match"`)
	if r.b.match == nil || !r.b.match.Literal() {
		return
	}
	if _, err := benchname.ParseMatch(n.Value); err != nil {
		r.Fail(n, matchHint, "match: %s", diag.Clip(err.Error()))
	}
}

const matchHint = "an expression for each part of a name, as go test -bench has it: Parse/small"

// Limits of the list cpu and of its numbers.
const (
	maxProcsList = 64
	maxProcs     = 10_000
)

// cpu reads the list of GOMAXPROCS.
func (r *benchReader) cpu(n yaml.Node) {
	r.b.procs = nil
	if n.Kind != yaml.List {
		r.FailAs(diag.WrongType, n, "cpu: [1, 4] is a case with GOMAXPROCS=1 and one with 4", `"cpu" must be a list of numbers, not %s`, n.What())
		return
	}
	for _, item := range r.List(n, `"cpu"`, "a list of numbers") {
		if !r.IsA(item, yaml.Scalar, "a number of processors", "a number") {
			continue
		}
		x, err := whole(item.Value, maxProcs)
		switch {
		case err != nil || item.ShortTag() == "!!str":
			r.Fail(item, "", "a number of processors must be a whole number from 1 to %d, not %s", maxProcs, diag.Quote(item.Value))
		case slices.Contains(r.b.procs, int(x)):
			r.FailAs(diag.Duplicate, item, "", "%d comes twice in cpu", x)
		case len(r.b.procs) == maxProcsList:
			r.Fail(item, "", "cpu has more than %d numbers", maxProcsList)
		default:
			r.b.procs = append(r.b.procs, int(x))
		}
	}
}

// setting reads one setting of a benchmark and reports whether it was right.
func (r *reader) setting(n yaml.Node, key string, s *Settings) bool {
	d, _ := findSetting(key)
	if !r.IsA(n, yaml.Scalar, diag.Quote(key), "one value") {
		return false
	}
	err := d.set(s, n.Value)
	if n.ShortTag() == "!!str" && err == nil {
		if _, plain := lang.ParseNumber(n.Value); plain == nil {
			r.FailAs(diag.WrongType, n, "leave out the quotes", "%s: %s is text, not a number", key, diag.Quote(n.Value))
			return false
		}
	}
	if err != nil {
		r.Fail(n, "", "%s: %s", key, diag.Clip(err.Error()))
	}
	return err == nil
}
