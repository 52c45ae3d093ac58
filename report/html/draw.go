package html

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"example.com/suite/report/html/figure"
	"example.com/suite/report/page/drawing"
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
	Sheet                    *drawing.Sheet
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
func drawingOf(d *drawing.Drawing, id string) *htmlDrawing {
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
func (d *htmlDrawing) marks(all []drawing.Mark) {
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

func makeMarkLooks() map[drawing.Role]template.HTMLAttr {
	looks := map[drawing.Role]template.HTMLAttr{}
	area := func(role drawing.Role, ink, opacity string) {
		looks[role] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="%s" fill-opacity="%s"`, role, ink, opacity))
	}
	line := func(role drawing.Role, ink, width, rest string) {
		looks[role] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="none" stroke="%s" stroke-width="%s"%s`, role, ink, width, rest))
	}
	const round, dashed, dotted = ` stroke-linecap="round"`, ` stroke-dasharray="6 4"`, ` stroke-dasharray="2 3"`
	line(drawing.Axis, inkGrey, "1", "")
	line(drawing.Grid, inkGrey, "1", ` stroke-opacity=".35"`)
	line(drawing.Border, inkGrey, "1", dotted)
	area(drawing.Case, inkBlue, "1")
	area(drawing.Base, inkGrey, "1")
	line(drawing.CaseDot, inkBlue, "4.5", round)
	line(drawing.BaseDot, inkGrey, "4.5", round)
	line(drawing.CaseSpan, inkBlue, "1.6", ` stroke-opacity=".45"`)
	line(drawing.BaseSpan, inkGrey, "1.6", ` stroke-opacity=".45"`)
	line(drawing.Disturbed, inkAmber, "1.4", "")
	area(drawing.Beyond, inkAmber, "1")
	line(drawing.Median, "currentColor", "1.5", "")
	line(drawing.BaseLine, "currentColor", "1.5", dashed)
	area(drawing.Interval, inkBlue, ".2")
	area(drawing.Tolerance, inkGrey, ".22")
	line(drawing.Needed, "currentColor", "1.2", dashed)
	verdictLooks(line)
	pegLooks(looks, area)
	line(drawing.NotWorse, inkGreen, "1.8", dashed)
	line(drawing.NotBetter, inkRed, "1.8", dotted)
	for i, ink := range inks {
		line(seriesRole(i), ink, "2", ` stroke-linejoin="round"`)
		line(seriesRole(i)+"-dot", ink, "7", round)
	}
	return looks
}

// pegLooks adds the attributes of spans, and of lines whose width is their time: these
// have no width here.
func pegLooks(looks map[drawing.Role]template.HTMLAttr, area func(role drawing.Role, ink, opacity string)) {
	for role, ink := range map[drawing.Role]string{drawing.Way: inkBlue, drawing.WayMore: inkRed, drawing.WayLess: inkGreen} {
		looks[role] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="none" stroke="%s" stroke-opacity=".6"`, role, ink))
	}
	looks[drawing.Aimed] = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="none" stroke="%s" stroke-opacity=".6" stroke-dasharray="7 4"`, drawing.Aimed, inkBlue))
	area(drawing.Head, inkGrey, "1")
	area(drawing.Node, inkGrey, ".16")
	area(drawing.Nest, inkBlue, ".2")
	area(drawing.NestMore, inkRed, ".25")
	area(drawing.NestLess, inkGreen, ".25")
	// Amber and blue are apart for those who cannot tell red from green.
	area(drawing.FlameMore, inkAmber, ".45")
	area(drawing.FlameLess, inkBlue, ".35")
	area(drawing.FlameSame, inkGrey, ".18")
}

func verdictLooks(line func(role drawing.Role, ink, width, rest string)) {
	for _, v := range []struct {
		line, dot drawing.Role
		ink       string
	}{
		{drawing.Good, drawing.GoodDot, inkGreen}, {drawing.Bad, drawing.BadDot, inkRed},
		{drawing.Doubtful, drawing.DoubtDot, inkAmber}, {drawing.Faint, drawing.FaintDot, inkGrey},
	} {
		line(v.line, v.ink, "1.8", "")
		line(v.dot, v.ink, "9", ` stroke-linecap="round"`)
	}
}

func seriesRole(i int) drawing.Role { return drawing.Role(fmt.Sprintf("series-%d", i+1)) }

// A path keeps its own width if it has one.
func markLook(m drawing.Mark) template.HTMLAttr {
	if m.Pen > 0 {
		return markLooks[m.Role] + template.HTMLAttr(fmt.Sprintf(` stroke-width="%g"`, m.Pen))
	}
	return markLooks[m.Role]
}

// A text has the colour of what it names.
func labelLook(l drawing.Label) template.HTMLAttr {
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
		{Role: drawing.Bad, Text: "failed or in error", Count: counts[table.Bad]}, {Role: drawing.Doubtful, Text: "undecided, accepted or warned", Count: counts[table.Doubtful]},
		{Role: drawing.Faint, Text: "skipped", Count: counts[table.Faint]}, {Role: drawing.Good, Text: "passed", Count: counts[table.Good]},
	})
	out := drawingOf(d, "shares")
	if out != nil {
		for i := range out.Marks { // bars and not lines
			out.Marks[i].Look = template.HTMLAttr(fmt.Sprintf(`class="%s" fill="%s"`, d.Marks[i].Role, shareInks[d.Marks[i].Role]))
		}
	}
	return out
}

var shareInks = map[drawing.Role]string{drawing.Bad: inkRed, drawing.Doubtful: inkAmber, drawing.Faint: inkGrey, drawing.Good: inkGreen}
