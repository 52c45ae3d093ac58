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
	for i := range doc.Cases {
		if c := &doc.Cases[i]; slices.ContainsFunc(c.Samples.Columns[always], absent) {
			return fmt.Errorf("result document: case %q: column %q has a gap", c.Name, always)
		}
	}
	var compact bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false) // < and > stand in every other gate
	if err := e.Encode(filled(doc)); err != nil {
		return fmt.Errorf("result document%s: %w", culprit(doc), err)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	indent(out, bytes.TrimRight(compact.Bytes(), "\n"))
	out.WriteByte('\n')
	return out.Flush()
}

// filled gives a document that is written without null but in columns: one that
// has no cases has an empty list of them, and a case without samples has empty
// columns.
func filled(doc *Document) *Document {
	d := *doc
	d.Suites = append([]Suite{}, doc.Suites...)
	d.Cases = append([]Case{}, doc.Cases...)
	for i := range d.Cases {
		d.Cases[i] = d.Cases[i].filled()
	}
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

// culprit names the first case that cannot be written, for an error that would
// say no more than "unsupported value: NaN".
func culprit(doc *Document) string {
	for i := range doc.Cases {
		if _, err := json.Marshal(&doc.Cases[i]); err != nil {
			return fmt.Sprintf(": case %q", doc.Cases[i].Name)
		}
	}
	return ""
}

// indent lays out compact JSON. src must be valid.
func indent(w *bufio.Writer, src []byte) {
	depth := 0
	newline := func() {
		w.WriteByte('\n')
		for range depth {
			w.WriteString("  ")
		}
	}
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '"':
			end := stringEnd(src, i)
			w.Write(src[i:end])
			i = end - 1
		case '[', '{':
			if end := flatEnd(src, i); end > 0 {
				spaced(w, src[i:end])
				i = end - 1
				continue
			}
			w.WriteByte(c)
			depth++
			newline()
		case ']', '}':
			depth--
			newline()
			w.WriteByte(c)
		case ',':
			w.WriteByte(c)
			newline()
		case ':':
			w.WriteString(": ")
		default:
			w.WriteByte(c)
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
