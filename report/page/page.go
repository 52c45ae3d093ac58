// Package page has the blocks of which everything that people read is made: headings,
// paragraphs, lists, tables, figures. A block is what something is, and nothing about how it
// looks: texts are raw, as they came from suite files and from programs, and have no width, no
// escapes and no format. Writers such as page/text lay blocks out. They ask a block what it is
// worth, never what it is about.
package page

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"example.com/suite/report/page/drawing"
)

// Block is one of the types of this package that have the method.
type Block interface{ isEmpty() bool }

func (s Section) isEmpty() bool   { return len(s.Head)+len(s.Blocks) == 0 }
func (p Paragraph) isEmpty() bool { return len(p) == 0 }
func (l List) isEmpty() bool      { return len(l) == 0 }
func (b Brief) isEmpty() bool     { return len(b) == 0 }
func (f Facts) isEmpty() bool     { return len(f) == 0 }
func (t *Table) isEmpty() bool    { return t == nil || len(t.Rows) == 0 }
func (f Figure) isEmpty() bool    { return len(f.Values) == 0 }
func (b Bars) isEmpty() bool      { return len(b.Rows) == 0 }
func (f Fold) isEmpty() bool      { return len(f.Blocks) == 0 }
func (s Source) isEmpty() bool    { return s == "" }
func (l Listing) isEmpty() bool   { return len(l) == 0 }
func (d Drawing) isEmpty() bool   { return d.Drawing == nil }

// Blocks leaves out blocks that have nothing in them.
func Blocks(all ...Block) []Block { return slices.DeleteFunc(all, Block.isEmpty) }

// Tone is what a text means to the reader.
type Tone int

// The tones. A text that is faint can be skipped.
const (
	Plain Tone = iota
	Good
	Bad
	Doubtful
	Faint
)

// Span is a piece of a line.
type Span struct {
	Text  string
	Tone  Tone
	Code  bool   // a command or an expression, to be copied as a whole
	Means string // what a sign means, in words
	To    string // where it leads to: # and the ID of a block, or an address
}

// Line is a text that a writer may break between words.
type Line []Span

// String returns the text of the line.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Text returns a line of plain text.
func Text(text string) Line { return Toned(Plain, text) }

// Say is Text with a format.
func Say(format string, args ...any) Line { return Text(fmt.Sprintf(format, args...)) }

// Toned returns a line of one tone.
func Toned(tone Tone, text string) Line { return Line{{Text: text, Tone: tone}} }

// With appends a command or an expression to the line.
func (l Line) With(code string) Line { return append(l, Span{Text: code, Code: true}) }

// Section is a heading, unless that is empty, and what belongs to it.
type Section struct {
	Head   Line
	Blocks []Block
	ID     string // by which links lead to it; no other block of the page has it
}

// Under returns a section with a plain heading.
func Under(head string, blocks ...Block) Section { return Section{Head: Text(head), Blocks: blocks} }

// Paragraph is some lines that belong together, each of which begins anew.
type Paragraph []Line

// Say appends a line to the paragraph.
func (p *Paragraph) Say(format string, args ...any) { *p = append(*p, Say(format, args...)) }

// Add appends a line for each text that is not empty.
func (p *Paragraph) Add(texts ...string) {
	for _, text := range texts {
		if text != "" {
			*p = append(*p, Text(text))
		}
	}
}

// Lines returns a paragraph of a line for each text that is not empty.
func Lines(texts ...string) (p Paragraph) {
	p.Add(texts...)
	return p
}

// List is items of equal rank.
type List []Item

// Item is an entry of a list. One whose mark has a tone is about something that needs attention, or
// is the answer.
type Item struct {
	Mark    Span // before the first line: a verdict, or the number of a footnote
	Lines   []Line
	Shorter []Line  // the first line in other words, ever fewer: the first of them that fits replaces it
	Blocks  []Block // below the lines, or in their place
	ID      string
}

// Items returns a list with an item for each text.
func Items(texts ...string) List {
	all := make(List, len(texts))
	for i, text := range texts {
		all[i].Lines = []Line{Text(text)}
	}
	return all
}

// Brief is facts that need no names and can be skipped, next to each other.
type Brief []string

// Facts are pairs of a name and its value.
type Facts [][2]string

// Figure is numbers in a row, of which the shape matters and not the size.
type Figure struct {
	Caption Line
	Values  []float64
}

// Bars are counts, each of which is drawn as a bar: a histogram.
type Bars struct {
	Caption Line
	Rows    []Bar
}

// Bar is a count.
type Bar struct {
	Label string
	Count int
	Notes []string
	Limit string // what ends between the row above and this one; empty for nothing
}

// Fold is something that most readers do without.
type Fold struct {
	Summary Line // what it is, and how much of it there is
	Blocks  []Block
	Tone    Tone
	Open    bool // few readers do without it
	ID      string
}

// Folded returns a fold with a plain summary.
func Folded(summary string, blocks ...Block) Fold {
	return Fold{Summary: Text(summary), Blocks: blocks}
}

// Source is text whose lines have to stay as they are: the output of a program, or code.
type Source string

// Listing is the lines of a file, which are counted from 1.
type Listing []Listed

// Listed is a line of a Listing.
type Listed struct {
	Text string
	Tone Tone
	ID   string
}

// Source is the listing without its tones.
func (l Listing) Source() Source {
	texts := make([]string, len(l))
	for i := range l {
		texts[i] = l[i].Text
	}
	return Source(strings.Join(texts, "\n"))
}

// Drawing is a picture.
type Drawing struct{ *drawing.Drawing }

// Line is what the picture shows, in words.
func (d Drawing) Line() Line { return Text(strings.Trim(d.Title+": "+d.Desc, ": ")) }

// IsAddress reports whether a text is an address of the web that is safe to follow: it runs no script and shows no
// password.
func IsAddress(to string) bool {
	u, err := url.Parse(to)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil
}
