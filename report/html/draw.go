package html

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"example.com/suite/report/html/figure"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// htmlDrawing is a figure as SVG.
type htmlDrawing struct {
	ID, Title, Desc, Caption string
	Width, Height            float64
	Plot                     *htmlPlot // nil if the figure is scaled as a whole
	Marks                    []htmlMark
	Labels                   []htmlLabel
	Sheet                    *figure.Sheet
}

// htmlPlot is what stretches of a figure. The style sheet adds its margins.
type htmlPlot struct {
	Class       string
	Left, Width float64
}

// htmlMark is one path, or several dots of one look.
type htmlMark struct {
	Look      template.HTMLAttr
	Path, Tip string
	Dots      []htmlMark
}

type htmlLabel struct {
	Look        template.HTMLAttr
	X           string
	Y           float64
	Text, Aside string
}

// drawingOf adds colours to a figure. It is nil for nil.
func drawingOf(d *figure.Drawing, id string) *htmlDrawing {
	if d == nil {
		return nil
	}
	out := &htmlDrawing{ID: id, Title: d.Title, Desc: d.Desc, Caption: d.Caption, Width: d.Width, Height: d.Height, Sheet: d.Sheet}
	if d.Right > 0 {
		out.Plot = &htmlPlot{"plot", d.Left, d.Right - d.Left}
		if d.Left == 0 {
			out.Plot.Class = "plot full"
		}
	}
	out.marks(d.Marks)
	for _, l := range d.Labels {
		x := fmt.Sprint(l.X)
		if out.Plot != nil {
			x = fmt.Sprint(position(l.X-d.Left, out.Plot.Width), "%")
		}
		out.Labels = append(out.Labels, htmlLabel{labelLook(l), x, l.Y, l.Text, l.Aside})
	}
	return out
}

// position is a share in percent, to a hundredth: finer than a screen shows.
func position(part, whole float64) float64 { return math.Round(1e4*part/whole) / 100 }

// marks adds the marks. Neighbours that are dots of one look share its attributes.
func (d *htmlDrawing) marks(all []figure.Mark) {
	for i, m := range all {
		one := htmlMark{Look: markLook(m), Path: m.Path, Tip: m.Tip}
		if n := len(d.Marks) - 1; i > 0 && all[i-1].Role == m.Role && strings.HasSuffix(string(m.Role), "-dot") {
			if d.Marks[n].Dots == nil {
				d.Marks[n] = htmlMark{Look: one.Look, Dots: []htmlMark{d.Marks[n]}}
			}
			d.Marks[n].Dots = append(d.Marks[n].Dots, one)
			continue
		}
		d.Marks = append(d.Marks, one)
	}
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

// markLooks holds the attributes of paths by role.
var markLooks = makeMarkLooks()

func makeMarkLooks() map[figure.Role]template.HTMLAttr {
	looks := map[figure.Role]template.HTMLAttr{}
	area := func(role figure.Role, ink, opacity string) {
		looks[role] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="%s" fill-opacity="%s"`, role, ink, opacity))
	}
	line := func(role figure.Role, ink, width, rest string) {
		looks[role] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="none" stroke="%s" stroke-width="%s"%s`, role, ink, width, rest))
	}
	const round, dashed, dotted = ` stroke-linecap="round"`, ` stroke-dasharray="6 4"`, ` stroke-dasharray="2 3"`
	line(figure.Axis, inkGrey, "1", "")
	line(figure.Grid, inkGrey, "1", ` stroke-opacity=".35"`)
	line(figure.Border, inkGrey, "1", dotted)
	area(figure.Case, inkBlue, "1")
	area(figure.Base, inkGrey, "1")
	line(figure.CaseDot, inkBlue, "4.5", round)
	line(figure.BaseDot, inkGrey, "4.5", round)
	line(figure.CaseSpan, inkBlue, "1.6", ` stroke-opacity=".45"`)
	line(figure.BaseSpan, inkGrey, "1.6", ` stroke-opacity=".45"`)
	line(figure.Disturbed, inkAmber, "1.4", "")
	area(figure.Beyond, inkAmber, "1")
	line(figure.Median, "currentColor", "1.5", "")
	line(figure.BaseLine, "currentColor", "1.5", dashed)
	area(figure.Interval, inkBlue, ".2")
	area(figure.Tolerance, inkGrey, ".22")
	line(figure.Needed, "currentColor", "1.2", dashed)
	verdictLooks(line)
	pegLooks(looks, area)
	line(figure.NotWorse, inkGreen, "1.8", dashed)
	line(figure.NotBetter, inkRed, "1.8", dotted)
	for i, ink := range inks {
		line(seriesRole(i), ink, "2", ` stroke-linejoin="round"`)
		line(seriesRole(i)+"-dot", ink, "7", round)
	}
	return looks
}

