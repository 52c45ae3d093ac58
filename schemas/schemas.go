// Package schemas contains the JSON Schemas (draft 2020-12) of suite files, of result documents, and
// of what suite bisect writes, for editors and validators.
package schemas

import "embed"

//go:embed *.json
var files embed.FS

// Suite is the schema of a suite file.
func Suite() []byte { return read("suite.schema.json") }

// Result is the schema of a result document.
func Result() []byte { return read("result.schema.json") }

// Bisect is the schema of a bisect document.
func Bisect() []byte { return read("bisect.schema.json") }

// read returns an embedded file. It has no error: a test reads each schema, so all exist.
func read(name string) []byte {
	text, _ := files.ReadFile(name)
	return text
}
