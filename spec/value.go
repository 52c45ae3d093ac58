package spec

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
	"github.com/bmatcuk/doublestar/v4"
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

// ok reports whether err is nil, and adds its problem if it is not.
func (r *reader) ok(err error) bool {
	if err != nil {
		r.AddError(err)
	}
	return err == nil
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

// argv reads a command: a list of words, or a line that is split into words.
func (r *benchReader) argv(n yaml.Node, key string) (argv []*lang.Template) {
	if n.Kind == yaml.Scalar && !n.IsNull() {
		return r.split(n, key)
	}
	for i, item := range r.List(n, diag.Quote(key), "a line or a list of words") {
		if i == 0 && item.Kind == yaml.Scalar && strings.TrimSpace(item.Value) == "" && !item.IsNull() {
			r.Fail(item, "", "%q names no program", key)
		}
		argv = append(argv, r.word(item, "a word of "+diag.Quote(key)))
	}
	return argv
}

func (r *benchReader) hook(p yaml.Pair) *hook {
	return &hook{r.argv(p.Value, p.Name), p.Value.Place()}
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

func (r *benchReader) env(n yaml.Node) { r.b.env = r.variables(n) }

// variables reads environment variables.
func (r *benchReader) variables(n yaml.Node) (all []variable) {
	if !r.IsA(n, yaml.Mapping, `"env"`, "a mapping") {
		return nil
	}
	for _, p := range r.Pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.Name) {
			r.Fail(p.Key, "write it like env: {LC_ALL: C}", "%s is not the name of a variable", diag.Quote(p.Name))
		}
		r.ownVariable(p)
		r.give(p)
		all = append(all, variable{p.Name, r.word(p.Value, "variable "+diag.Quote(p.Name))})
	}
	return all
}

// exactly reads the short form of samples: one number is both bounds.
func (r *benchReader) exactly(n yaml.Node, origin Origin) {
	before := len(r.Found)
	r.set(n, "samples.min", origin)
	if len(r.Found) == before {
		r.set(n, "samples.max", origin)
	}
}

// anyStatus is the word for every exit status.
const anyStatus = "any"

// exitCodes reads which exit statuses mean success.
func (r *benchReader) exitCodes(n yaml.Node) {
	r.b.anyExit = n.Kind == yaml.Scalar && n.Value == anyStatus
	r.b.exitCodes = nil
	if !r.b.anyExit {
		r.b.exitCodes, _ = r.statuses(n, `"exit_codes"`, `"any" or a list of numbers`)
	}
}

// statuses reads a list of exit statuses and the place of each. want describes the value in
// the problem of another one.
func (r *benchReader) statuses(n yaml.Node, what, want string) (codes []int, places []diag.Place) {
	for _, item := range r.List(n, what, want) {
		if !r.IsA(item, yaml.Scalar, "an exit status", "a number") {
			continue
		}
		x, err := lang.ParseNumber(item.Value)
		if err != nil || item.ShortTag() == "!!str" || x != float64(int(x)) || x < 0 || x > 255 {
			r.Fail(item, "", "an exit status must be a number from 0 to 255, not %s", diag.Quote(item.Value))
			continue
		}
		codes, places = append(codes, int(x)), append(places, item.Place())
	}
	return codes, places
}

// reject reads what makes a run or an iteration void: it is neither measured nor a failure.
func (r *benchReader) reject(e entry) {
	for _, p := range r.Mapping(e.Value, `"reject"`, "in reject", rejectKeys) {
		isGo := r.b.kind == result.KindGo
		switch {
		case p.Name == "quorum":
			r.set(p.Value, "reject.quorum", e.origin)
		case !isGo:
			r.b.reject, r.rejected = r.statuses(p.Value, `"exit_codes"`, "a list of numbers")
		case e.origin == FromBenchmark:
			r.FailAs(diag.UnknownKey, p.Key, "a Go function declares an iteration void itself: c.Try", "key %q has no meaning for a Go function", p.Name)
		}
	}
}

const fileHint = "a file is given by its path: stdin: input.txt"

// stdin reads the standard input of a command: a file, or a text.
func (r *benchReader) stdin(n yaml.Node) {
	if n.Kind != yaml.Mapping {
		r.b.stdin = path{r.template(n, `"stdin"`), n.Dir()}
		return
	}
	pairs := r.Mapping(n, `"stdin"`, `in "stdin"`, stdinKeys)
	if len(n.Content) == 0 {
		r.Fail(n, `stdin: {text: "…"}, or the path of a file`, `"stdin" is empty`)
	}
	for _, p := range pairs {
		if r.IsA(p.Value, yaml.Scalar, `"text"`, "text") && p.Value.Value == "" {
			r.Fail(p.Value, "without stdin: there is nothing to read", `"text" is empty`)
			continue
		}
		r.b.input = r.word(p.Value, `"text"`)
	}
}

// switches are the words that mean true or false in YAML 1.1 and are text here.
var switches = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

// sameOutput reads whether all runs of a case must print the same. If the value is a name,
// all cases with that name must print the same.
func (r *benchReader) sameOutput(n yaml.Node) {
	r.b.sameOutput, r.b.outputName = false, nil
	if !r.IsA(n, yaml.Scalar, `"same_output"`, "true, false or a name") {
		return
	}
	switch {
	case n.ShortTag() == "!!bool":
		r.b.sameOutput = strings.EqualFold(n.Value, "true")
	case n.Value == "true" || n.Value == "false":
		r.FailAs(diag.WrongType, n, "leave out the quotes", "same_output: %s is text, and here it would be a name", diag.Quote(n.Value))
	case switches[strings.ToLower(n.Value)] != "":
		r.Fail(n, "write "+switches[strings.ToLower(n.Value)], "same_output: %s would be a name", n.Value)
	default:
		r.b.sameOutput, r.b.outputName = true, r.template(n, `"same_output"`)
	}
}

// output fills in which runs must print the same.
func (p *planner) output(b *benchmark, c *Case) {
	c.SameOutput = b.sameOutput
	c.OutputName = p.text(b.outputName)
	if b.outputName != nil && strings.TrimSpace(c.OutputName) == "" {
		p.fail(b.outputName.Text.Place, "", "same_output is empty in case %s", diag.Quote(c.Name))
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

// IsInput reports whether a file, given by its absolute path, matches one of the patterns
// in inputs.
func (c *Case) IsInput(file string) bool {
	return slices.ContainsFunc(c.Inputs, func(pattern string) bool { return paths.Match(pattern, file) })
}
