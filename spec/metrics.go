package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
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

// taken are names that gates use themselves, or will.
var taken = slices.Concat([]string{"case", "host", "params", "duration", "size", "geomean", "history", "arc", "order"},
	comparative, reservedNames, lang.DefaultBuiltins)

func (r *benchReader) metricName(n yaml.Node, given map[string]yaml.Node) string {
	at, ok := given["name"]
	if !ok {
		r.Fail(n, "write it like {name: lines, regex: '([0-9]+) lines', unit: lines, better: higher}", "a metric without name")
		return ""
	}
	name, ok := r.Str(at, `"name"`)
	_, known := result.FindMetric(name)
	switch {
	case !ok:
		return ""
	case !result.DeclaredName.MatchString(name):
		r.Fail(at, "gates name it: write letters, digits and _, a letter first", "%s is not a name for a metric", diag.Quote(name))
	case known:
		r.Fail(at, "choose another name", "%s is a metric of suite itself", diag.Quote(name))
	case slices.Contains(taken, name):
		r.Fail(at, "choose another name", "a metric cannot be called %s: gates use the word themselves", diag.Quote(name))
	case slices.ContainsFunc(r.b.metrics, func(m metric) bool { return m.name == name }):
		r.Fail(at, "", "metric %s comes twice", diag.Quote(name))
	}
	return name
}

// from reads where a metric is looked for.
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

// rule reads the one key that says how the number is found.
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
		r.Fail(n, "give it one of regex:, json: and bench:", "nothing says where the number of the metric stands")
	}
}

// finder reads what finds a number. One without parameters is checked at once.
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

// better reads which way the metric gets better. It is known of times, sizes,
// rates, and of what the Go benchmark format prints; for all others the file has
// to say it, because half of the guesses would be wrong.
func (r *benchReader) better(n yaml.Node, given map[string]yaml.Node, m *metric) {
	if at, ok := given["better"]; ok {
		m.better = result.Direction(r.Choice(at, `"better"`, string(result.Lower), string(result.Higher)))
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
		r.Fail(n, "better: lower, or better: higher", "which way metric %s gets better is not known", diag.Quote(m.name))
	}
}

func (r *benchReader) truth(n yaml.Node, what string) bool {
	if r.IsA(n, yaml.Scalar, what, "true or false") && n.ShortTag() != "!!bool" {
		r.Fail(n, "", "%s must be true or false, not %s", what, diag.Quote(n.Value))
	}
	return n.ShortTag() == "!!bool" && strings.EqualFold(n.Value, "true")
}
