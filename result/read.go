package result

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxSize is the largest document that Read accepts, in bytes. 4 GiB is enough for 10,000
// cases of 2000 samples, of some 200 bytes each, and protects the memory from a wrong file.
const MaxSize int64 = 4 << 30

// Read reads one document and validates it, so that functions that take a document
// need not check it again. Unknown keys, duplicate keys, keys in another case and
// anything after the document are errors. If r is an io.Seeker, the error has the
// line and column of the problem, else the number of the byte. r is read once, to its
// end; at most a part of the text is in memory at a time, and of the rows of a large
// document only those that are looked at: see [Store].
func Read(r io.Reader) (*Document, error) { return read(r, MaxSize) }

func read(r io.Reader, limit int64) (*Document, error) {
	start, _ := rewind(r, 0, io.SeekCurrent)
	limited := &limitedReader{r: r, left: limit, limit: limit}
	doc, err := decode(limited)
	var p *placedError
	switch {
	case limited.err != nil:
		return nil, limited.err
	case errors.As(err, &p):
		return nil, fmt.Errorf("%s: %w", position(r, start, p.offset), p.err)
	case err != nil:
		return nil, err
	}
	if err := doc.Validate(); err != nil {
		return nil, err
	}
	return doc, nil
}

// limitedReader fails after limit bytes. It keeps its error, because a decoder wraps
// it in other words.
type limitedReader struct {
	r           io.Reader
	left, limit int64
	err         error
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p[:min(int64(len(p)), l.left+1)])
	l.left -= int64(n)
	if l.left < 0 {
		err = fmt.Errorf("the result document is larger than %d bytes", l.limit)
	}
	if err != io.EOF {
		l.err = err
	}
	return n, err
}

// decode checks the version first: a document of another version probably has keys
// that are unknown here, and an error about the first of them would mislead the
// reader.
func decode(r io.Reader) (*Document, error) {
	b := bufio.NewReaderSize(r, 1<<17) // reading 100 MB in pieces of 4 KiB takes 50 ms of system calls
	head, _ := b.Peek(HeadSize)
	version, first := versionIn(head)
	if first {
		if err := checkSchema(version); err != nil {
			return nil, err
		}
	}
	doc := new(Document)
	d := jsontext.NewDecoder(b)
	rows := NewStore("")
	defer rows.Close()
	lists := json.WithUnmarshalers(json.JoinUnmarshalers(numberLists, keptIn(rows)))
	if err := json.UnmarshalDecode(d, doc, json.RejectUnknownMembers(true), lists); err != nil {
		var unknown *json.SemanticError
		if !first && errors.As(err, &unknown) && unknown.Err == json.ErrUnknownName {
			if err := checkSchema(doc.Schema); err != nil { // it comes after the unknown key
				return nil, err
			}
		}
		return nil, explained(err)
	}
	if err := checkSchema(doc.Schema); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, &placedError{textAfter(d, err), errors.New("text after the end of the document")}
	}
	return doc, nil
}

// numberLists parse lists of numbers, which are most of a document, several times as
// fast as reflection does.
var numberLists = json.JoinUnmarshalers(
	listUnmarshaler(func(text []byte) (int, error) {
		if string(text) == "null" {
			return 0, nil
		}
		return strconv.Atoi(string(text))
	}),
	listUnmarshaler(func(text []byte) (float64, error) {
		if string(text) == "null" {
			return 0, nil
		}
		return number(text)
	}))

// keptIn hands each case over to a store when it has been read.
func keptIn(rows *Store) *json.Unmarshalers {
	type plain Case // which has no unmarshaler
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, c *Case) error {
		err := json.UnmarshalDecode(d, (*plain)(c), json.RejectUnknownMembers(true), json.WithUnmarshalers(numberLists))
		if err == nil {
			rows.Keep(c)
		}
		return err
	})
}

func listUnmarshaler[T int | float64](parse func(text []byte) (T, error)) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, xs *[]T) error {
		data, err := d.ReadValue()
		if err != nil {
			return err
		}
		if string(data) == "null" {
			*xs = nil
			return nil
		}
		*xs, err = parseList(data, parse)
		var wrong *columnError
		if errors.As(err, &wrong) {
			begin := d.InputOffset() - int64(len(data))
			return &placedError{begin + int64(wrong.offset),
				fmt.Errorf("unexpected %s for %q", wrong.what, d.StackPointer().LastToken())}
		}
		return err
	})
}

