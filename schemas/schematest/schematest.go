// Package schematest compares JSON Schemas with the Go types whose JSON they describe. Only
// tests import it.
package schematest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Keys checks that the keys of a schema and of a document's Go type are the same set, in every
// type below it: what Go leaves out when empty is optional, and only that, and everything is
// described.
func Keys(t *testing.T, schema []byte, document reflect.Type) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	w := &walker{t: t, root: root, seen: map[reflect.Type]bool{}}
	w.walk("document", document, root)
	objects := 1 // the document
	for _, def := range root["$defs"].(map[string]any) {
		if def.(map[string]any)["type"] == "object" {
			objects++
		}
	}
	if len(w.seen) != objects {
		t.Errorf("%d types and %d definitions", len(w.seen), objects)
	}
}

type walker struct {
	t    *testing.T
	root map[string]any
	seen map[reflect.Type]bool
}

func (w *walker) walk(path string, typ reflect.Type, schema map[string]any) {
	if ref, ok := schema["$ref"].(string); ok {
		schema = w.root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if schema["description"] == nil && schema["additionalProperties"] != nil {
		w.t.Errorf("%s has no description", path)
	}
	switch typ.Kind() {
	case reflect.Pointer:
		w.walk(path, typ.Elem(), schema)
	case reflect.Slice:
		w.walk(path+"[]", typ.Elem(), schema["items"].(map[string]any))
	case reflect.Map:
		w.walk(path+"{}", typ.Elem(), schema["additionalProperties"].(map[string]any))
	case reflect.Struct:
		if typ != reflect.TypeFor[time.Time]() && !w.seen[typ] {
			w.seen[typ] = true
			w.object(path, typ, schema)
		}
	}
}

func (w *walker) object(path string, typ reflect.Type, schema map[string]any) {
	properties := schema["properties"].(map[string]any)
	var keys, required []string
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		keys = append(keys, name)
		if option == "" {
			required = append(required, name)
		}
		if p, ok := properties[name].(map[string]any); ok {
			if p["description"] == nil && p["$ref"] == nil {
				w.t.Errorf("%s.%s has no description", path, name)
			}
			w.walk(path+"."+name, f.Type, p)
		}
	}
	var listed, must []string
	for name := range properties {
		listed = append(listed, name)
	}
	for _, name := range schema["required"].([]any) {
		must = append(must, name.(string))
	}
	for _, xs := range [][]string{keys, required, listed, must} {
		slices.Sort(xs)
	}
	if diff := cmp.Diff(keys, listed); diff != "" {
		w.t.Errorf("%s: keys (-code +schema):\n%s", path, diff)
	}
	if diff := cmp.Diff(required, must); diff != "" {
		w.t.Errorf("%s: required (-code +schema):\n%s", path, diff)
	}
}
