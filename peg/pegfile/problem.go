package pegfile

import (
	"bytes"
	"fmt"
)

// Problem is a fault of a document, with its place.
type Problem struct {
	File      string // empty if the document came from a reader
	Line, Col int    // from 1, Col in bytes; 0 if the fault concerns the whole document
	Message   string
	Hint      string
}

// Error returns file:line:col, the message and a line with the hint, as far as they are known.
func (p *Problem) Error() string {
	text := p.Message
	switch {
	case p.File != "" && p.Line > 0:
		text = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Message)
	case p.File != "":
		text = p.File + ": " + p.Message
	case p.Line > 0:
		text = fmt.Sprintf("line %d: %s", p.Line, p.Message)
	}
	if p.Hint != "" {
		text += "\n\thint: " + p.Hint
	}
	return text
}

// at sets the line and column of a problem to the byte at offset, and returns the problem.
func (p *Problem) at(text []byte, offset int) *Problem {
	before := text[:min(max(offset, 0), len(text))]
	p.Line = 1 + bytes.Count(before, []byte("\n"))
	p.Col = len(before) - bytes.LastIndexByte(before, '\n')
	return p
}
