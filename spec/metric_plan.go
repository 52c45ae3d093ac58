package spec

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

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

// declare gives a metric its place, unit and direction.
func (p *planner) declare(b *benchmark, m metric, rule string) Metric {
	out := Metric{Declared: result.Declared{Name: m.name, Better: m.better, Exact: m.exact}, From: m.from}
	unit := m.unit
	switch m.how {
	case "regex":
		out.Regex = rule
	case "json":
		out.JSON = rule
	case "bench":
		if out.Bench = rule; unit == "" {
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

// text is the metric in a line of a plan.
func (m *Metric) text() string {
	rule := cmp.Or(m.Regex, m.JSON, m.Bench)
	how := metricRules[slices.Index([]string{m.Regex, m.JSON, m.Bench}, rule)]
	s := fmt.Sprintf("%s: %s %s in %s, %s is better", m.Name, how, rule, m.From, m.Better)
	if m.Unit != "" {
		s += ", in " + m.Unit
	}
	if m.Exact {
		s += ", exact"
	}
	return s
}

// checkRule says what is wrong with what finds the number of a metric.
func checkRule(how string, text lang.Text) *diag.Problem {
	problem := func(at int, message, hint string) *diag.Problem {
		p := text.Problem(at, message, hint)
		return &p
	}
	if strings.TrimSpace(text.Value) == "" {
		return &diag.Problem{Place: text.Place, Message: diag.Quote(how) + " is empty"}
	}
	switch how {
	case "regex":
		if _, err := extract.Regex(text.Value); err != nil {
			return problem(regexFault(text.Value), "regex: "+err.Error(), regexHint)
		}
	case "json":
		if err := extract.Path(text.Value); err != nil {
			return problem(0, "json: "+err.Error(), "")
		}
	case "bench":
		if strings.ContainsAny(text.Value, " \t\n") {
			return problem(0, fmt.Sprintf("bench: %s is not a unit of the Go benchmark format", diag.Quote(text.Value)), "bench: ns/op")
		}
	}
	return nil
}

const regexHint = "one group ( ) is the number; a group that is not writes (?: )"

// regexFault is where in a regular expression its fault lies, in characters.
func regexFault(text string) int {
	_, err := syntax.Parse(text, syntax.Perl)
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return 0
	}
	if at := strings.LastIndex(text, fault.Expr); at > 0 {
		return utf8.RuneCountInString(text[:at])
	}
	return 0
}