// textAfter returns the offset of the first text after the document.
func textAfter(d *jsontext.Decoder, err error) int64 {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return syntax.ByteOffset
	}
	return d.InputOffset() - 1
}

// HeadSize is the number of bytes that Begins needs.
const HeadSize = 4096

// Begins reports whether a text begins like a document that suite wrote, with a
// schema of any version. It is false if the keys are in another order.
func Begins(head []byte) bool {
	_, first := versionIn(head)
	return first
}

// versionIn finds the version of a document that begins with it, as all documents of
// suite do; false for any other text.
func versionIn(head []byte) (version string, first bool) {
	d := jsontext.NewDecoder(bytes.NewReader(head))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return "", false
	}
	if t, err := d.ReadToken(); err != nil || t.Kind() != '"' || t.String() != "schema" {
		return "", false
	}
	t, err := d.ReadToken()
	if err != nil || t.Kind() != '"' {
		return "", false
	}
	return t.String(), true
}

// placedError is a problem at an offset in bytes, from 0.
type placedError struct {
	offset int64
	err    error
}

func (e *placedError) Error() string { return e.err.Error() }

// explained adds the position, and replaces Go's terms by the terms of JSON.
func explained(err error) error {
	var syntax *jsontext.SyntacticError
	var value *json.SemanticError
	var column *columnError
	var placed *placedError
	switch {
	case errors.As(err, &placed):
		return placed
	case err == io.EOF:
		return errors.New("the result document is empty")
	case errors.As(err, &syntax) && errors.Is(err, io.ErrUnexpectedEOF):
		return &placedError{max(0, syntax.ByteOffset-1), errors.New("the document is cut off")}
	case errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName):
		return &placedError{syntax.ByteOffset, fmt.Errorf("key %q is there twice", syntax.JSONPointer.LastToken())}
	case errors.As(err, &syntax):
		return &placedError{syntax.ByteOffset, errors.New(strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))}
	case errors.As(err, &column) && errors.As(err, &value):
		return &placedError{value.ByteOffset + int64(column.offset), column}
	case errors.As(err, &value) && value.Err == json.ErrUnknownName:
		return &placedError{value.ByteOffset, fmt.Errorf("unknown key %q", value.JSONPointer.LastToken())}
	case errors.As(err, &value):
		return &placedError{value.ByteOffset, unexpected(value)}
	}
	return err
}

// unexpected names the kind of a wrong value, and its key.
func unexpected(e *json.SemanticError) error {
	what := e.JSONKind.String()
	switch {
	case len(e.JSONValue) > 0:
		what = kindOf(e.JSONValue)
	case e.JSONKind == '{':
		what = "object"
	case e.JSONKind == '[':
		what = "array"
	case e.JSONKind == 't' || e.JSONKind == 'f':
		what = "bool"
	}
	at := e.JSONPointer
	for at != "" && strings.Trim(at.LastToken(), "0123456789") == "" { // an index of a list
		at = at.Parent()
	}
	if at == "" {
		return fmt.Errorf("unexpected %s", what)
	}
	return fmt.Errorf("unexpected %s for %q", what, at.LastToken())
}

func rewind(r io.Reader, offset int64, whence int) (int64, error) {
	if s, ok := r.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}

// position finds the line and column of an offset, both from 1, by reading up to it
// once more. If r cannot be read again, for example a pipe, it returns the number of
// the byte.
func position(r io.Reader, start, offset int64) string {
	if _, err := rewind(r, start, io.SeekStart); err != nil {
		return fmt.Sprintf("byte %d", offset+1)
	}
	line, col := 1, int64(1)
	buf := make([]byte, 1<<16)
	for before := io.LimitReader(r, offset); ; {
		n, err := before.Read(buf)
		line += bytes.Count(buf[:n], []byte("\n"))
		if last := bytes.LastIndexByte(buf[:n], '\n'); last >= 0 {
			col = int64(n - last)
		} else {
			col += int64(n)
		}
		if err != nil {
			return fmt.Sprintf("line %d, column %d", line, col)
		}
	}
}
