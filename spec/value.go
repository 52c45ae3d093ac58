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
	"gopkg.in/yaml.v3"
)

var (
	tagPattern      = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_.:/+-]*$`)
	unitPattern     = lazy.Regexp(`^[A-Za-z][A-Za-z0-9_-]*$`)
	metricUnit      = lazy.Regexp(`^(%|1/s|[A-Za-zµμ][A-Za-z0-9_-]*(/[A-Za-z][A-Za-z0-9_-]*)?)$`)
	variablePattern = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// key reads one key of a benchmark that is no body of another kind.
func (r *benchReader) key(e entry) {
	before := len(r.found)
	r.readKey(e)
	if len(r.found) > before {
		r.b.wrong = append(r.b.wrong, e.name)
	}
}

func (r *benchReader) readKey(e entry) {
	b, n := r.b, e.value
	switch e.name {
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
		for _, p := range r.mapping(n, `"samples"`, "in samples", samplesKeys) {
			r.set(p.value, "samples."+p.name, e.origin)
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
		b.cwd = path{r.template(n, `"cwd"`), n.src.dir}
	case "stdin":
		r.stdin(n)
	case "stdout":
		b.stdout = path{r.template(n, `"stdout"`), n.src.dir}
	case "inputs":
		r.inputs(n)
	case "metrics":
		r.metrics(n)
	case "same_output":
		r.sameOutput(n)
	case "exit_codes":
		b.exitCodes, _ = r.statuses(n, `"exit_codes"`)
	case "setup":
		b.setup = r.hook(e.pair)
	case "prepare":
		b.prepare = r.hook(e.pair)
	case "conclude":
		b.conclude = r.hook(e.pair)
	case "cleanup":
		b.cleanup = r.hook(e.pair)
	case "service":
		r.services(n)
	case "expect":
		r.expect(n)
	case "base":
		r.base(e)
	case "was":
		r.was(n)
	default:
		r.set(n, e.name, e.origin)
	}
}

func (r *benchReader) set(n node, key string, origin Origin) {
	if strings.Contains(n.Value, "${") {
		r.late(n, key)
	} else if !r.setting(n, key, &r.b.settings) {
		return
	}
	r.remember(key, origin, n)
}

// remember says where a setting stands.
func (r *benchReader) remember(key string, origin Origin, n node) {
	if r.b.origins == nil {
		r.b.origins, r.b.places = map[string]Origin{}, map[string]diag.Place{}
	}
	r.b.origins[key], r.b.places[key] = origin, n.place()
}

// late keeps a setting that depends on the parameters until they are known.
func (r *benchReader) late(n node, key string) {
	if t := r.template(n, quote(key)); t != nil {
		d, _ := findSetting(key)
		r.b.late = append(r.b.late, lateSetting{d, t})
	}
}

// template reads text with ${…} in it.
func (r *benchReader) template(n node, what string) *lang.Template {
	if _, ok := r.str(n, what); !ok {
		return nil
	}
	return r.compile(n.text())
}

// word reads text, or a number or truth value as it is written.
func (r *benchReader) word(n node, what string) *lang.Template {
	if !r.isA(n, scalar, what, "text") {
		return nil
	}
	return r.compile(n.text())
}

func (r *benchReader) compile(text lang.Text) *lang.Template {
	if strings.ContainsRune(text.Value, 0) {
		r.add(text.Problem(strings.IndexRune(text.Value, 0), "text with a NUL character", ""))
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
		r.addError(err)
	}
	return err == nil
}

func (r *benchReader) matching(n node, pattern *regexp.Regexp, what, example string) string {
	s, ok := r.str(n, what)
	if ok && !pattern.MatchString(s) {
		r.fail(n, "write it like "+example, "%s must be a word, not %s", what, quote(s))
	}
	return s
}

func (r *benchReader) tags(n node) {
	for _, item := range r.list(n, `"tags"`, "a list of words") {
		tag := r.matching(item, tagPattern(), "a tag", "tags: [slow, linux]")
		if slices.Contains(r.b.tags, tag) && tag != "" {
			r.fail(item, "", "tag %s comes twice", quote(tag))
		}
		r.b.tags = append(r.b.tags, tag)
	}
}

// argv reads a command: a list of words, or a line that is split into words.
func (r *benchReader) argv(n node, key string) (argv []*lang.Template) {
	if n.Kind == scalar && !n.isNull() {
		return r.split(n, key)
	}
	for i, item := range r.list(n, quote(key), "a line or a list of words") {
		if i == 0 && item.Kind == scalar && strings.TrimSpace(item.Value) == "" && !item.isNull() {
			r.fail(item, "", "%q names no program", key)
		}
		argv = append(argv, r.word(item, "a word of "+quote(key)))
	}
	return argv
}

func (r *benchReader) hook(p pair) *hook {
	return &hook{r.argv(p.value, p.name), p.value.place()}
}

func (r *benchReader) work(n node) {
	if r.b.work = r.word(n, `"work"`); r.b.work == nil || !r.b.work.Literal() {
		return
	}
	if x, err := r.b.work.Number(lang.Scope{}); r.ok(err) {
		r.positive(r.b.work, x)
	}
}

func (r *reader) positive(t *lang.Template, x float64) {
	if why, hint := wrongWork(x); why != "" {
		r.add(t.Text.Problem(0, why, hint))
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

func (r *benchReader) env(n node) { r.b.env = r.variables(n) }

// variables reads environment variables.
func (r *benchReader) variables(n node) (all []variable) {
	if !r.isA(n, yaml.MappingNode, `"env"`, "a mapping") {
		return nil
	}
	for _, p := range r.pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.name) {
			r.fail(p.key, "write it like env: {LC_ALL: C}", "%s is not the name of a variable", quote(p.name))
		}
		r.ownVariable(p)
		r.give(p)
		all = append(all, variable{p.name, r.word(p.value, "variable "+quote(p.name))})
	}
	return all
}

// statuses reads a list of exit statuses and gives the place of each.
func (r *benchReader) statuses(n node, what string) (codes []int, places []diag.Place) {
	for _, item := range r.list(n, what, "a list of numbers") {
		if !r.isA(item, scalar, "an exit status", "a number") {
			continue
		}
		x, err := lang.ParseNumber(item.Value)
		if err != nil || item.ShortTag() == "!!str" || x != float64(int(x)) || x < 0 || x > 255 {
			r.fail(item, "", "an exit status must be a number from 0 to 255, not %s", quote(item.Value))
			continue
		}
		codes, places = append(codes, int(x)), append(places, item.place())
	}
	return codes, places
}

// reject reads what declares a run or an iteration void.
func (r *benchReader) reject(e entry) {
	for _, p := range r.mapping(e.value, `"reject"`, "in reject", rejectKeys) {
		isGo := r.b.kind == result.KindGo
		switch {
		case p.name == "quorum":
			r.set(p.value, "reject.quorum", e.origin)
		case !isGo:
			r.b.reject, r.rejected = r.statuses(p.value, `"exit_codes"`)
		case e.origin == FromBenchmark:
			r.fail(p.key, "a Go function declares an iteration void itself: c.Try", "key %q has no meaning for a Go function", p.name)
		}
	}
}
