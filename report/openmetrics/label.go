package openmetrics

import (
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// caseLabels are suite, case and parameters. Cases with equal labels are numbered,
// because a series may occur only once.
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

// labelEscapes are all escapes that the format has.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// escapeLabel prepares a text for a label or for help. Control characters other than
// line feeds are made visible first: for some consumers a carriage return ends a
// line.
func escapeLabel(s string) string {
	return labelEscapes.Replace(display.Lines(strings.Split(s, "\n")...))
}

// labelName replaces the characters that names of labels and metrics must not
// contain.
func labelName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

// perLabel is the unit that a number is per. It is empty for a whole run.
func perLabel(c *result.Case, metric string) string {
	if per := table.PerWhat(c, metric); per != "" {
		return "," + labels("per", per)
	}
	return ""
}
