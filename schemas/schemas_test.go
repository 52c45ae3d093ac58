package schemas

import (
	"bytes"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func document(t *testing.T, text []byte) any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestSchemasAreSchemas(t *testing.T) {
	for name, text := range map[string][]byte{"suite": Suite(), "result": Result(), "bisect": Bisect()} {
		doc := document(t, text)
		if got := doc.(map[string]any)["$schema"]; got != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: draft %v", name, got)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("x.json", doc); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile("x.json"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Keywords that draft-07 and 2020-12 have in common: what the YAML language
// server of editors handles.
var keywords = []string{"$schema", "$id", "$ref", "$defs", "title", "description", "default", "examples", "type", "enum", "const",
	"pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "uniqueItems", "items",
	"properties", "propertyNames", "patternProperties", "additionalProperties", "required", "minProperties", "not", "anyOf", "allOf", "if", "then"}

func TestSuiteSchemaKeepsToWhatEditorsHandle(t *testing.T) {
	var visit func(path string, v any, names bool)
	visit = func(path string, v any, names bool) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				visit(path, item, false)
			}
		case map[string]any:
			for key, inner := range v {
				if !names && !slices.Contains(keywords, key) {
					t.Errorf("%s: keyword %q", path, key)
				}
				if key != "examples" && key != "default" && key != "enum" {
					visit(path+"/"+key, inner, !names && (key == "properties" || key == "patternProperties" || key == "$defs"))
				}
			}
		}
	}
	visit("", document(t, Suite()), false)
}
