package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// layer is the keys of one mapping: of a benchmark, or of one defaults.
type layer map[string]entry

// entry is a key and where it was given.
type entry struct {
	yaml.Pair
	origin Origin
}

// defaults reads a defaults mapping. Its values are checked as far as that is possible
// without a benchmark: the kind and the parameters are not known.
func (r *reader) defaults(n yaml.Node) layer {
	l := layer{}
	for _, p := range r.Mapping(n, `"defaults"`, "in defaults", benchmarkKeys) {
		l[p.Name] = entry{p, FromDefaults}
	}
	alone := r.benchReader(newBenchmark(n))
	alone.text.loose = true
	for _, key := range slices.Sorted(maps.Keys(l)) {
		alone.key(l[key])
	}
	r.s.given = append(r.s.given, alone.text.given...)
	return l
}

// benchmark reads one item of benchmarks; number counts from 1. It returns nil if nothing
// more can be checked, because the body or the parameters are not known.
func (r *reader) benchmark(n yaml.Node, number int, outer []layer) *benchmark {
	before := len(r.Found)
	where := "in " + label(n, number)
	own := layer{}
	if !r.IsA(n, yaml.Mapping, "a benchmark", "a mapping") {
		return nil
	}
	for _, p := range r.Mapping(n, "a benchmark", where, benchmarkKeys) {
		own[p.Name] = entry{p, FromBenchmark}
	}
	br := r.benchReader(newBenchmark(n))
	br.where = where
	br.misspelt = len(r.Found) > before
	br.all(n, merge(own, outer))
	r.s.given = append(r.s.given, br.text.given...)
	if br.hopeless {
		return nil
	}
	return br.b
}

// labelKeys are the keys whose value names a benchmark in messages. The first one that a
// benchmark has is used.
var labelKeys = append([]string{"name"}, bodyKeys...)

// label is how messages name a benchmark: case "sort", or benchmark 3 if it has no
// name.
func label(n yaml.Node, number int) string {
	for _, key := range labelKeys {
		for i := 0; i+1 < len(n.Content); i += 2 {
			value := n.Child(n.Content[i+1])
			if n.Content[i].Value == key && value.Kind == yaml.Scalar && value.Value != "" {
				return "case " + diag.Quote(value.Value)
			}
		}
	}
	return fmt.Sprintf("benchmark %d", number)
}

// merge adds the keys that a benchmark does not have itself, from the nearest defaults that
// have them. If a benchmark has a body, the body of the defaults is left out, whatever its
// kind.
func merge(own layer, outer []layer) layer {
	for _, l := range outer {
		body := hasBody(own)
		for key, e := range l {
			if _, ok := own[key]; !ok && !(body && slices.Contains(bodyKeys, key)) {
				own[key] = e
			}
		}
	}
	return own
}

func hasBody(l layer) bool {
	return slices.ContainsFunc(bodyKeys, func(key string) bool { _, ok := l[key]; return ok })
}

// benchReader reads the keys of one benchmark.
type benchReader struct {
	*yaml.Reader
	b      *benchmark
	text   *textReader
	params *paramReader
	where  string // for messages: in case "sort"

	rejected []diag.Place // of the exit statuses in reject

	misspelt bool // a key is unknown: it may be a misspelt body
	hopeless bool // the body or the parameters are not known
}

func (r *reader) benchReader(b *benchmark) *benchReader {
	values := &r.Reader
	return &benchReader{
		Reader: values,
		b:      b,
		text:   &textReader{Reader: values},
		params: &paramReader{Reader: values, parameters: &b.parameters},
	}
}

// all reads the merged keys. Parameters come first, because the other keys refer to them.
func (r *benchReader) all(n yaml.Node, l layer) {
	before := len(r.Found)
	for _, key := range paramKeys {
		if e, ok := l[key]; ok {
			r.key(e)
		}
	}
	r.text.names.Params = r.b.names()
	r.body(n, l)
	r.hopeless = len(r.Found) > before || r.b.kind == ""
	for _, key := range slices.Sorted(maps.Keys(l)) {
		if !slices.Contains(paramKeys, key) && r.applies(l[key], l) {
			r.key(l[key])
		}
	}
	r.checkSettings(l)
}

// body finds the one key that defines what is measured.
func (r *benchReader) body(n yaml.Node, l layer) {
	var found []string
	for _, key := range bodyKeys {
		if _, ok := l[key]; ok {
			found = append(found, key)
		}
	}
	switch {
	case len(found) == 0 && r.misspelt:
	case len(found) == 0:
		r.Fail(n, "give it one of go:, command:, shell: and gotest:", "nothing to measure %s", r.where)
	case len(found) > 1:
		r.Fail(l[found[1]].Key, "a benchmark has one of go:, command:, shell: and gotest:",
			"both %q and %q %s", found[0], found[1], r.where)
	default:
		r.b.kind = map[string]result.Kind{
			"go":      result.KindGo,
			"command": result.KindCommand,
			"shell":   result.KindShell,
			"gotest":  result.KindGoTest,
		}[found[0]]
	}
}

