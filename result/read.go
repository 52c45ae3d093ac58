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

// MaxSize is the largest document that Read takes, in bytes: 1 GiB holds a
// million cases of 30 samples, and keeps a wrong file from filling the memory.
const MaxSize = 1 << 30

// Read reads one document and checks it with Validate, so that nothing that
// is handed a document has to check it again. It reads strictly: unknown keys,
// keys that come twice, keys that differ in case and anything after the document
// are errors. The error names the line and column of what cannot be read if r can
// be rewound, else the byte. r is read once, to its end; at most a part of the text
// is in memory at a time.
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

// limitedReader fails if there is more than a document may have. It keeps its error,
// which a decoder wraps in words of its own.
type limitedReader struct {
	r           io.Reader
	left, limit int64
	err         error
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		err = fmt.Errorf("the result document is larger than %d bytes", l.limit)
	}
	if err != io.EOF {
		l.err = err
	}
	return n, err
}

// decode looks at the version before anything else: a document of another
// version is likely to have keys that are unknown here, and naming the first
// of them would send the reader the wrong way.
func decode(r io.Reader) (*Document, error) {
	b := bufio.NewReaderSize(r, 1<<17) // 100 MB in pieces of 4 KiB cost 50 ms of system calls
	head, _ := b.Peek(HeadSize)
	version, first := versionIn(head)
	if first {
		if err := checkSchema(version); err != nil {
			return nil, err
		}
	}
	doc := new(Document)
	d := jsontext.NewDecoder(b)
	if err := json.UnmarshalDecode(d, doc, json.RejectUnknownMembers(true), json.WithUnmarshalers(numberLists)); err != nil {
		var unknown *json.SemanticError
		if !first && errors.As(err, &unknown) && unknown.Err == json.ErrUnknownName {
			if err := checkSchema(doc.Schema); err != nil { // it has not been read before the key
				return nil, err
			}
		}
		return nil, explained(err)
	}
	if err := checkSchema(doc.Schema); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, &placedError{behind(d, err), errors.New("text after the end of the document")}
	}
	return doc, nil
}

// numberLists read lists of numbers several times as fast as by reflection: they are most
// of a document.
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

// listUnmarshaler reads lists whose elements are parsed by parse.
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
			return &placedError{begin + int64(wrong.offset), fmt.Errorf("unexpected %s for %q", wrong.what, d.StackPointer().LastToken())}
		}
		return err
	})
}

// behind returns the offset of the first text after the document.
func behind(d *jsontext.Decoder, err error) int64 {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return syntax.ByteOffset
	}
	return d.InputOffset() - 1
}

// HeadSize is how much of a text Begins has to see, bytes.
const HeadSize = 4096

// Begins reports whether a text begins as the documents that suite writes: with a
// version, of whatever number. A document whose keys are in another order does not.
func Begins(head []byte) bool {
	_, first := versionIn(head)
	return first
}

// versionIn returns the version of a document that begins with it, as all do that suite
// has written; false for any other text.
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

func checkSchema(version string) error {
	switch version {
	case Schema:
		return nil
	case "":
		return fmt.Errorf("not a result document: it has no \"schema\"; expected %q", Schema)
	}
	return fmt.Errorf("unknown schema %q; this version of suite reads %q", version, Schema)
}

// placedError is a problem of a document, at a byte counted from 0.
type placedError struct {
	offset int64
	err    error
}

func (e *placedError) Error() string { return e.err.Error() }

// explained returns the error with its position, in words without names of Go types.
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

// unexpected returns an error that names the kind of a wrong value and its key.
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
	for at != "" && strings.Trim(at.LastToken(), "0123456789") == "" { // within a list
		at = at.Parent()
	}
	if at == "" {
		return fmt.Errorf("unexpected %s", what)
	}
	return fmt.Errorf("unexpected %s for %q", what, at.LastToken())
}

// rewind calls Seek if r is an io.Seeker.
func rewind(r io.Reader, offset int64, whence int) (int64, error) {
	if s, ok := r.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}

// position turns the offset of a byte into its line and column, both counted from 1, by
// reading up to it once more; what cannot be read again, such as a pipe, has the number of
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
