package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// metrics reads the metrics that a command prints. An empty list removes the metrics of
// defaults.
func (r *benchReader) metrics(n yaml.Node) {
	r.b.metrics = nil
	if !r.IsA(n, yaml.List, `"metrics"`, "a list of mappings") {
		return
	}
	for _, item := range n.Items() {
		r.metric(item)
	}
}

func (r *benchReader) metric(n yaml.Node) {
	m := metric{from: "stdout"}
	given := map[string]yaml.Node{}
	for _, p := range r.Mapping(n, "a metric", "in a metric", metricKeys) {
		given[p.Name] = p.Value
	}
	if n.Kind != yaml.Mapping {
		return
	}
	m.name = r.metricName(n, given)
	if at, ok := given["from"]; ok {
		r.from(at, &m)
	}
	r.rule(n, given, &m)
	r.unit(given, &m)
	r.better(n, given, &m)
	if at, ok := given["exact"]; ok {
		m.exact = r.truth(at, `"exact"`)
	}
	r.b.metrics = append(r.b.metrics, m)
}

func (r *benchReader) metricName(n yaml.Node, given map[string]yaml.Node) string {
	at, ok := given["name"]
	if !ok {
		r.Fail(n, "write it like {name: lines, regex: '([0-9]+) lines', unit: lines, better: higher}", "a metric without name")
		return ""
	}
	name, ok := r.Str(at, `"name"`)
	message, hint := MetricNameProblem(name)
	switch {
	case !ok:
		return ""
	case message != "":
		r.Fail(at, hint, "%s", message)
	case slices.ContainsFunc(r.b.metrics, func(m metric) bool { return m.name == name }):
		r.FailAs(diag.Duplicate, at, "", "metric %s comes twice", diag.Quote(name))
	}
	return name
}

// from reads in which output or file the number is.
func (r *benchReader) from(n yaml.Node, m *metric) {
	if n.Kind != yaml.Mapping {
		m.from = r.Choice(n, `"from"`, "stdout", "stderr")
		return
	}
	pairs := r.Mapping(n, `"from"`, "in from", fromKeys)
	for _, p := range pairs {
		m.from, m.file = "", path{r.template(p.Value, `"file"`), n.Dir()}
	}
	if len(n.Content) == 0 {
		r.Fail(n, "from: {file: report.json}", "from names no file")
	}
}

// rule reads the one key that defines how the number is found.
func (r *benchReader) rule(n yaml.Node, given map[string]yaml.Node, m *metric) {
	for _, key := range metricRules {
		at, ok := given[key]
		switch {
		case !ok:
		case m.how != "":
			r.Fail(at, "a metric has one of regex:, json: and bench:", "both %q and %q in a metric", m.how, key)
		default:
			m.how, m.rule = key, r.finder(at, key)
		}
	}
	if m.how == "" {
		r.Fail(n, "give it one of regex:, json: and bench:", "a metric without regex, json or bench")
	}
}

// finder reads a rule. A rule without parameters is checked at once.
func (r *benchReader) finder(n yaml.Node, how string) *lang.Template {
	t := r.template(n, diag.Quote(how))
	if t == nil || !t.Literal() {
		return t
	}
	text, err := t.Expand(lang.Scope{})
	if problem := checkRule(how, text); r.ok(err) && problem != nil {
		r.Add(*problem)
		return nil
	}
	return t
}

// better reads whether lower or higher is better. It is known for times, sizes, rates and
// what the Go benchmark format prints. For all other units the file must say it: half of
// our guesses would be wrong.
func (r *benchReader) better(n yaml.Node, given map[string]yaml.Node, m *metric) {
	if at, ok := given["better"]; ok {
		m.better = result.Direction(r.Choice(at, `"better"`, string(result.Lower), string(result.Higher)))
		return
	}
	base, _ := result.BaseUnit(m.unit)
	switch {
	case strings.HasSuffix(base, "/s"):
		m.better = result.Higher
	case m.how == "bench" && m.unit == "": // known from the unit that is printed
	case m.how == "bench", base == "s", base == "B":
		m.better = result.Lower
	case m.name == "" || given["unit"].Node != nil && m.unit == "": // reported already
	default:
		r.Fail(n, "better: lower, or better: higher", "it is not known whether a lower or a higher %s is better", diag.Quote(m.name))
	}
}

