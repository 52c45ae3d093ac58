package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// key reads one key of a benchmark that is no body of another kind.
func (r *benchReader) key(e entry) {
	before := len(r.Found)
	r.readKey(e)
	if len(r.Found) > before {
		r.b.wrong = append(r.b.wrong, e.Name)
	}
}

func (r *benchReader) readKey(e entry) {
	b, n := r.b, e.Value
	switch e.Name {
	case "name":
		b.name = r.template(n, `"name"`)
	case "description":
		b.description = r.template(n, `"description"`)
	case "tags":
		r.tags(n)
	case "go":
		b.function = r.template(n, `"go"`)
	case "command":
		b.argv = r.argv(n, "command")
	case "shell":
		r.names.Shell = true
		b.shell = r.template(n, `"shell"`)
		r.names.Shell = false
	case "gotest":
		b.gotest = r.template(n, `"gotest"`)
	case "match":
		r.match(n)
	case "cpu":
		r.cpu(n)
	case "matrix", "zip", "include", "exclude", "params":
		r.params(e)
	case "unit":
		b.unitSet = true
		b.unit = r.matching(n, unitPattern(), `"unit"`, "unit: byte")
	case "work":
		r.work(n)
	case "samples":
		for _, p := range r.Mapping(n, `"samples"`, "in samples", samplesKeys) {
			r.set(p.Value, "samples."+p.Name, e.origin)
		}
	case "timer":
		r.ownTimer(e)
	case "counters":
		r.counters(n)
	case "pegs":
		r.pegs(n)
	case "reject":
		r.reject(e)
	case "env":
		r.env(n)
	case "cwd":
		b.cwd = path{r.template(n, `"cwd"`), n.Dir()}
	case "stdin":
		r.stdin(n)
	case "stdout":
		b.stdout = path{r.template(n, `"stdout"`), n.Dir()}
	case "inputs":
		r.inputs(n)
	case "metrics":
		r.metrics(n)
	case "same_output":
		r.sameOutput(n)
	case "exit_codes":
		b.exitCodes, _ = r.statuses(n, `"exit_codes"`)
	case "setup":
		b.setup = r.hook(e.Pair)
	case "prepare":
		b.prepare = r.hook(e.Pair)
	case "conclude":
		b.conclude = r.hook(e.Pair)
	case "cleanup":
		b.cleanup = r.hook(e.Pair)
	case "service":
		r.services(n)
	case "expect":
		r.expect(n)
	case "base":
		r.base(e)
	case "was":
		r.was(n)
	default:
		r.set(n, e.Name, e.origin)
	}
}

func (r *benchReader) set(n yaml.Node, key string, origin Origin) {
	if strings.Contains(n.Value, "${") {
		r.late(n, key)
	} else if !r.setting(n, key, &r.b.settings) {
		return
	}
	r.remember(key, origin, n)
}

// remember says where a setting stands.
func (r *benchReader) remember(key string, origin Origin, n yaml.Node) {
	if r.b.origins == nil {
		r.b.origins, r.b.places = map[string]Origin{}, map[string]diag.Place{}
	}
	r.b.origins[key], r.b.places[key] = origin, n.Place()
}

// late keeps a setting that depends on the parameters until they are known.
func (r *benchReader) late(n yaml.Node, key string) {
	if t := r.template(n, diag.Quote(key)); t != nil {
		d, _ := findSetting(key)
		r.b.late = append(r.b.late, lateSetting{d, t})
	}
}

// template reads text with ${…} in it.
func (r *benchReader) template(n yaml.Node, what string) *lang.Template {
	if _, ok := r.Str(n, what); !ok {
		return nil
	}
	return r.compile(n.Text())
}

// word reads text, or a number or truth value as it is written.
func (r *benchReader) word(n yaml.Node, what string) *lang.Template {
	if !r.IsA(n, yaml.Scalar, what, "text") {
		return nil
	}
	return r.compile(n.Text())
}

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

// ok reports a problem of a text, and says whether there was none.
func (r *reader) ok(err error) bool {
	if err != nil {
		r.AddError(err)
	}
	return err == nil
}

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
			r.Fail(item, "", "tag %s comes twice", diag.Quote(tag))
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
	if r.b.work = r.word(n, `"work"`); r.b.work == nil || !r.b.work.Literal() {
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

// wrongWork says why an iteration cannot do this much work; empty if it can.
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

// statuses reads a list of exit statuses and gives the place of each.
func (r *benchReader) statuses(n yaml.Node, what string) (codes []int, places []diag.Place) {
	for _, item := range r.List(n, what, "a list of numbers") {
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

// reject reads what declares a run or an iteration void.
func (r *benchReader) reject(e entry) {
	for _, p := range r.Mapping(e.Value, `"reject"`, "in reject", rejectKeys) {
		isGo := r.b.kind == result.KindGo
		switch {
		case p.Name == "quorum":
			r.set(p.Value, "reject.quorum", e.origin)
		case !isGo:
			r.b.reject, r.rejected = r.statuses(p.Value, `"exit_codes"`)
		case e.origin == FromBenchmark:
			r.Fail(p.Key, "a Go function declares an iteration void itself: c.Try", "key %q has no meaning for a Go function", p.Name)
		}
	}
}
