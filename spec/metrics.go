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

var (
	metricKeys = yaml.KeySet{Known: []string{"name", "from", "regex", "json", "bench", "unit", "better", "exact"}}
	fromKeys   = yaml.KeySet{Known: []string{"file"}}
)

// metricReader reads the metrics that a command prints.
type metricReader struct {
	*textReader
	metrics []metric
}

// readMetrics reads a list of metrics. An empty list removes the metrics of defaults.
func readMetrics(text *textReader, n yaml.Node) []metric {
	r := &metricReader{textReader: text}
	if r.IsA(n, yaml.List, `"metrics"`, "a list of mappings") {
		for _, item := range n.Items() {
			r.metric(item)
		}
	}
	return r.metrics
}

func (r *metricReader) metric(n yaml.Node) {
	m := metric{from: "stdout"}
	given := map[string]yaml.Node{}
	for _, p := range r.Mapping(n, "a metric", "in a metric", metricKeys) {
		given[p.Name] = p.Value
	}
	if n.Kind != yaml.Mapping {
		return
	}
	m.name = r.name(n, given)
	if at, ok := given["from"]; ok {
		r.from(at, &m)
	}
	r.rule(n, given, &m)
	r.unit(given, &m)
	r.better(n, given, &m)
	if at, ok := given["exact"]; ok {
		m.exact = readTruth(r.Reader, at, `"exact"`)
	}
	r.metrics = append(r.metrics, m)
}

func (r *metricReader) name(n yaml.Node, given map[string]yaml.Node) string {
	at, ok := given["name"]
	if !ok {
		r.Fail(n, "write it like {name: lines, regex: '([0-9]+) lines', unit: lines, better: higher}",
			"a metric without name")
		return ""
	}
	name, ok := r.Str(at, `"name"`)
	message, hint := MetricNameProblem(name)
	switch {
	case !ok:
		return ""
	case message != "":
		r.Fail(at, hint, "%s", message)
	case slices.ContainsFunc(r.metrics, func(m metric) bool { return m.name == name }):
		r.FailAs(diag.Duplicate, at, "", "metric %s comes twice", diag.Quote(name))
	}
	return name
}

// from reads in which output or file the number is.
func (r *metricReader) from(n yaml.Node, m *metric) {
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
func (r *metricReader) rule(n yaml.Node, given map[string]yaml.Node, m *metric) {
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
func (r *metricReader) finder(n yaml.Node, how string) *lang.Template {
	t := r.template(n, diag.Quote(how))
	if t == nil || !t.Literal() {
		return t
	}
	text, err := t.Expand(lang.Scope{})
	if problem := checkRule(how, text); r.Check(err) && problem != nil {
		r.Add(*problem)
		return nil
	}
	return t
}

// better reads whether lower or higher is better. It is known for times, sizes, rates and
// what the Go benchmark format prints. For all other units the file must have it: half of
// our guesses would be wrong.
func (r *metricReader) better(n yaml.Node, given map[string]yaml.Node, m *metric) {
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
		r.Fail(n, "better: lower, or better: higher",
			"it is not known whether a lower or a higher %s is better", diag.Quote(m.name))
	}
}

func readTruth(r *yaml.Reader, n yaml.Node, what string) bool {
	if r.IsA(n, yaml.Scalar, what, "true or false") && n.ShortTag() != "!!bool" {
		r.FailAs(diag.WrongType, n, "", "%s must be true or false, not %s", what, diag.Quote(n.Value))
	}
	return n.ShortTag() == "!!bool" && strings.EqualFold(n.Value, "true")
}

// misspeltUnits are common spellings that are not units here, and what to write instead.
var misspeltUnits = map[string]string{
	"msec": "ms", "millis": "ms", "milliseconds": "ms", "MS": "ms", "Ms": "ms",
	"usec": "us", "micros": "us", "microseconds": "us",
	"nsec": "ns", "nanos": "ns", "nanoseconds": "ns", "NS": "ns",
	"secs": "s", "seconds": "s", "second": "s", "S": "s",
	"minutes": "min", "m": "min", "hours": "h",
	"bytes": "B", "byte": "B", "b": "B",
	"kb": "kB", "KB": "kB", "mb": "MB", "Mb": "MB", "gb": "GB", "Gb": "GB",
	"kib": "KiB", "Kib": "KiB", "KIB": "KiB", "mib": "MiB", "Mib": "MiB", "MIB": "MiB",
	"gib": "GiB", "Gib": "GiB",
	"percent": "%",
}

// unit reads the unit of a metric. Without a unit the numbers are plain counts, except in
// the Go benchmark format, which prints units.
func (r *metricReader) unit(given map[string]yaml.Node, m *metric) {
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
		r.Fail(at, fmt.Sprintf("did you mean %q?", right+strings.TrimPrefix(unit, of)),
			"unknown unit %s of a metric", diag.Quote(unit))
	case !metricUnit().MatchString(unit):
		r.Fail(at, "units are ns us ms s min h, B kB MB GB KiB MiB GiB, %, or a word of your own: lines, req/s",
			"%s is not a unit", diag.Quote(unit))
	default:
		m.unit = unit
	}
}

// How the events of a counter are counted.
const (
	byPerf      = "perf"
	byCallgrind = "callgrind"
)

// counters are the events that a benchmark counts.
type counters struct {
	names     []named
	callgrind bool // instructions come from a simulated run
	none      bool // the list is empty, so none are counted in pairs
}

func (c *counters) has(name string) bool {
	return slices.ContainsFunc(c.names, func(one named) bool { return metricOf(one.name) == metricOf(name) })
}

// readCounters reads the events to count: a list of names, or a mapping from names to how they are
// counted. An empty list removes the counters of defaults, and the instructions that are
// counted in pairs unasked.
func readCounters(r *yaml.Reader, n yaml.Node) (chosen counters) {
	chosen.none = n.Kind == yaml.List && len(n.Items()) == 0
	if n.Kind == yaml.Mapping {
		for _, p := range r.Pairs(n, `in "counters"`) {
			how := r.Choice(p.Value, "counter "+diag.Quote(p.Name), byPerf, byCallgrind)
			switch {
			case how == byCallgrind && p.Name == "instructions":
				chosen.callgrind = true
			case chosen.has(p.Name):
				r.FailAs(diag.Duplicate, p.Key, "", "counter %s comes twice", diag.Quote(p.Name))
			case how == byCallgrind:
				r.Fail(p.Value, "counters: {instructions: callgrind}",
					"callgrind counts instructions alone, not %s", diag.Quote(p.Name))
			default:
				chosen.names = append(chosen.names, named{name: p.Name, place: p.Key.Place()})
			}
		}
		return chosen
	}
	if !r.IsA(n, yaml.List, `"counters"`, "a list of names") {
		return chosen
	}
	for _, item := range n.Items() {
		name, ok := r.Str(item, "a counter")
		switch {
		case !ok:
		case chosen.has(name):
			r.FailAs(diag.Duplicate, item, "", "counter %s comes twice", diag.Quote(name))
		default:
			chosen.names = append(chosen.names, named{name: name, place: item.Place()})
		}
	}
	return chosen
}
