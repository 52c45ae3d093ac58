package report

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/flow"
	"example.com/suite/report/page/text"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// A comment has no room for pegs of hundreds of cases, and counts the others.
func TestMarkdownOfManyFlows(t *testing.T) {
	doc := reporttest.Document("many")
	for i := range 40 {
		c := reporttest.Measure(doc, strings.Repeat("x", 1+i), 1e-6, 0.01)
		for j := range 200 {
			a := reporttest.ArcOf(strings.Repeat("p", 1+j), "to", 10, 1e-6)
			if c.Pegs == nil {
				c.Pegs = reporttest.PassOf(1e-6)
			}
			c.Pegs.Arcs = append(c.Pegs.Arcs, a)
		}
	}
	text := render(t, "markdown", doc, table.Options{})
	if !strings.Contains(text, "28 cases more with pegs") || !strings.Contains(text, "160 arcs more") || len(text) > 65000 {
		t.Errorf("%d bytes", len(text))
	}
	if lines := strings.Split(render(t, "text", doc, table.Options{}), "\n"); len(lines) > 160 || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "36 cases more with pegs") }) {
		t.Errorf("%d lines", len(lines))
	}
}

// Shares of a difference are printed only if there is one and both passes were timed.
// Shares above 100 % have an explanation.
func TestPartsOfADifference(t *testing.T) {
	side := func(seconds, mean float64) *result.Pegs {
		return reporttest.PassOf(seconds, reporttest.ArcOf("a", "b", 100, mean))
	}
	for name, c := range map[string]struct {
		base, own       *result.Pegs
		part, too, none bool
	}{
		"a part":         {side(3e-6, 1e-6), side(5e-6, 2e-6), true, false, false},
		"more than all":  {side(3e-6, 1e-6), side(4e-6, 3e-6), true, true, false},
		"hardly apart":   {side(3e-6, 1e-6), side(3.01e-6, 2e-6), false, false, true},
		"not timed here": {side(3e-6, 1e-6), side(0, 2e-6), false, false, false},
		"nor there":      {side(0, 1e-6), side(3e-6, 2e-6), false, false, false},
	} {
		var b strings.Builder
		if err := writeFlows(&b, []flow.Flow{flow.NewChanges(flow.Pegged{Label: "x", Case: &result.Case{Kind: result.KindGo, Pegs: c.own, BasePegs: c.base}}, "old")}, text.Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if strings.Contains(text, "change  of difference") != c.part || strings.Contains(text, "beyond 100%") != c.too || strings.Contains(text, "less than 1%") != c.none {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Reports for people show which arcs got slower.
func TestReportsShowSlowerArcs(t *testing.T) {
	for _, format := range []string{"text", "markdown", "junit", "junit-strict"} {
		if text := render(t, format, reporttest.Flowing(), table.Options{}); !strings.Contains(text, "check → emit") || !strings.Contains(text, "99%") {
			t.Errorf("%s does not name the arc", format)
		}
	}
}
