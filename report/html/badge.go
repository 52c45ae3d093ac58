package html

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/page/html"
	"example.com/suite/result"
)

// badge is a small picture for a README: a name, and what there is about it.
type badge struct {
	name, value harmless
	tone        page.Tone
}

// Widths in pixels of text in 11 px. textLength makes every font keep to them.
const (
	badgeHeight = 20
	glyphWidth  = 6.5
	badgeMargin = 6
)

// Colours on which white text has a contrast of at least 4.5 to 1.
var badgeColours = map[page.Tone]string{page.Bad: "#c0262d", page.Good: "#1a7f37"}

const badgeGrey, badgeBlue = "#555555", "#0b63a5"

// svg writes the badge.
func (b badge) svg() []byte {
	name, value := b.name.String(), b.value.String()
	colour := badgeColours[b.tone]
	if colour == "" {
		colour = badgeBlue
	}
	first, second := width(name)+2*badgeMargin, width(value)+2*badgeMargin
	text := func(at float64, s string) string {
		return fmt.Sprintf(`<text x="%.1f" y="14" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`,
			at+badgeMargin, width(s), html.Escape(s))
	}
	label := html.Escape(name + ": " + value)
	return fmt.Appendf(nil,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.1f" height="%d" role="img" aria-label="%s">`+
			`<title>%[3]s</title><clipPath id="r"><rect width="%.1[1]f" height="%[2]d" rx="3"/></clipPath>`+
			`<g clip-path="url(#r)"><rect width="%.1[4]f" height="%[2]d" fill="%[5]s"/>`+
			`<rect x="%.1[4]f" width="%.1[6]f" height="%[2]d" fill="%[7]s"/></g>`+
			`<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">%[8]s%[9]s</g></svg>`+"\n",
		first+second, badgeHeight, label, first, badgeGrey, second, colour, text(0, name), text(first, value))
}

func width(text string) float64 { return glyphWidth * float64(display.Width(text)) }

// badge of a case: its latest value, and its change within the history that is shown.
func (c *siteCase) badge() badge {
	one := c.series[0]
	b := badge{name: harmless(c.name), value: harmless(units.Format(one.Points[len(one.Points)-1].Value, one.Unit))}
	if text := one.StandingText(); text != "" && one.Recent == nil {
		b.value += harmless(", " + text)
		b.tone = toneOf(c)
	}
	return b
}

// badge of the project: how many of its cases are slower or faster than at the beginning of the history that is shown.
func (s *Site) badge(cases []siteCase) badge {
	slower, faster, acknowledged := 0, 0, 0
	for i := range cases {
		acknowledged += cases[i].series[0].CountAcknowledged()
		switch toneOf(&cases[i]) {
		case page.Bad:
			slower++
		case page.Good:
			faster++
		}
	}
	b := badge{name: "benchmarks", value: harmless(units.Plural(len(cases), "case") + ", none changed")}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{slower, "slower"}, {faster, "faster"}, {acknowledged, "acknowledged"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	switch {
	case slower > 0:
		b.tone = page.Bad
	case faster > 0:
		b.tone = page.Good
	}
	if len(parts) > 0 {
		b.value = harmless(strings.Join(parts, ", "))
	}
	return b
}

// toneOf is the tone of the headline of a case: bad, good, doubtful, faint if all that changed is acknowledged, or
// plain.
func toneOf(c *siteCase) page.Tone {
	switch _, call := c.series[0].Standing(); {
	case call == result.Worse:
		return page.Bad
	case call == result.Better:
		return page.Good
	case call == result.Unclear:
		return page.Doubtful
	case c.series[0].CountAcknowledged() > 0:
		return page.Faint
	}
	return page.Plain
}
