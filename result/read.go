package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxSize is the largest document that Read takes, in bytes: 1 GiB holds a
// million cases of 30 samples, and keeps a wrong file from filling the memory.
const MaxSize = 1 << 30

// Read reads one document and checks it with Validate, so that nothing that
// is handed a document has to check it again. The error names the line and
// column of what cannot be read; unknown keys and anything after the document
// are errors.
func Read(r io.Reader) (*Document, error) { return read(r, MaxSize) }

func read(r io.Reader, limit int64) (*Document, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("the result document is larger than %d bytes", limit)
	}
	doc, err := decode(data)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(); err != nil {
		return nil, err
	}
	return doc, nil
}

// decode looks at the version before anything else: a document of another
// version is likely to have keys that are unknown here, and naming the first
// of them would send the reader the wrong way.
func decode(data []byte) (*Document, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the result document is empty")
	}
	var version struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, placed(data, err)
	}
	if err := checkSchema(version.Schema); err != nil {
		return nil, err
	}
	doc := new(Document)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(doc); err != nil {
		return nil, placed(data, err)
	}
	return doc, nil
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

// placed puts the line and column in front of an error of encoding/json, where
// it knows an offset, and says it in words that name no Go types.
func placed(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var column *columnError
	switch {
	case errors.As(err, &column):
		// A column that stands there twice is as wrong the first time.
		at := max(0, bytes.Index(data, column.text)) + column.offset
		return fmt.Errorf("%s: %w", position(data, int64(at)+1), err)
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(data)) && strings.Contains(err.Error(), "unexpected end"):
		return fmt.Errorf("%s: the document is cut off", position(data, int64(len(data))))
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "after top-level value"):
		return fmt.Errorf("%s: text after the end of the document", position(data, syntax.Offset))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", position(data, syntax.Offset), syntax)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("%s: unexpected %s", position(data, kind.Offset), kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: unexpected %s for %q", position(data, kind.Offset), kind.Value, kind.Field)
	}
	return errors.New(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "json: "), "unknown field", "unknown key"))
}

// position turns an offset, the number of bytes read when the error was seen,
// into the line and column of the last of them, both counted from 1.
func position(data []byte, offset int64) string {
	end := max(0, min(offset, int64(len(data)))-1)
	line := bytes.Count(data[:end], []byte("\n")) + 1
	col := int(end) - bytes.LastIndexByte(data[:end], '\n')
	return fmt.Sprintf("line %d, column %d", line, col)
}
