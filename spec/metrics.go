package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"gopkg.in/yaml.v3"
)

// Metric is a number that a command prints or writes.
type Metric struct {
	result.Declared
	From  string  `json:"from"`            // stdout, stderr or the absolute path of a file
	Regex string  `json:"regex,omitempty"` // one of Regex, JSON and Bench is set
	JSON  string  `json:"json,omitempty"`
	Bench string  `json:"bench,omitempty"`
	Scale float64 `json:"scale"` // SI base units in one of what is printed
}

// metric is one item of metrics, before expansion.
type metric struct {
	name   string
	from   string
	file   path // where from is empty
	how    string
	rule   *lang.Template // nil: its problem has been said
	unit   string
	better result.Direction
	exact  bool
}

// Ways to find a number in a text, of which a metric has one.
var metricRules = []string{"regex", "json", "bench"}

// metrics reads the metrics that a command prints. An empty list declares none,
// where defaults would declare some.
func (r *benchReader) metrics(n node) {
	r.b.metrics = nil
	if !r.isA(n, yaml.SequenceNode, `"metrics"`, "a list of mappings") {
		return
	}
	for _, item := range n.items() {
		r.metric(item)
	}
}

func (r *benchReader) metric(n node) {
	m := metric{from: "stdout"}
	given := map[string]node{}
	for _, p := range r.mapping(n, "a metric", "in a metric", metricKeys) {
		given[p.name] = p.value
	}
	if n.Kind != yaml.MappingNode {
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

// taken are names that gates use themselves, or will.
var taken = slices.Concat([]string{"case", "host", "params", "duration", "size", "geomean", "history", "arc", "order"},
	comparative, reservedNames, lang.DefaultBuiltins)

func (r *benchReader) metricName(n node, given map[string]node) string {
	at, ok := given["name"]
	if !ok {
		r.fail(n, "write it like {name: lines, regex: '([0-9]+) lines', unit: lines, better: higher}", "a metric without name")
		return ""
	}
	name, ok := r.str(at, `"name"`)
	_, known := result.FindMetric(name)
	switch {
	case !ok:
		return ""
	case !result.DeclaredName.MatchString(name):
		r.fail(at, "gates name it: write letters, digits and _, a letter first", "%s is not a name for a metric", quote(name))
	case known:
		r.fail(at, "choose another name", "%s is a metric of suite itself", quote(name))
	case slices.Contains(taken, name):
		r.fail(at, "choose another name", "a metric cannot be called %s: gates use the word themselves", quote(name))
	case slices.ContainsFunc(r.b.metrics, func(m metric) bool { return m.name == name }):
		r.fail(at, "", "metric %s comes twice", quote(name))
	}
	return name
}

// from reads where a metric is looked for.
func (r *benchReader) from(n node, m *metric) {
	if n.Kind != yaml.MappingNode {
		m.from = r.choice(n, `"from"`, "stdout", "stderr")
		return
	}
	pairs := r.mapping(n, `"from"`, "in from", fromKeys)
	for _, p := range pairs {
		m.from, m.file = "", path{r.template(p.value, `"file"`), n.src.dir}
	}
	if len(n.Content) == 0 {
		r.fail(n, "from: {file: report.json}", "from names no file")
	}
}

// rule reads the one key that says how the number is found.
func (r *benchReader) rule(n node, given map[string]node, m *metric) {
	for _, key := range metricRules {
		at, ok := given[key]
		switch {
		case !ok:
		case m.how != "":
			r.fail(at, "a metric has one of regex:, json: and bench:", "both %q and %q in a metric", m.how, key)
		default:
			m.how, m.rule = key, r.finder(at, key)
		}
	}
	if m.how == "" {
		r.fail(n, "give it one of regex:, json: and bench:", "nothing says where the number of the metric stands")
	}
}

// finder reads what finds a number. One without parameters is checked at once.
func (r *benchReader) finder(n node, how string) *lang.Template {
	t := r.template(n, quote(how))
	if t == nil || !t.Literal() {
		return t
	}
	text, err := t.Expand(lang.Scope{})
	if problem := checkRule(how, text); r.ok(err) && problem != nil {
		r.add(*problem)
		return nil
	}
	return t
}

// better reads which way the metric gets better. It is known of times, sizes,
// rates, and of what the Go benchmark format prints; for all others the file has
// to say it, because half of the guesses would be wrong.
func (r *benchReader) better(n node, given map[string]node, m *metric) {
	if at, ok := given["better"]; ok {
		m.better = result.Direction(r.choice(at, `"better"`, string(result.Lower), string(result.Higher)))
		return
	}
	base, _ := result.BaseUnit(m.unit)
	switch {
	case strings.HasSuffix(base, "/s"):
		m.better = result.Higher
	case m.how == "bench" && m.unit == "": // the unit that is printed will say it
	case m.how == "bench", base == "s", base == "B":
		m.better = result.Lower
	case m.name == "" || given["unit"].Node != nil && m.unit == "": // a fault that has been said
	default:
		r.fail(n, "better: lower, or better: higher", "which way metric %s gets better is not known", quote(m.name))
	}
}

func (r *benchReader) truth(n node, what string) bool {
	if r.isA(n, scalar, what, "true or false") && n.ShortTag() != "!!bool" {
		r.fail(n, "", "%s must be true or false, not %s", what, quote(n.Value))
	}
	return n.ShortTag() == "!!bool" && strings.EqualFold(n.Value, "true")
}
