// Package schemas holds the JSON Schemas (draft 2020-12) of suite files and of
// result documents, as editors and validators read them.
package schemas

import "embed"

//go:embed *.json
var files embed.FS

// Suite is the schema of a suite file.
func Suite() []byte { return read("suite.schema.json") }

// Result is the schema of a result document.
func Result() []byte { return read("result.schema.json") }

// read gives an embedded file, nothing where there is none: a test of each
// schema shows that there is one.
func read(name string) []byte {
	text, _ := files.ReadFile(name)
	return text
}
