package pegfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// mostBytes of one file.
const mostBytes = 64 << 20

// Read reads what an instrumented program has written, docs/pegs.md: JSON documents in
// a row, lines of the form from<TAB>to<TAB>ns, or both, which are added up. Nothing at
// all is a document without its end. The error is a *Problem, or the error of
// the reader.
func Read(r io.Reader) (*Document, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostBytes {
		return nil, &Problem{Message: "more than 64 MiB of pegs",
			Hint: "add up in the program: one arc for each from and to"}
	}
	s := source{text: text, lines: newLines()}
	return s.read()
}

// source is a text that is being read.
type source struct {
	text  []byte
	done  int // bytes that have been read
	docs  []*Document
	lines *lines
}

func (s *source) read() (*Document, error) {
	for s.skip(); s.done < len(s.text); s.skip() {
		next := s.line
		if s.text[s.done] == '{' {
			next = s.document
		}
		if p := next(); p != nil {
			return nil, p
		}
	}
	if s.lines.seen {
		s.docs = append(s.docs, s.lines.document())
	}
	return Merge(s.docs...), nil
}

// skip passes over blanks and ends of lines. A tab begins a line without a from.
func (s *source) skip() {
	s.done = len(s.text) - len(bytes.TrimLeft(s.text[s.done:], " \r\n"))
}

// document reads one document of JSON.
func (s *source) document() *Problem {
	begin := s.done
	if p := s.version(); p != nil {
		return p
	}
	d := json.NewDecoder(bytes.NewReader(s.text[begin:]))
	d.DisallowUnknownFields()
	var doc Document
	err := d.Decode(&doc)
	if err == nil {
		err = doc.Check()
	}
	if err != nil {
		return s.badJSON(err, begin)
	}
	s.done = begin + int(d.InputOffset())
	s.docs = append(s.docs, &doc)
	return nil
}

// version looks at the version before at anything else: in another one everything may
// have another name.
func (s *source) version() *Problem {
	var doc struct {
		Pegs *json.RawMessage `json:"pegs"`
	}
	if err := json.NewDecoder(bytes.NewReader(s.text[s.done:])).Decode(&doc); err != nil {
		return s.badJSON(err, s.done)
	}
	var version string
	switch {
	case doc.Pegs == nil:
		return s.problem(s.done, "this is no document of pegs",
			fmt.Sprintf("its first key is %q: %q", "pegs", Protocol))
	case json.Unmarshal(*doc.Pegs, &version) != nil || version != Protocol:
		return s.problem(s.done, fmt.Sprintf("a document of the version %s", clip(string(*doc.Pegs))),
			fmt.Sprintf("this suite reads %q", Protocol))
	}
	return nil
}

// badJSON returns in the words of a user what encoding/json has found.
func (s *source) badJSON(err error, begin int) *Problem {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return s.problem(len(s.text), "the document is truncated",
			"write to another name and rename it when it is whole, docs/pegs.md")
	case errors.As(err, &syntax):
		return s.problem(begin+int(syntax.Offset)-1, err.Error(), "")
	case errors.As(err, &kind) && strings.HasPrefix(kind.Value, "number") && kind.Type.Kind() == reflect.Float64:
		return s.problem(begin+int(kind.Offset)-1, fmt.Sprintf("%q is out of range", kind.Field), "")
	case errors.As(err, &kind):
		return s.problem(begin+int(kind.Offset)-1,
			fmt.Sprintf("%q is a JSON %s, want %s", kind.Field, kind.Value, wanted(kind)), "")
	}
	return s.problem(begin, clip(strings.Replace(err.Error(), "json: unknown field", "unknown key", 1)), "")
}

// wanted names the type that a key has.
func wanted(err *json.UnmarshalTypeError) string {
	switch name := err.Type.Kind().String(); {
	case name == "uint64":
		return "a count: a whole number that is not negative"
	case name == "float64", name == "int":
		return "a number"
	case name == "bool":
		return "true or false"
	case name == "slice":
		return "a list"
	default:
		return "a " + strings.Replace(name, "struct", "object", 1)
	}
}

func (s *source) problem(offset int, message, hint string) *Problem {
	return (&Problem{Message: message, Hint: hint}).at(s.text, offset)
}

// clip bounds what is repeated of a text: 100 characters.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 100 {
		return string(runes[:99]) + "…"
	}
	return text
}
