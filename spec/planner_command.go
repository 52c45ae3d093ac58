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
func (p *planner) services(b *benchmark, c *Case) {
	c.Services = nil
	for i := range b.services {
		s := &b.services[i]
		out := Service{Argv: p.words(s.argv), Env: slices.Clone(c.Env), Cwd: c.Cwd, Timeout: s.timeout, Stop: s.stop, Place: s.place}
		if s.cwd.text != nil {
			out.Cwd = p.path(s.cwd)
		}
		for _, v := range s.env {
			out.Env = append(out.Env, v.name+"="+p.text(v.value))
		}
		out.Ready = Ready{TCP: p.address(s.tcp), File: p.path(s.file), Line: p.pattern(s.line)}
		if s.file.text != nil && out.Ready.File == "" {
			p.fail(s.file.text.Text.Place, "", `"file" is empty in case %s`, diag.Quote(c.Name))
		}
		c.Services = append(c.Services, out)
	}
}

// address expands a TCP address. A port alone is a port of this machine.
func (p *planner) address(t *lang.Template) string {
	before := len(p.Found)
	text := p.text(t)
	if t == nil || len(p.Found) > before {
		return ""
	}
	if _, err := strconv.Atoi(text); err == nil {
		text = ":" + text
	}
	name, port, err := net.SplitHostPort(text)
	if number, bad := strconv.Atoi(port); err != nil || bad != nil || number < 1 || number > 65535 {
		p.fail(t.Text.Place, `write it like tcp: "localhost:8080"`, "%s is not the address of a port", diag.Quote(text))
		return ""
	}
	if name == "" {
		name = "localhost"
	}
	return net.JoinHostPort(name, port)
}

// pattern expands a regular expression and checks it.
func (p *planner) pattern(t *lang.Template) string {
	before := len(p.Found)
	text := p.text(t)
	if t != nil && text == "" && len(p.Found) == before {
		p.fail(t.Text.Place, "", `"line" is empty, and matches every line`)
	}
	if _, err := regexp.Compile(text); err != nil {
		message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		p.Add(t.Text.Problem(regexFault(text), "line: "+message, ""))
	}
	return text
}

// metrics expands the metrics of a case.
func (p *planner) metrics(b *benchmark, c *Case) {
	for _, m := range b.metrics {
		if m.rule == nil {
			continue
		}
		text, err := m.rule.Expand(p.scope)
		if !p.check(err) {
			continue
		}
		if problem := checkRule(m.how, text); problem != nil {
			p.Add(*problem)
			continue
		}
		c.Metrics = append(c.Metrics, p.declare(b, m, text.Value))
	}
}

func (p *planner) declare(b *benchmark, m metric, rule string) Metric {
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
		out.From = filepath.Clean(p.path(m.file))
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
			p.failAs(diag.UnknownName, c.place, nearest(c.name, oneSpelling(known)), "unknown counter %s", diag.Quote(c.name))
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
