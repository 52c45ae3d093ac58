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

// textReader reads texts that may contain ${…}.
type textReader struct {
	*yaml.Reader
	names lang.Names // that ${…} may contain
	loose bool       // reads defaults alone: neither the parameters nor the kind are known
	given []string   // variables with their values: see Plan.Given
}

// path reads the path of a file or folder.
func (r *textReader) path(p yaml.Pair) path {
	return path{r.template(p.Value, diag.Quote(p.Name)), p.Value.Dir()}
}

// template reads text that may contain ${…}.
func (r *textReader) template(n yaml.Node, what string) *lang.Template {
	if _, ok := r.Str(n, what); !ok {
		return nil
	}
	return r.compile(n.Text())
}

// word reads text. A number, true or false is taken as it is written.
func (r *textReader) word(n yaml.Node, what string) *lang.Template {
	if !r.IsA(n, yaml.Scalar, what, "text") {
		return nil
	}
	return r.compile(n.Text())
}

// compile parses the ${…} in a text. It returns nil after a problem, and in loose mode, in
// which the parameters are not known.
func (r *textReader) compile(text lang.Text) *lang.Template {
	if strings.ContainsRune(text.Value, 0) {
		r.Add(text.Problem(strings.IndexRune(text.Value, 0), "text with a NUL character", ""))
		return nil
	}
	if r.loose {
		return nil
	}
	t, err := lang.ParseTemplate(text, r.names)
	if !r.Check(err) {
		return nil
	}
	return t
}

// readMatching reads text that must match a pattern.
func readMatching(r *yaml.Reader, n yaml.Node, pattern *regexp.Regexp, what, example string) string {
	s, ok := r.Str(n, what)
	if ok && !pattern.MatchString(s) {
		r.Fail(n, "write it like "+example, "%s must be a word, not %s", what, diag.Quote(s))
	}
	return s
}

func readTags(r *yaml.Reader, n yaml.Node) (tags []string) {
	for _, item := range r.List(n, `"tags"`, "a list of words") {
		tag := readMatching(r, item, tagPattern(), "a tag", "tags: [slow, linux]")
		if slices.Contains(tags, tag) && tag != "" {
			r.FailAs(diag.Duplicate, item, "", "tag %s comes twice", diag.Quote(tag))
		}
		tags = append(tags, tag)
	}
	return tags
}

// readWork reads the work of an iteration. Work without parameters is checked at once.
func readWork(r *textReader, n yaml.Node) *lang.Template {
	work := r.word(n, `"work"`)
	if work == nil || !work.Literal() {
		return work
	}
	if x, err := work.Number(lang.Scope{}); r.Check(err) {
		if why, hint := wrongWork(x); why != "" {
			r.Add(work.Text.Problem(0, why, hint))
		}
	}
	return work
}

// wrongWork explains why an iteration cannot do this much work. why is "" if it can.
func wrongWork(x float64) (why, hint string) {
	switch {
	case x <= 0:
		return fmt.Sprintf("work is %s, not more than zero", lang.FormatNumber(x)), ""
	case !(x >= result.LeastWork && x <= result.MostWork):
		return fmt.Sprintf("work is %s, not between %g and %g",
			lang.FormatNumber(x), result.LeastWork, result.MostWork), "count it in another unit"
	}
	return "", ""
}

// oneOrMore returns the items of a list, or a scalar that is written in place of a list of
// one.
func oneOrMore(r *yaml.Reader, p yaml.Pair, wanted string) []yaml.Node {
	if p.Value.Kind == yaml.Scalar {
		return []yaml.Node{p.Value}
	}
	return r.List(p.Value, diag.Quote(p.Name), wanted)
}

// readInputs reads the patterns of the files that a case depends on.
func readInputs(r *textReader, p yaml.Pair) (inputs []path) {
	for _, item := range oneOrMore(r.Reader, p, "a pattern or a list of patterns") {
		if t := r.template(item, "a pattern of inputs"); t != nil {
			inputs = append(inputs, path{t, p.Value.Dir()})
		}
	}
	return inputs
}

// readWas reads the earlier names of a case.
func readWas(r *textReader, p yaml.Pair) (names []*lang.Template) {
	for _, item := range oneOrMore(r.Reader, p, "a name or a list of names") {
		if item.Kind == yaml.Scalar && strings.TrimSpace(item.Value) == "" && !item.IsNull() {
			r.Fail(item, "", `"was" is empty`)
		} else if t := r.template(item, "an earlier name"); t != nil {
			names = append(names, t)
		}
	}
	return names
}

