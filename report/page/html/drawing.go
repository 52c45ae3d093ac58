package html

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
)

// drawing writes a picture with what it shows, how to read it, and its numbers.
func (w *writer) drawing(d *drawing.Drawing, at place) {
	if d.Caption == "" && d.Sheet == nil {
		w.svg(d)
		return
	}
	w.raw("<figure><figcaption><bdi>", Escape(cmp.Or(d.Heading, d.Title)), "</bdi></figcaption>")
	w.svg(d)
	if d.Caption != "" {
		w.raw(`<p class="faint">`, Escape(d.Caption), "</p>")
	}
	if d.Sheet != nil {
		t := &page.Table{Columns: page.Heads(d.Sheet.Head...)}
		for _, row := range d.Sheet.Rows {
			t.Add(row...)
		}
		w.fold(page.Folded("in numbers", t), place{at.level, true})
	}
	w.raw("</figure>\n")
}

// svg writes a picture. If it stretches, what is between its edges does, and the style sheet adds
// the margins.
func (w *writer) svg(d *drawing.Drawing) {
	w.drawings++
	id := fmt.Sprintf("drawing-%d", w.drawings)
	size := fmt.Sprintf(`width="%g" viewBox="0 0 %[1]g %g"`, d.Width, d.Height)
	stretches := d.Right > 0
	if stretches {
		class := "plot"
		if d.Left == 0 {
			class = "plot full"
		}
		if d.Steps {
			class += " steps"
		}
		size = `class="` + class + `" width="100%" overflow="visible"`
	}
	w.raw(fmt.Sprintf(`<svg role="img" aria-labelledby="%s-t %[1]s-d" height="%g" %s `, id, d.Height, size),
		`font-family="system-ui, sans-serif" font-size="12">`,
		fmt.Sprintf(`<title id="%s-t">%s</title><desc id="%[1]s-d">%[3]s</desc>`, id, Escape(d.Title), Escape(d.Desc)))
	if stretches {
		w.raw(fmt.Sprintf(`<svg viewBox="%g 0 %g %g" preserveAspectRatio="none" overflow="visible">`,
			d.Left, d.Right-d.Left, d.Height))
	}
	w.marks(d.Marks)
	if stretches {
		w.raw("</svg>")
	}
	for _, l := range d.Labels {
		x := fmt.Sprint(l.X)
		if stretches {
			x = fmt.Sprint(position(l.X-d.Left, d.Right-d.Left), "%")
		}
		w.raw("<text ", labelLook(l), fmt.Sprintf(` x="%s" y="%g">`, x, l.Y), Escape(l.Text))
		if l.Aside != "" {
			w.raw(`<tspan class="aside"> `, Escape(l.Aside), "</tspan>")
		}
		w.raw("</text>")
	}
	w.raw("</svg>")
}

// position is a share in percent, to a hundredth: finer than a screen shows.
func position(part, whole float64) float64 { return math.Round(1e4*part/whole) / 100 }

// marks writes paths. Neighbours that are dots of one look share its attributes.
func (w *writer) marks(all []drawing.Mark) {
	for i := 0; i < len(all); {
		role := all[i].Role
		n := 1
		for strings.HasSuffix(string(role), "-dot") && i+n < len(all) && all[i+n].Role == role {
			n++
		}
		look := " " + markLook(all[i])
		if n > 1 {
			w.raw("<g", look, ">")
			look = ""
		}
		for _, m := range all[i : i+n] {
			w.raw("<path", look, ` d="`, Escape(m.Path), `">`)
			if m.Tip != "" {
				w.raw("<title>", escapedLines(m.Tip), "</title>")
			}
			w.raw("</path>")
		}
		if n > 1 {
			w.raw("</g>")
		}
		i += n
	}
}

func escapedLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Escape(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Colours of attributes can be distinguished on white and on black, because a content
// policy may remove the style sheet, which has better ones for either.
const (
	inkBlue  = "#2f6fd0"
	inkGrey  = "#78828e"
	inkGreen = "#1f883d"
	inkRed   = "#d1303c"
	inkAmber = "#a87400"
)

// inks of curves.
var inks = []string{inkBlue, "#c65d12", "#1b8a58", "#a8509e", "#8f7200", "#10868f", "#cf3f77", "#757d87"}

// looks are the attributes of paths by role.
var looks = makeLooks()

func makeLooks() map[drawing.Role]string {
	looks := map[drawing.Role]string{}
	area := func(ink, opacity string, roles ...drawing.Role) {
		for _, role := range roles {
			looks[role] = fmt.Sprintf(`class="%s" fill="%s" fill-opacity="%s"`, role, ink, opacity)
		}
	}
	line := func(ink, width, rest string, roles ...drawing.Role) {
		for _, role := range roles {
			looks[role] = fmt.Sprintf(`class="%s" fill="none" stroke="%s"%s%s`,
				role, ink, attribute("stroke-width", width), rest)
		}
	}
	const (
		round  = ` stroke-linecap="round"`
		dashed = ` stroke-dasharray="6 4"`
		dotted = ` stroke-dasharray="2 3"`
		half   = ` stroke-opacity=".6"`
	)
	line(inkGrey, "1", "", drawing.Axis)
	line(inkGrey, "1", ` stroke-opacity=".35"`, drawing.Grid)
	line(inkGrey, "1", dotted, drawing.Border)
	area(inkBlue, "1", drawing.Case)
	area(inkGrey, "1", drawing.Base, drawing.Head, drawing.FaintArea)
	line(inkBlue, "4.5", round, drawing.CaseDot)
	line(inkGrey, "4.5", round, drawing.BaseDot)
	line(inkBlue, "1.6", ` stroke-opacity=".45"`, drawing.CaseSpan)
	line(inkGrey, "1.6", ` stroke-opacity=".45"`, drawing.BaseSpan)
	line(inkAmber, "1.4", "", drawing.Disturbed)
	area(inkAmber, "1", drawing.Beyond, drawing.DoubtArea)
	line("currentColor", "1.5", "", drawing.Median)
	line("currentColor", "1.5", dashed, drawing.BaseLine)
	line("currentColor", "1.2", dashed, drawing.Needed)
	area(inkBlue, ".2", drawing.Interval, drawing.Nest)
	area(inkGrey, ".22", drawing.Tolerance)
	area(inkGreen, "1", drawing.GoodArea)
	area(inkRed, "1", drawing.BadArea)
	for role, ink := range map[drawing.Role]string{
		drawing.Good:     inkGreen,
		drawing.Bad:      inkRed,
		drawing.Doubtful: inkAmber,
		drawing.Faint:    inkGrey,
	} {
		line(ink, "1.8", "", role)
		line(ink, "9", round, role+"-dot")
	}
	line(inkGreen, "1.8", dashed, drawing.NotWorse)
	line(inkRed, "1.8", dotted, drawing.NotBetter)
	// Lines whose width is their time have no width here.
	line(inkBlue, "", half, drawing.Way)
	line(inkRed, "", half, drawing.WayMore)
	line(inkGreen, "", half, drawing.WayLess)
	line(inkBlue, "", half+` stroke-dasharray="7 4"`, drawing.Aimed)
	area(inkGrey, ".16", drawing.Node)
	area(inkRed, ".25", drawing.NestMore)
	area(inkGreen, ".25", drawing.NestLess)
	// Amber and blue are apart for those who cannot tell red from green.
	area(inkAmber, ".45", drawing.FlameMore)
	area(inkBlue, ".35", drawing.FlameLess)
	area(inkGrey, ".18", drawing.FlameSame)
	for i, ink := range inks {
		line(ink, "2", ` stroke-linejoin="round"`, seriesRole(i))
		line(ink, "7", round, seriesRole(i)+"-dot")
	}
	return looks
}

func seriesRole(i int) drawing.Role { return drawing.Role(fmt.Sprintf("series-%d", i+1)) }

// markLook keeps the width of a path that has one of its own.
func markLook(m drawing.Mark) string {
	if m.Pen > 0 {
		return looks[m.Role] + fmt.Sprintf(` stroke-width="%g"`, m.Pen)
	}
	return looks[m.Role]
}

// labelLook gives a text the colour of what it names.
func labelLook(l drawing.Label) string {
	ink, rest := "currentColor", ""
	for i := range inks {
		if l.Role == seriesRole(i) {
			ink = inks[i]
		}
	}
	switch l.Role {
	case drawing.Good, drawing.NotWorse:
		ink = inkGreen
	case drawing.Bad, drawing.NotBetter:
		ink = inkRed
	case drawing.Doubtful:
		ink = inkAmber
	case drawing.Strong:
		rest = ` font-weight="600"`
	}
	class := string(l.Role)
	if l.Spare {
		class += " spare"
	}
	return fmt.Sprintf(`class="%s" fill="%s" text-anchor="%s"%s`, class, ink, l.Anchor, rest)
}
