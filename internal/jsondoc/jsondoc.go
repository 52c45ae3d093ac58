// Package jsondoc writes JSON for programs that people read too: two spaces for each level, and < and > as they are.
package jsondoc

import (
	"encoding/json"
	"io"
)

// Write writes a value as a document.
func Write(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
