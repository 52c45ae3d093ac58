package result_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../schemas/result.schema.json"

func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t testing.TB, data []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRecordedDocumentsFitTheSchema(t *testing.T) {
	s := schema(t)
	for name, data := range recorded(t) {
		if err := s.Validate(parse(t, data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A key too many is refused wherever it stands.
func TestSchemaRefusesUnknownKeys(t *testing.T) {
	s, tried := schema(t), 0
	for name, data := range recorded(t) {
		doc := parse(t, data)
		eachObject(doc, "", func(path string, object map[string]any) {
			if strings.HasSuffix(path, "/columns") {
				return // its keys are names of metrics
			}
			object["surprise"] = "!"
			if tried++; s.Validate(doc) == nil {
				t.Errorf("%s: an unknown key in %s is accepted", name, path)
			}
			delete(object, "surprise")
		})
		if testing.Short() && tried > 1000 {
			break
		}
	}
	if tried < 100 {
		t.Errorf("only %d objects", tried)
	}
}

func eachObject(v any, path string, f func(string, map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(path, v)
		for key, x := range v {
			eachObject(x, path+"/"+key, f)
		}
	case []any:
		for _, x := range v[:min(2, len(v))] {
			eachObject(x, path+"/0", f)
		}
	}
}

// Words that Read refuses are refused by the schema as well.
func TestSchemaRefusesWhatReadRefuses(t *testing.T) {
	s, good := schema(t), string(recorded(t)["verdicts.json"])
	for _, edit := range [][2]string{
		{`"schema": "suite-result/1"`, `"schema": "suite-result/2"`}, {`"exit": 3`, `"exit": 2`}, {`"seed": "9f`, `"seed": "`},
		{`"kind": "go"`, `"kind": "rust"`}, {`"status": "measured"`, `"status": "fine"`}, {`"status": "measured"`, `"status": "error"`},
		{`"verdict": "pass"`, `"verdict": "maybe"`}, {`"form": "interval"`, `"form": "guess"`}, {`"severity": "fail"`, `"severity": "mild"`},
		{`"work": 1`, `"work": -1`}, {`"n": 12`, `"n": -12`}, {`"low": 0.00000120032,`, ``}, {`"launch": [0, `, `"launch": [-1, `},
		{`"name": "parse/small"`, `"name": ""`}, {`"on_inconclusive": "list"`, `"on_inconclusive": "shrug"`}, {`"cpu": [`, `"cpu": ["x", `},
		{`"time": [0.0000012158`, `"time": [null`}, {`"loop": "direct"`, `"loop": "twisted"`}, {`"gc": "on"`, `"gc": "on", "sampling": "twice"`},
		{`"gc": "on"`, `"gc": "on", "keep": "all"`}, {`"n": 12`, `"extremes": "pair", "n": 12`},
		{`"loop": "direct"`, `"loop": "trial", "void": -1`}, {`"loop": "direct"`, `"loop": "trial", "multiplexed": 1.5`},
	} {
		bad := strings.Replace(good, edit[0], edit[1], 1)
		if bad == good {
			t.Fatalf("the document has no %s", edit[0])
		}
		if s.Validate(parse(t, []byte(bad))) == nil {
			t.Errorf("the schema accepts %s", edit[1])
		}
		if _, err := result.Read(strings.NewReader(bad)); err == nil {
			t.Errorf("Read accepts %s", edit[1])
		}
	}
}

// Keys of the schema and of the Go types are the same set, in every type; what
// Go leaves out when empty is optional, and only that; everything is described.
func TestSchemaKeysAreThoseOfTheTypes(t *testing.T) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	w := &walker{t: t, root: root, seen: map[reflect.Type]bool{}}
	w.walk("document", reflect.TypeFor[result.Document](), root)
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
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
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

// Every word of the schema's lists is known to the code.
func TestSchemaWordsAreThoseOfTheCode(t *testing.T) {
	s, good := schema(t), recorded(t)["verdicts.json"]
	for _, verdict := range []result.Verdict{result.Pass, result.Fail, result.Inconclusive, result.Error, result.NotJudged} {
		for _, form := range []result.Form{result.FormExact, result.FormPairs, result.FormInterval, result.FormPoint} { // unpaired needs a saved result: earlier_test.go
			doc := read(t, good)
			doc.Cases[0].Gates[0].Verdict, doc.Cases[0].Gates[0].Form = verdict, form
			var out bytes.Buffer
			if err := result.Write(&out, doc); err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(parse(t, out.Bytes())); err != nil {
				t.Errorf("%s, %s: %v", verdict, form, err)
			}
		}
	}
}

// comesBack writes a document, holds it to the schema and reads it back.
func comesBack(t testing.TB, doc *result.Document) {
	t.Helper()
	var out bytes.Buffer
	if err := result.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(parse(t, out.Bytes())); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(doc, read(t, out.Bytes())); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
}

// The words for causes are the same in the code, in the schema and in the manual.
func TestCausesAreDocumented(t *testing.T) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root struct {
		Defs struct {
			Cause struct {
				Enum        []result.Cause
				Description string
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(result.Causes()[1:], root.Defs.Cause.Enum); diff != "" {
		t.Errorf("the schema (-want +got):\n%s", diff)
	}
	page, err := os.ReadFile("../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, cause := range result.Causes()[1:] {
		if !strings.Contains(string(page), "\n| `"+string(cause)+"` | ") || !strings.Contains(root.Defs.Cause.Description, string(cause)+": ") {
			t.Errorf("%q is not described", cause)
		}
	}
}
