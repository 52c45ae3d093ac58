// Package drawing has pictures as paths and labels in drawing units. They are finished: scales,
// ticks and bins were decided by whoever drew them. A writer knows the colours, and a format to
// write them in. Texts are raw, as they came from suite files and programs.
package drawing

import (
	"slices"

	"example.com/suite/stats"
)

// Drawing is a finished picture, Width × Height units with the origin at the top left. If it
// stretches, a unit of height is a pixel, and what is between Left and Right is as wide as the
// page has room for: the margins, texts and lines keep their size on a telephone. Otherwise
// the picture is scaled as a whole.
type Drawing struct {
	Width, Height float64
	// edges of what stretches: 0 and Width, or plotLeft and plotMargin before Width; 0, 0: nothing stretches
	Left, Right float64
	// its points are in a row: a reader can go from one to the next, and look at some of them more closely. The lines
	// of the tip of a point are its value, what it is of, and when.
	Steps   bool
	Heading string // above it, if that is not its title
	Title   string // what it shows, a few words
	Desc    string // what can be seen in it, for those who cannot see it
	Caption string // how to read it
	Marks   []Mark // back to front
	Labels  []Label
	Sheet   *Sheet // the same in numbers; nil if the report has them elsewhere
}

// Mark is a path of one role.
type Mark struct {
	Role Role
	Path string  // as the attribute d of SVG has it
	Tip  string  // lines shown under the pointer; empty for none
	Pen  float64 // width of the line, drawing units; 0: the role's width
}

// Label is one line of text that begins, is centred or ends at a point of its
// baseline.
type Label struct {
	X, Y   float64
	Anchor Anchor
	Role   Role
	Text   string
	Aside  string // the rest of the text, if there is room on the page
	Spare  bool   // left out if the page is narrow
}

// Anchor is the part of a label that is placed at its point.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Sheet is a table.
type Sheet struct {
	Head []string
	Rows [][]string
}

// WithoutEmpty leaves out the columns that no row fills.
func (s *Sheet) WithoutEmpty() *Sheet {
	out := &Sheet{Rows: make([][]string, len(s.Rows))}
	for i, head := range s.Head {
		if !slices.ContainsFunc(s.Rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		out.Head = append(out.Head, head)
		for k, row := range s.Rows {
			out.Rows[k] = append(out.Rows[k], row[i])
		}
	}
	return out
}

// Heights are so many values at most: medians of neighbours.
func Heights(values []float64, most int) []float64 {
	heights := make([]float64, min(most, len(values)))
	for i := range heights {
		heights[i] = stats.Median(values[i*len(values)/len(heights) : (i+1)*len(values)/len(heights)])
	}
	return heights
}

// Role is what a mark or a label means; a renderer chooses a colour for it.
type Role string

// The roles. Areas are filled, lines and dots are drawn with the pen: a dot is a line
// of no length with round ends.
const (
	Axis      Role = "axis"      // a line, and the texts next to it
	AxisFrom  Role = "axis from" // the text at the beginning of an axis, and at its end, of a drawing with Steps
	AxisUntil Role = "axis until"
	Grid      Role = "grid"      // a faint line
	Border    Role = "border"    // a faint line between launches
	Case      Role = "case"      // an area: what was measured
	Base      Role = "base"      // an area: what it is compared with
	CaseDot   Role = "case-dot"  // a sample
	BaseDot   Role = "base-dot"  // a sample of the base
	CaseSpan  Role = "case-span" // from the least to the greatest of several samples
	BaseSpan  Role = "base-span"
	Disturbed Role = "disturbed" // a ring: a sample that lost the processor
	Beyond    Role = "beyond"    // an area: something is outside of the drawing
	Median    Role = "median"    // a line
	BaseLine  Role = "base-line" // a line: the base's median
	Interval  Role = "interval"  // an area
	Tolerance Role = "tolerance" // an area: what is too small to care about
	Needed    Role = "needed"    // a dashed line: what evidence has to reach
	Good      Role = "good"      // lines of verdicts
	Bad       Role = "bad"
	Doubtful  Role = "doubtful"
	Faint     Role = "faint"
	GoodDot   Role = "good-dot" // their points
	BadDot    Role = "bad-dot"
	DoubtDot  Role = "doubtful-dot"
	FaintDot  Role = "faint-dot"
	GoodArea  Role = "good-area" // what became of parts of a whole
	BadArea   Role = "bad-area"
	DoubtArea Role = "doubtful-area"
	FaintArea Role = "faint-area"
	NotWorse  Role = "not-worse"  // a dashed line
	NotBetter Role = "not-better" // a dotted line
	Strong    Role = "strong"     // an emphasized text
	Node      Role = "node"       // an area: a point of the program
	Way       Role = "way"        // a line as wide as the time spent on it
	WayMore   Role = "way-more"   // the same, if the time grew
	WayLess   Role = "way-less"   // the same, if the time shrank
	Aimed     Role = "aimed"      // a dashed line: from a point that was named, over any number of others
	Head      Role = "head"       // an area: the tip of an arrow
	Nest      Role = "nest"       // an area as wide as the time of a span
	NestMore  Role = "nest-more"
	NestLess  Role = "nest-less"
	FlameMore Role = "flame-more" // an area: a call that costs more than in the base
	FlameLess Role = "flame-less"
	FlameSame Role = "flame-same"
	FlameText Role = "flame-text" // the name of a call, within its area
)
