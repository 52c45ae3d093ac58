package report

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
