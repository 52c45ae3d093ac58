package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Write writes the document as JSON: the same document gives the same bytes.
// Objects are indented by two spaces; a list of numbers or strings stays on
// one line, so that a column of samples is one line of a diff. What a column
// does not have is null; any other NaN, one in a column of times, and infinite
// numbers are an error that names the case.
func Write(w io.Writer, doc *Document) error {
	out := bufio.NewWriterSize(w, 1<<16)
	in := indenter{w: out}
	if err := compact(doc, in.write); err != nil {
		return err
	}
	out.WriteByte('\n')
	return out.Flush()
}

// compact hands over the document as JSON without white space, piece by piece: each case
// is one, for a document of 10,000 cases has 100 MB.
func compact(doc *Document, piece func(text []byte)) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // < and > stand in every other gate
	d := filled(doc)
	d.Cases = []Case{}
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("result document: %w", err)
	}
	whole := bytes.TrimSuffix(bytes.Clone(text.Bytes()), []byte("\n"))
	const empty = `"cases":[]` // within a text, its quotes have backslashes
	at := bytes.Index(whole, []byte(empty)) + len(empty) - 1
	if len(doc.Cases) == 0 {
		at = 0
	}
	piece(whole[:at])
	for i := range doc.Cases {
		c := doc.Cases[i].filled()
		if slices.ContainsFunc(c.Samples.Columns[always], absent) {
			return fmt.Errorf("result document: case %q: column %q has a gap", c.Name, always)
		}
		text.Reset()
		if err := e.Encode(&c); err != nil {
			return fmt.Errorf("result document: case %q: %w", c.Name, err)
		}
		if i > 0 {
			piece([]byte(","))
		}
		piece(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	}
	piece(whole[at:])
	return nil
}

// filled gives a document that is written without null but in columns: one that
// has no suites has an empty list of them, and a case without samples has empty
// columns. Its own cases are left as they are.
func filled(doc *Document) *Document {
	d := *doc
	d.Suites = append([]Suite{}, doc.Suites...)
	for i := range d.Suites {
		if s := d.Suites[i].Sentinel; s != nil {
			copied := *s
			copied.Case = s.Case.filled()
			d.Suites[i].Sentinel = &copied
		}
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
	s.Launch, s.Block, s.At, s.Disturbed = present(s.Launch), present(s.Block), present(s.At), present(s.Disturbed)
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

// indenter lays out compact JSON.
type indenter struct {
	w     *bufio.Writer
	depth int
}

func (in *indenter) newline() {
	in.w.WriteByte('\n')
	for range in.depth {
		in.w.WriteString("  ")
	}
}

// write lays out a piece of a valid text. A piece ends neither within a string nor within
// a list of numbers or strings.
func (in *indenter) write(src []byte) {
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '"':
			end := stringEnd(src, i)
			in.w.Write(src[i:end])
			i = end - 1
		case '[', '{':
			if end := flatEnd(src, i); end > 0 {
				spaced(in.w, src[i:end])
				i = end - 1
				continue
			}
			in.w.WriteByte(c)
			in.depth++
			in.newline()
		case ']', '}':
			in.depth--
			in.newline()
			in.w.WriteByte(c)
		case ',':
			in.w.WriteByte(c)
			in.newline()
		case ':':
			in.w.WriteString(": ")
		default:
			in.w.WriteByte(c)
		}
	}
}

// flatEnd gives the end of the list that starts at i, if it holds neither
// lists nor objects, or of an empty object; else 0.
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

// stringEnd gives the end of the string that starts at i.
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

// spaced writes a flat list with a space after each comma.
func spaced(w *bufio.Writer, list []byte) {
	for i := 0; i < len(list); i++ {
		if list[i] == '"' {
			end := stringEnd(list, i)
			w.Write(list[i:end])
			i = end - 1
			continue
		}
		w.WriteByte(list[i])
		if list[i] == ',' {
			w.WriteByte(' ')
		}
	}
}