func (r *benchReader) truth(n yaml.Node, what string) bool {
	if r.IsA(n, yaml.Scalar, what, "true or false") && n.ShortTag() != "!!bool" {
		r.FailAs(diag.WrongType, n, "", "%s must be true or false, not %s", what, diag.Quote(n.Value))
	}
	return n.ShortTag() == "!!bool" && strings.EqualFold(n.Value, "true")
}

// misspeltUnits are common spellings that are not units here, and what to write instead.
var misspeltUnits = map[string]string{"msec": "ms", "millis": "ms", "milliseconds": "ms", "usec": "us", "micros": "us", "microseconds": "us",
	"nsec": "ns", "nanos": "ns", "nanoseconds": "ns", "secs": "s", "seconds": "s", "second": "s", "minutes": "min", "m": "min", "hours": "h",
	"bytes": "B", "byte": "B", "b": "B", "kb": "kB", "KB": "kB", "mb": "MB", "Mb": "MB", "gb": "GB", "Gb": "GB",
	"kib": "KiB", "Kib": "KiB", "KIB": "KiB", "mib": "MiB", "Mib": "MiB", "MIB": "MiB", "gib": "GiB", "Gib": "GiB", "percent": "%", "S": "s", "MS": "ms", "Ms": "ms", "NS": "ns"}

// unit reads the unit of a metric. Without a unit the numbers are plain counts, except in
// the Go benchmark format, which prints units.
func (r *benchReader) unit(given map[string]yaml.Node, m *metric) {
	at, ok := given["unit"]
	if !ok {
		return
	}
	unit, ok := r.Str(at, `"unit"`)
	of, _, _ := strings.Cut(unit, "/")
	right, wrong := misspeltUnits[of]
	switch {
	case !ok:
	case wrong:
		r.Fail(at, fmt.Sprintf("did you mean %q?", right+strings.TrimPrefix(unit, of)), "unknown unit %s of a metric", diag.Quote(unit))
	case !metricUnit().MatchString(unit):
		r.Fail(at, "units are ns us ms s min h, B kB MB GB KiB MiB GiB, %, or a word of your own: lines, req/s", "%s is not a unit", diag.Quote(unit))
	default:
		m.unit = unit
	}
}

// How the events of a counter are counted.
const (
	byPerf      = "perf"
	byCallgrind = "callgrind"
)

// counters reads the events to count: a list of names, or a mapping from names to how they are
// counted. An empty list removes the counters of defaults, and the instructions that are
// counted in pairs unasked.
func (r *benchReader) counters(n yaml.Node) {
	r.b.counters, r.b.callgrind = nil, false
	r.b.noWitness = n.Kind == yaml.List && len(n.Items()) == 0
	if n.Kind == yaml.Mapping {
		for _, p := range r.Pairs(n, `in "counters"`) {
			how := r.Choice(p.Value, "counter "+diag.Quote(p.Name), byPerf, byCallgrind)
			switch {
			case how == byCallgrind && p.Name == "instructions":
				r.b.callgrind = true
			case slices.ContainsFunc(r.b.counters, func(c named) bool { return metricOf(c.name) == metricOf(p.Name) }):
				r.FailAs(diag.Duplicate, p.Key, "", "counter %s comes twice", diag.Quote(p.Name))
			case how == byCallgrind:
				r.Fail(p.Value, "counters: {instructions: callgrind}", "callgrind counts instructions alone, not %s", diag.Quote(p.Name))
			default:
				r.b.counters = append(r.b.counters, named{name: p.Name, place: p.Key.Place()})
			}
		}
		return
	}
	if !r.IsA(n, yaml.List, `"counters"`, "a list of names") {
		return
	}
	for _, item := range n.Items() {
		name, ok := r.Str(item, "a counter")
		switch {
		case !ok:
		case slices.ContainsFunc(r.b.counters, func(c named) bool { return metricOf(c.name) == metricOf(name) }):
			r.FailAs(diag.Duplicate, item, "", "counter %s comes twice", diag.Quote(name))
		default:
			r.b.counters = append(r.b.counters, named{name: name, place: item.Place()})
		}
	}
}
