package spec

import (
	"fmt"
	"maps"
	"slices"

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
	alone := &benchReader{reader: r, b: newBenchmark(n), loose: true}
	for _, key := range slices.Sorted(maps.Keys(l)) {
		alone.key(l[key])
	}
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
	br := &benchReader{reader: r, b: newBenchmark(n), where: where, misspelt: len(r.Found) > before}
	br.all(n, merge(own, outer))
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
	*reader
	b     *benchmark
	where string // for messages: in case "sort"
	names lang.Names
	given map[string]bool // parameters declared so far
	loose bool            // reads defaults alone: neither the parameters nor the kind are known

	rejected []diag.Place // of the exit statuses in reject

	misspelt bool // a key is unknown: it may be a misspelt body
	hopeless bool // the body or the parameters are not known
}

// all reads the merged keys. Parameters come first, because the other keys refer to them.
func (r *benchReader) all(n yaml.Node, l layer) {
	before := len(r.Found)
	for _, key := range paramKeys {
		if e, ok := l[key]; ok {
			r.key(e)
		}
	}
	r.names.Params = append(r.b.varying(), constantNames(r.b)...)
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
		r.Fail(l[found[1]].Key, "a benchmark has one of go:, command:, shell: and gotest:", "both %q and %q %s", found[0], found[1], r.where)
	default:
		r.b.kind = map[string]result.Kind{"go": result.KindGo, "command": result.KindCommand, "shell": result.KindShell, "gotest": result.KindGoTest}[found[0]]
	}
}

// applies reports whether a key has a meaning for the kind of the benchmark. A key without
// a meaning is a mistake in the benchmark itself, and skipped in defaults, which apply to
// benchmarks of all kinds.
func (r *benchReader) applies(e entry, l layer) bool {
	k := keysByName[e.Name]
	why := k.without.why(r.b.kind)
	if r.b.kind == result.KindGo && slices.ContainsFunc(k.with, func(key string) bool { _, ok := l[key]; return ok }) {
		why = ""
	}
	if why != "" && e.origin == FromBenchmark {
		r.FailAs(diag.UnknownKey, e.Key, why, "key %q has no meaning for a %s", e.Name, bodyNames[r.b.kind])
	}
	return why == ""
}

// bodyNames are the kinds of body as messages name them.
var bodyNames = map[result.Kind]string{result.KindGo: "Go function", result.KindCommand: "command", result.KindShell: "command", result.KindGoTest: "benchmark of gotest:"}

// checkSettings refuses settings that contradict each other.
func (r *benchReader) checkSettings(l layer) {
	s := r.b.settings
	follow(&s, r.b.origins)
	if e, ok := l["samples"]; ok && s.SamplesMin > s.SamplesMax {
		r.Fail(e.Value, "", "samples: min %d is more than max %d", s.SamplesMin, s.SamplesMax)
		r.b.wrong = append(r.b.wrong, e.Name)
	}
	if e, ok := l["target_time"]; ok && s.TargetTime > s.MaxTime {
		r.Fail(e.Value, "max_time ends a case always: raise it too", "target_time %s is longer than max_time %s", s.TargetTime, s.MaxTime)
	}
	if e, ok := l["warmup"]; ok && s.onlyWarmsUp() {
		r.Fail(e.Value, hintWarmup, "warmup %s leaves no time for samples within max_time %s", s.Warmup, s.MaxTime)
		r.b.wrong = append(r.b.wrong, e.Name)
	}
	for i, status := range r.b.reject {
		if slices.Contains(r.b.exitCodes, status) {
			r.Add(diag.Problem{Place: r.rejected[i], Message: fmt.Sprintf("exit status %d is in both exit_codes and reject", status),
				Hint: "a run is measured or void, not both; exit_codes is [0] by default"})
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