// pegLooks adds the attributes of spans, and of lines whose width is their time: these
// have no width here.
func pegLooks(looks map[figure.Role]template.HTMLAttr, area func(role figure.Role, ink, opacity string)) {
	for role, ink := range map[figure.Role]string{figure.Way: inkBlue, figure.WayMore: inkRed, figure.WayLess: inkGreen} {
		looks[role] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="none" stroke="%s" stroke-opacity=".6"`, role, ink))
	}
	looks[figure.Aimed] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="none" stroke="%s" stroke-opacity=".6" stroke-dasharray="7 4"`, figure.Aimed, inkBlue))
	area(figure.Head, inkGrey, "1")
	area(figure.Node, inkGrey, ".16")
	area(figure.Nest, inkBlue, ".2")
	area(figure.NestMore, inkRed, ".25")
	area(figure.NestLess, inkGreen, ".25")
	// Amber and blue are apart for those who cannot tell red from green.
	area(figure.FlameMore, inkAmber, ".45")
	area(figure.FlameLess, inkBlue, ".35")
	area(figure.FlameSame, inkGrey, ".18")
}

func verdictLooks(line func(role figure.Role, ink, width, rest string)) {
	for _, v := range []struct {
		line, dot figure.Role
		ink       string
	}{
		{figure.Good, figure.GoodDot, inkGreen}, {figure.Bad, figure.BadDot, inkRed},
		{figure.Doubtful, figure.DoubtDot, inkAmber}, {figure.Faint, figure.FaintDot, inkGrey},
	} {
		line(v.line, v.ink, "1.8", "")
		line(v.dot, v.ink, "9", ` stroke-linecap="round"`)
	}
}

func seriesRole(i int) figure.Role { return figure.Role(fmt.Sprintf("series-%d", i+1)) }

// A path keeps its own width if it has one.
func markLook(m figure.Mark) template.HTMLAttr {
	if m.Pen > 0 {
		return markLooks[m.Role] + template.HTMLAttr(fmt.Sprintf(` stroke-width="%g"`, m.Pen))
	}
	return markLooks[m.Role]
}

// A text has the colour of what it names.
func labelLook(l figure.Label) template.HTMLAttr {
	ink, rest := "currentColor", ""
	for i := range inks {
		if l.Role == seriesRole(i) {
			ink = inks[i]
		}
	}
	switch l.Role {
	case figure.Good, figure.NotWorse:
		ink = inkGreen
	case figure.Bad, figure.NotBetter:
		ink = inkRed
	case figure.Doubtful:
		ink = inkAmber
	case figure.Strong:
		rest = ` font-weight="600"`
	}
	class := string(l.Role)
	if l.Spare {
		class += " spare"
	}
	return template.HTMLAttr(fmt.Sprintf(`class="%s" fill="%s" text-anchor="%s"%s`, class, ink, l.Anchor, rest))
}

// htmlShares draws the shares of gates by outcome.
func htmlShares(doc *result.Document) *htmlDrawing {
	counts := map[table.Class]int{}
	for i := range doc.Cases {
		for j := range doc.Cases[i].Gates {
			counts[table.MarkOf(&doc.Cases[i].Gates[j]).Tone]++
		}
	}
	d := figure.Shares("What became of the gates", []figure.Part{
		{Role: figure.Bad, Text: "failed or in error", Count: counts[table.Bad]}, {Role: figure.Doubtful, Text: "undecided, accepted or warned", Count: counts[table.Doubtful]},
		{Role: figure.Faint, Text: "skipped", Count: counts[table.Faint]}, {Role: figure.Good, Text: "passed", Count: counts[table.Good]},
	})
	out := drawingOf(d, "shares")
	if out != nil {
		for i := range out.Marks { // bars and not lines
			out.Marks[i].Look = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="%s"`, d.Marks[i].Role, shareInks[d.Marks[i].Role]))
		}
	}
	return out
}

var shareInks = map[figure.Role]string{figure.Bad: inkRed, figure.Doubtful: inkAmber, figure.Faint: inkGrey, figure.Good: inkGreen}