// applies reports whether a key has a meaning for the kind of the benchmark. A key without
// a meaning is a mistake in the benchmark itself, and skipped in defaults, which apply to
// benchmarks of all kinds.
func (r *benchReader) applies(e entry, l layer) bool {
	k := keysByName[e.Name]
	why := k.without.why(r.b.kind)
	given := func(key string) bool { _, ok := l[key]; return ok }
	if r.b.kind != result.KindGoTest && slices.ContainsFunc(k.with, given) {
		why = ""
	}
	body := bodyNames[r.b.kind]
	if r.b.kind == result.KindCommand && given(harnessKey) && k.without.harness != "" {
		why, body = k.without.harness, "command with a harness"
	}
	if why != "" && e.origin == FromBenchmark {
		r.FailAs(diag.UnknownKey, e.Key, why, "key %q has no meaning for a %s", e.Name, body)
	}
	return why == ""
}

// bodyNames are the kinds of body as messages name them.
var bodyNames = map[result.Kind]string{
	result.KindGo:      "Go function",
	result.KindCommand: "command",
	result.KindShell:   "command",
	result.KindGoTest:  "benchmark of gotest:",
}

// checkSettings refuses settings that contradict each other.
func (r *benchReader) checkSettings(l layer) {
	s := r.b.settings
	follow(&s, r.b.origins)
	if e, ok := l["samples"]; ok && s.SamplesMin > s.SamplesMax {
		r.Fail(e.Value, "", "samples: min %d is more than max %d", s.SamplesMin, s.SamplesMax)
		r.b.wrong = append(r.b.wrong, e.Name)
	}
	if e, ok := l["target_time"]; ok && s.TargetTime > s.MaxTime {
		r.Fail(e.Value, "max_time ends a case always: raise it too",
			"target_time %s is longer than max_time %s", s.TargetTime, s.MaxTime)
	}
	if e, ok := l["warmup"]; ok && s.onlyWarmsUp() {
		r.Fail(e.Value, hintWarmup, "warmup %s leaves no time for samples within max_time %s", s.Warmup, s.MaxTime)
		r.b.wrong = append(r.b.wrong, e.Name)
	}
	for i, status := range r.b.reject {
		if slices.Contains(r.b.exitCodes, status) {
			r.Add(diag.Problem{
				Place:   r.rejected[i],
				Message: fmt.Sprintf("exit status %d is in both exit_codes and reject", status),
				Hint:    "a run is measured or void, not both; exit_codes is [0] by default",
			})
		}
	}
}

// key reads one key of a benchmark and notes it as wrong if it has a problem.
func (r *benchReader) key(e entry) {
	before := len(r.Found)
	keysByName[e.Name].read(r, e)
	if len(r.Found) > before {
		r.b.wrong = append(r.b.wrong, e.Name)
	}
}

// set reads a setting, or keeps it for later if its value has ${…} in it.
func (r *benchReader) set(n yaml.Node, key string, origin Origin) {
	if strings.Contains(n.Value, "${") {
		r.late(n, key)
	} else if !readSetting(r.Reader, n, key, &r.b.settings) {
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
	if t := r.text.template(n, diag.Quote(key)); t != nil {
		d, _ := findSetting(key)
		r.b.late = append(r.b.late, lateSetting{d, t})
	}
}

// exactly reads the short form of samples: one number is both bounds.
func (r *benchReader) exactly(n yaml.Node, origin Origin) {
	before := len(r.Found)
	r.set(n, "samples.min", origin)
	if len(r.Found) == before {
		r.set(n, "samples.max", origin)
	}
}

var rejectKeys = yaml.KeySet{Known: []string{"exit_codes", "quorum"}}

// reject reads what makes a run or an iteration void: it is neither measured nor a failure.
func (r *benchReader) reject(e entry) {
	for _, p := range r.Mapping(e.Value, `"reject"`, "in reject", rejectKeys) {
		isGo := r.b.kind == result.KindGo
		switch {
		case p.Name == "quorum":
			r.set(p.Value, "reject.quorum", e.origin)
		case !isGo:
			r.b.reject, r.rejected = readStatuses(r.Reader, p.Value, "a list of numbers")
		case e.origin == FromBenchmark:
			r.FailAs(diag.UnknownKey, p.Key, "a Go function declares an iteration void itself: c.Try",
				"key %q has no meaning for a Go function", p.Name)
		}
	}
}

// readSetting reads one setting of a benchmark and reports whether it was right.
func readSetting(r *yaml.Reader, n yaml.Node, key string, s *Settings) bool {
	d, _ := findSetting(key)
	if !r.IsA(n, yaml.Scalar, diag.Quote(key), "one value") {
		return false
	}
	err := d.set(s, n.Value)
	if n.ShortTag() == "!!str" && err == nil {
		if _, plain := lang.ParseNumber(n.Value); plain == nil {
			r.FailAs(diag.WrongType, n, "leave out the quotes", "%s: %s is text, not a number",
				key, diag.Quote(n.Value))
			return false
		}
	}
	if err != nil {
		r.Fail(n, "", "%s: %s", key, diag.Clip(err.Error()))
	}
	return err == nil
}
