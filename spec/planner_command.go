package spec

import (
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// services expands the services of a case. A service has the folder of the case, unless it
// sets its own, and the environment of the case in addition to its own.
func (x *expansion) services() {
	b, c := x.b, x.c
	c.Services = nil
	for i := range b.services {
		s := &b.services[i]
		out := Service{
			Argv:    x.words(s.argv),
			Env:     slices.Clone(c.Env),
			Cwd:     c.Cwd,
			Timeout: s.timeout,
			Stop:    s.stop,
		}
		if s.cwd.text != nil {
			out.Cwd = x.path(s.cwd)
		}
		out.Env = append(out.Env, x.variables(s.env)...)
		out.Ready = Ready{TCP: x.address(s.tcp), File: x.path(s.file), Line: x.pattern(s.line)}
		if s.file.text != nil && out.Ready.File == "" {
			x.fail(s.file.text.Text.Place, "", `"file" is empty in case %s`, diag.Quote(c.Name))
		}
		c.Services = append(c.Services, out)
	}
}

// address expands a TCP address. A port alone is a port of this machine.
func (x *expansion) address(t *lang.Template) string {
	before := len(x.Found)
	text := x.text(t)
	if t == nil || len(x.Found) > before {
		return ""
	}
	if _, err := strconv.Atoi(text); err == nil {
		text = ":" + text
	}
	name, port, err := net.SplitHostPort(text)
	if number, bad := strconv.Atoi(port); err != nil || bad != nil || number < 1 || number > 65535 {
		x.fail(t.Text.Place, `write it like tcp: "localhost:8080"`, "%s is not the address of a port", diag.Quote(text))
		return ""
	}
	if name == "" {
		name = "localhost"
	}
	return net.JoinHostPort(name, port)
}

// pattern expands a regular expression and checks it.
func (x *expansion) pattern(t *lang.Template) string {
	before := len(x.Found)
	text := x.text(t)
	if t != nil && text == "" && len(x.Found) == before {
		x.fail(t.Text.Place, "", `"line" is empty, and matches every line`)
	}
	if _, err := regexp.Compile(text); err != nil {
		message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		x.Add(t.Text.Problem(regexFault(text), "line: "+message, ""))
	}
	return text
}

// metrics expands the metrics of a case.
func (x *expansion) metrics() {
	b, c := x.b, x.c
	for _, m := range b.metrics {
		if m.rule == nil {
			continue
		}
		text, err := m.rule.Expand(x.scope)
		if !x.Check(err) {
			continue
		}
		if problem := checkRule(m.how, text); problem != nil {
			x.Add(*problem)
			continue
		}
		c.Metrics = append(c.Metrics, x.declare(m, text.Value))
	}
}

func (x *expansion) declare(m metric, rule string) Metric {
	out := Metric{Declared: result.Declared{Name: m.name, Better: m.better, Exact: m.exact}, From: m.from}
	unit := m.unit
	switch m.how {
	case "regex":
		out.Regex = rule
	case "json":
		out.JSON = rule
	case "bench":
		out.Bench = rule
		if unit == "" {
			unit = rule
		}
	}
	if out.From == "" {
		out.From = filepath.Clean(x.path(m.file))
	}
	out.Unit, out.Scale = result.BaseUnit(unit)
	switch {
	case out.Better != "":
	case strings.HasSuffix(out.Unit, "/s"): // as benchstat has it
		out.Better = result.Higher
	default:
		out.Better = result.Lower
	}
	return out
}

// The metrics of the events that a benchmark counts are in the order of the metric
// table. Unknown ones come last.
func (p *planner) counters(chosen []named) (metrics []string) {
	known := p.catalogue.Counters
	for _, c := range chosen {
		if known != nil && !slices.Contains(known, c.name) {
			p.failAs(diag.UnknownName, c.place, nearest(c.name, oneSpelling(known)),
				"unknown counter %s", diag.Quote(c.name))
		}
		metrics = append(metrics, metricOf(c.name))
	}
	slices.SortStableFunc(metrics, func(a, b string) int { return rank(a) - rank(b) })
	return metrics
}

func rank(metric string) int {
	table := result.Metrics()
	if i := slices.IndexFunc(table, func(m result.Metric) bool { return m.Name == metric }); i >= 0 {
		return i
	}
	return len(table)
}

// oneSpelling removes the second spelling of each name.
func oneSpelling(names []string) (kept []string) {
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[metricOf(name)] {
			seen[metricOf(name)] = true
			kept = append(kept, name)
		}
	}
	return kept
}
