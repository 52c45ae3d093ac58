package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Write writes the document as JSON; equal documents have equal bytes. Objects are
// indented by two spaces. A list of numbers or strings is on one line, so a column of
// samples is one line of a diff. A gap in a column is null. Any other NaN, a NaN in a
// column of times, and infinite numbers are errors that name the case.
func Write(w io.Writer, doc *Document) error {
	in := indenter{w: w}
	if err := compact(doc, in.write); err != nil {
		return err
	}
	in.out = append(in.out, '\n')
	in.flush()
	return in.err
}

// compact passes the document on as JSON without white space, in pieces: each case is
// a piece, because a document of 10,000 cases has 100 MB.
func compact(doc *Document, piece func(text []byte)) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // nearly every gate contains < or >
	d := filled(doc)
	d.Cases = []Case{}
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("result document: %w", err)
	}
	whole := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	const empty = `"cases":[]` // within a text, its quotes have backslashes
	at := bytes.Index(whole, []byte(empty)) + len(empty) - 1
	if len(doc.Cases) == 0 {
		at = 0
	}
	piece(whole[:at])
	cases := newCaseWriter()
	for i := range doc.Cases {
		c, err := cases.write(&doc.Cases[i])
		if err != nil {
			return fmt.Errorf("result document: case %q: %w", doc.Cases[i].Name, err)
		}
		if i > 0 {
			piece([]byte(","))
		}
		piece(c)
		doc.Cases[i].Forget()
	}
	piece(whole[at:])
	return nil
}

// filled copies doc with empty lists in place of nil ones, so that null is written
// only for gaps in columns. doc and its cases are not changed.
func filled(doc *Document) *Document {
	d := *doc
	d.Suites = append([]Suite{}, doc.Suites...)
	for i := range d.Suites {
		d.Suites[i].EditSentinels(func(n *Sentinel) { n.Case = n.Case.filled() })
	}
	return &d
}

func (c Case) filled() Case {
	c.Samples = c.Samples.filled()
	if c.Pairs != nil {
		p := *c.Pairs
		p.First, p.Samples = present(p.First), p.Samples.filled()
		c.Pairs = &p
	}
	return c
}

func (s Samples) filled() Samples {
	s.Launch = present(s.Launch)
	s.Block = present(s.Block)
	s.At = present(s.At)
	s.Disturbed = present(s.Disturbed)
	columns := make(map[string]Column, len(s.Columns))
	for name, col := range s.Columns {
		columns[name] = present(col)
	}
	s.Columns = columns
	return s
}

func present[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

type indenter struct {
	w     io.Writer
	out   []byte // not yet written
	depth int
	err   error // of w, the first one
}

func (in *indenter) flush() {
	if in.err == nil {
		_, in.err = in.w.Write(in.out)
	}
	in.out = in.out[:0]
}

func (in *indenter) newline() {
	const spaces = "\n                                "
	depth := in.depth
	in.out = append(in.out, spaces[:1+min(2*depth, len(spaces)-1)]...)
	for i := len(spaces) / 2; i < depth; i++ {
		in.out = append(in.out, "  "...)
	}
}

// write lays out a piece of a valid text. A piece ends neither within a string nor within
// a list of numbers or strings.
func (in *indenter) write(src []byte) {
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case '"':
			end := stringEnd(src, i)
			in.out = append(in.out, src[i:end]...)
			i = end
			continue
		case '[', '{':
			if end := flatEnd(src, i); end > 0 {
				in.out = appendSpaced(in.out, src[i:end])
				i = end
				continue
			}
			in.out = append(in.out, c)
			in.depth++
			in.newline()
		case ']', '}':
			in.depth--
			in.newline()
			in.out = append(in.out, c)
		case ',':
			in.out = append(in.out, c)
			in.newline()
		case ':':
			in.out = append(in.out, ": "...)
		default:
			in.out = append(in.out, c)
		}
		i++
		if len(in.out) >= 1<<16 {
			in.flush()
		}
	}
}

// flatEnd is the end of the list that starts at i, if it contains neither lists nor
// objects, or of an empty object; else 0.
func flatEnd(src []byte, i int) int {
	if src[i] == '{' {
		if src[i+1] == '}' {
			return i + 2
		}
		return 0
	}
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '"':
			j = stringEnd(src, j) - 1
		case '[', '{':
			return 0
		case ']':
			return j + 1
		}
	}
	return 0
}

func stringEnd(src []byte, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(src)
}

// appendSpaced appends a flat list with a space after each comma.
func appendSpaced(out, list []byte) []byte {
	for len(list) > 0 {
		end := bytes.IndexAny(list, ",\"") + 1
		switch {
		case end == 0:
			return append(out, list...)
		case list[end-1] == ',':
			out = append(out, list[:end]...)
			out = append(out, ' ')
		default:
			end = stringEnd(list, end-1)
			out = append(out, list[:end]...)
		}
		list = list[end:]
	}
	return out
}
