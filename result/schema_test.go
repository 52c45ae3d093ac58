package result_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/schemas"
	"example.com/suite/schemas/schematest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// A key too many is refused wherever it stands. Objects at one place with the same keys are tried once: each try validates
// the whole document.
func TestSchemaRefusesUnknownKeys(t *testing.T) {
	s, tried := schema(t), map[string]bool{}
	all := recorded(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		doc := parse(t, all[name])
		eachObject(doc, "", func(path string, object map[string]any) {
			if strings.HasSuffix(path, "/columns") {
				return // its keys are names of metrics
			}
			kind := fmt.Sprint(path, slices.Sorted(maps.Keys(object)))
			if tried[kind] {
				return
			}
			tried[kind] = true
			object["surprise"] = "!"
			if s.Validate(doc) == nil {
				t.Errorf("%s: an unknown key in %s is accepted", name, path)
			}
			delete(object, "surprise")
		})
	}
	if len(tried) < 100 {
		t.Errorf("only %d kinds of objects", len(tried))
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

func TestSchemaKeysAreThoseOfTheTypes(t *testing.T) {
	schematest.Keys(t, schemas.Result(), reflect.TypeFor[result.Document]())
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
	if diff := cmp.Diff(doc, read(t, out.Bytes()), cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
}

// The words for causes are the same in the code, in the schema and in the manual.
func TestCausesAreDocumented(t *testing.T) {
	data := testfile.Read(t, schemaFile)
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
	page := testfile.Read(t, "../docs/results.md")
	for _, cause := range result.Causes()[1:] {
		if !strings.Contains(string(page), "\n| `"+string(cause)+"` | ") || !strings.Contains(root.Defs.Cause.Description, string(cause)+": ") {
			t.Errorf("%q is not described", cause)
		}
	}
}
