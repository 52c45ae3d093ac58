package yaml

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"gopkg.in/yaml.v3"
)

// Text returns the value of a scalar with the place of each character. yaml.v3 knows only
// where a node begins, so the other places are found by reading the source along with the
// value.
func (n Node) Text() lang.Text {
	c := n.src.cursor(n.Line, n.Column)
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		c.skipProperties()
	}
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		c.next()
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		c.nextLine()
		c.skipSpace()
	}
	if strings.HasPrefix(c.rest(), n.Value) {
		return lang.Text{Value: n.Value, Place: c.place()}
	}
	t := lang.Text{Value: n.Value, Place: c.place()}
	t.Marks = c.align([]rune(n.Value), n.Style)
	if len(t.Marks) > 0 && t.Marks[0].Offset == 0 {
		t.Place = t.Marks[0].Place
	}
	return t
}

// cursor is a position in a source.
type cursor struct {
	src       *source
	line, col int // from 1, col in characters
	byte      int // offset of col in the line
}

func (s *source) cursor(line, col int) *cursor {
	c := &cursor{src: s, line: line, col: 1}
	if line == 1 && strings.HasPrefix(c.rest(), byteOrderMark) {
		c.byte = len(byteOrderMark) // YAML does not count it
	}
	for c.col < col && c.rest() != "" {
		c.next()
	}
	return c
}

func (c *cursor) place() diag.Place { return c.src.place(c.line, c.col) }

// rest is empty at the end of a line and after the last line.
func (c *cursor) rest() string {
	if c.line > len(c.src.lines) || c.line < 1 {
		return ""
	}
	return c.src.lines[c.line-1][c.byte:]
}

func (c *cursor) peek() rune {
	if c.rest() == "" {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(c.rest())
	return r
}

// next moves on by one character and stays on the line.
func (c *cursor) next() {
	if rest := c.rest(); rest != "" {
		_, n := utf8.DecodeRuneInString(rest)
		c.byte, c.col = c.byte+n, c.col+1
	}
}

// nextLine moves to the beginning of the next line.
func (c *cursor) nextLine() {
	c.line++
	c.byte = 0
	c.col = 1
}

// skipSpace moves to the next character that is neither a space nor a line break.
func (c *cursor) skipSpace() {
	for c.line <= len(c.src.lines) {
		switch r := c.peek(); {
		case r < 0:
			c.nextLine()
		case r == ' ' || r == '\t':
			c.next()
		default:
			return
		}
	}
}

// skipProperties moves over the anchor and the tag before a value.
func (c *cursor) skipProperties() {
	for c.peek() == '&' || c.peek() == '!' {
		for c.peek() >= 0 && !unicode.IsSpace(c.peek()) {
			c.next()
		}
		c.skipSpace()
	}
}

// align finds the value in the source. It returns a mark for every character that does not
// directly follow the one before it in the source: after escapes, line breaks and indents.
func (c *cursor) align(value []rune, style yaml.Style) (marks []lang.Mark) {
	fresh := true
	for i := 0; i < len(value) && c.line <= len(c.src.lines); {
		r, space := c.peek(), value[i] == ' ' || value[i] == '\n' || value[i] == '\t'
		escaped, width := c.escape(style)
		switch {
		case width > 0:
			marks = append(marks, lang.Mark{Offset: i, Place: c.place()})
			for range width {
				c.next()
			}
			i, fresh = i+escaped, true
		case r == value[i]:
			if fresh {
				marks = append(marks, lang.Mark{Offset: i, Place: c.place()})
			}
			c.next()
			i, fresh = i+1, false
		case r < 0 || r == ' ' || r == '\t': // a line break, an indent, or space that folding removed
			c.skipSpace()
			fresh = true
		case space: // the line break became this space in the value
			i, fresh = i+1, true
		default:
			return marks
		}
	}
	return marks
}

// escape counts how many characters of the value the escape at the cursor produces, and
// how many it takes in the source. width is 0 if there is no escape.
func (c *cursor) escape(style yaml.Style) (values, width int) {
	rest := c.rest()
	switch {
	case style&yaml.SingleQuotedStyle != 0 && strings.HasPrefix(rest, "''"):
		return 1, 2
	case style&yaml.DoubleQuotedStyle == 0 || !strings.HasPrefix(rest, `\`):
		return 0, 0
	case len(rest) == 1: // joins two lines
		return 0, 1
	case rest[1] == 'x':
		return 1, 4
	case rest[1] == 'u':
		return 1, 6
	case rest[1] == 'U':
		return 1, 10
	}
	return 1, 2
}
