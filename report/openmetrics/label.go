package openmetrics

import (
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// caseLabels are suite, case and parameters. Two cases that look the same get
// different labels: a series must not be there twice.
func caseLabels(c *result.Case, names table.Distinct) string {
	text := labels("suite", c.Suite, "case", c.Name)
	for i := 2; names[text]; i++ {
		text = labels("suite", c.Suite, "case", table.NumberedName(c.Name, i))
	}
	names[text] = true
	used := map[string]bool{}
	for _, p := range c.Params {
		if name := "param_" + labelName(p.Name); !used[name] {
			used[name] = true
			text += "," + labels(name, p.Text)
		}
	}
	return text
}

// labels joins names and values: a="x",b="y".
func labels(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(pairs[i] + `="` + escapeLabel(pairs[i+1]) + `"`)
	}
	return b.String()
}

// labelEscapes are all that the format knows.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// escapeLabel makes a text fit for a label or for help. Control characters but
// line feeds are made visible first: a carriage return ends a line for some readers.
func escapeLabel(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = display.Visible(l)
	}
	return labelEscapes.Replace(strings.Join(lines, "\n"))
}

// labelName maps what names of labels and metrics must not hold to underscores.
func labelName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

// Series is the median of a metric of a case: its name with its labels.
type Series struct{ Metric, Name string }

// SeriesOf returns the series of a case. names are the labels of the cases before it, and it adds
// the case's labels.
func SeriesOf(c *result.Case, names table.Distinct) (all []Series) {
	front := caseLabels(c, names)
	for _, m := range familiesOf(c) {
		all = append(all, Series{m.Name, "suite_" + m.family + "{" + front + perLabel(c, m.Name) + "}"})
	}
	return all
}

// perLabel is the label for what a number belongs to, empty for a run as a whole.
func perLabel(c *result.Case, metric string) string {
	if per := table.PerWhat(c, metric); per != "" {
		return "," + labels("per", per)
	}
	return ""
}