// readBase reads the name of the case to be paired with. An empty name removes the base of
// defaults.
func readBase(r *textReader, n yaml.Node) *lang.Template {
	if n.Kind == yaml.Scalar && strings.TrimSpace(n.Value) == "" && n.ShortTag() == "!!str" {
		return nil
	}
	return r.template(n, `"base"`)
}

// readRequires reads the names of programs.
func readRequires(r *textReader, p yaml.Pair) (programs []*lang.Template) {
	for _, item := range oneOrMore(r.Reader, p, "the name of a program, or a list of names") {
		programs = append(programs, r.word(item, "a program of \"requires\""))
	}
	return programs
}

// readPegs reads whether the arcs between a program's pegs are measured: at all of its
// points, or at those in a list. false and an empty list remove the pegs of defaults.
func readPegs(r *textReader, n yaml.Node) (measured bool, points []*lang.Template) {
	switch {
	case n.Kind == yaml.Scalar && n.ShortTag() == "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case n.Kind == yaml.Scalar && !n.IsNull():
		r.Fail(n, pegsHint(n.Value), `"pegs" must be true, false or a list of points, not %s`, diag.Quote(n.Value))
	case r.IsA(n, yaml.List, `"pegs"`, "true, false or a list of points"):
		return len(n.Items()) > 0, readPoints(r, n)
	}
	return false, nil
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

// readPoints reads the names of the points that are wanted.
func readPoints(r *textReader, n yaml.Node) (points []*lang.Template) {
	for _, item := range n.Items() {
		t := r.template(item, "a point")
		if t == nil {
			continue // reported already, or in defaults alone
		}
		if t.Literal() {
			if why := notPoint(item.Value); why != "" {
				r.Fail(item, "pegs: true measures all points", "point %s %s", diag.Quote(item.Value), why)
			}
		}
		points = append(points, t)
	}
	return points
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

var gateKeys = yaml.KeySet{
	Known: []string{"name", "expr", "severity", "on_inconclusive"},
	Moved: map[string]string{
		"expect":    `write "expr"`,
		"tolerance": "write expr: not worse(time, 3%), or tolerance: beside base:",
	},
}

// readGates reads an expression, or a list of expressions and mappings. Package gate checks
// the expressions when it compiles them.
func readGates(r *textReader, p yaml.Pair) (gates []gate) {
	for _, item := range oneOrMore(r.Reader, p, "an expression or a list of them") {
		if g, ok := readGate(r, item); ok {
			gates = append(gates, g)
		}
	}
	return gates
}

func readGate(r *textReader, n yaml.Node) (g gate, ok bool) {
	g.severity = defaultSeverity
	if n.Kind != yaml.Mapping {
		if n.Kind == yaml.Scalar && n.What() != "text" {
			r.FailAs(diag.WrongType, n, "write it like time.median < 2ms",
				"a gate must be an expression, not %s", n.What())
			return g, false
		}
		g.expr = r.template(n, "a gate")
		return g, true
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
	return g, true
}

// readMatch reads the pattern of the benchmarks that are wanted.
func readMatch(r *textReader, n yaml.Node) *lang.Template {
	match := r.template(n, `"match"`)
	if match == nil || !match.Literal() {
		return match
	}
	if _, err := benchname.ParseMatch(n.Value); err != nil {
		r.Fail(n, matchHint, "match: %s", diag.Clip(err.Error()))
	}
	return match
}

const matchHint = "an expression for each part of a name, as go test -bench has it: Parse/small"

// Limits of the list cpu and of its numbers.
const (
	maxProcsList = 64
	maxProcs     = 10_000
)

// readProcs reads the list of GOMAXPROCS.
func readProcs(r *yaml.Reader, n yaml.Node) (procs []int) {
	if n.Kind != yaml.List {
		r.FailAs(diag.WrongType, n, "cpu: [1, 4] is a case with GOMAXPROCS=1 and one with 4",
			`"cpu" must be a list of numbers, not %s`, n.What())
		return nil
	}
	for _, item := range r.List(n, `"cpu"`, "a list of numbers") {
		if !r.IsA(item, yaml.Scalar, "a number of processors", "a number") {
			continue
		}
		x, err := whole(item.Value, maxProcs)
		switch {
		case err != nil || item.ShortTag() == "!!str":
			r.Fail(item, "",
				"a number of processors must be a whole number from 1 to %d, not %s", maxProcs, diag.Quote(item.Value))
		case slices.Contains(procs, int(x)):
			r.FailAs(diag.Duplicate, item, "", "%d comes twice in cpu", x)
		case len(procs) == maxProcsList:
			r.Fail(item, "", "cpu has more than %d numbers", maxProcsList)
		default:
			procs = append(procs, int(x))
		}
	}
	return procs
}
