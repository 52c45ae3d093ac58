package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/testfile"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/timer"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

func suiteSchema(t *testing.T) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	text, err := os.ReadFile(suiteSchemaFile) // the embedded one is old after -update has written it
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("suite.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("suite.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, doc.(map[string]any)
}

// instance is a YAML file as an editor hands it to a schema; ok is false where
// it is no YAML at all.
func instance(t *testing.T, file string) (v any, ok bool) {
	t.Helper()
	text := testfile.Read(t, file)
	if yaml.Unmarshal(text, &v) != nil {
		return nil, false
	}
	return plain(v), true
}

func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case map[any]any:
		m := map[string]any{}
		for k := range v {
			m[fmt.Sprint(k)] = plain(v[k])
		}
		return m
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case time.Time:
		return v.Format(time.RFC3339)
	}
	return v
}

func TestSchemaAcceptsWhatTheParserAccepts(t *testing.T) {
	s, _ := suiteSchema(t)
	for _, pattern := range []string{"testdata/ok/*.yaml", "testdata/ok/parts/*.yaml"} {
		eachFile(t, pattern, func(t *testing.T, file string) {
			v, ok := instance(t, file)
			if !ok {
				t.Fatal("not YAML")
			}
			if err := s.Validate(v); err != nil {
				t.Error(err)
			}
		})
	}
}

// What a schema cannot say, and the files that are wrong in that way alone.
var beyondSchema = map[string]string{
	"alias_bomb":          "it sees expanded values only",
	"many_keys":           "mappings of any size are fine to it",
	"duplicate_keys":      "it sees one of two equal keys",
	"names":               "names are unique after expansion",
	"file_names":          "names are unique after expansion",
	"functions":           "it does not know what is registered",
	"timers_unknown":      "it does not know what works here",
	"timers_expanded":     "it does not read ${…}",
	"timers_templates":    "it does not read ${…}",
	"templates":           "it does not read ${…}",
	"templates_expanded":  "it does not read ${…}",
	"work_expanded":       "it does not read ${…}",
	"late_settings":       "it does not read ${…}",
	"said_once":           "it does not read ${…}",
	"exclude_nothing":     "it does not compare values",
	"too_many_cases":      "it does not multiply",
	"two_documents":       "it sees one document",
	"nul_escape":          "a NUL character is text to it",
	"file_cycle":          "it does not open files",
	"file_missing":        "it does not open files",
	"file_self":           "it does not open files",
	"file_twice":          "it does not open files",
	"settings_together":   "it does not compare values",
	"parameters_together": "it does not compare values",
	"duration_order":      "it does not know which unit is longer",
	"kinds_env":           "env and cwd depend on setup and cleanup",
	"bodies_missing":      "the body may stand in defaults",
	"zero_time":           "0s is a duration",
	"gate_names":          "it does not compare values",
	"garbage":             "it sees one document",
	"arrivals_together":   "it does not compare values",
	"batch_coalesce":      "it does not see defaults and benchmark together",
	"samples_late":        "it does not read ${…}",
	"summary_compared":    "it does not read expressions",
	"toolchain":           "it does not compare keys",
	"void_both":           "it does not compare values",
	"metrics_together":    "it does not know names and units",
	"metrics_expanded":    "it does not read ${…}",
	"commands_expanded":   "it does not read ${…}",
	"command_text":        "it does not split commands",
	"service_ready":       "it does not read addresses and patterns",
	"gotest_env":          "it does not read ${…}",
	"base":                "it does not know names",
	"base_circle":         "it does not know names",
	"was_names":           "it does not know names",
	"pegs_expanded":       "it does not read ${…}",
	"tolerance_twice":     "it does not compare keys",
}

func TestSchemaRefusesWhatTheParserRefuses(t *testing.T) {
	s, _ := suiteSchema(t)
	eachFile(t, "testdata/err/*.yaml", func(t *testing.T, file string) {
		v, ok := instance(t, file)
		if !ok {
			return // no editor gets as far as the schema
		}
		_, beyond := beyondSchema[strings.TrimSuffix(filepath.Base(file), ".yaml")]
		err := s.Validate(v)
		if err == nil && !beyond {
			t.Error("the schema accepts the file")
		}
		if err != nil && beyond {
			t.Errorf("the schema can express it after all: %v", err)
		}
	})
}

func TestReasonsBeyondTheSchemaHaveAFile(t *testing.T) {
	for name := range beyondSchema {
		if _, err := os.Stat("testdata/err/" + name + ".yaml"); err != nil {
			t.Error(err)
		}
	}
}

func keysOf(t *testing.T, doc map[string]any, path ...string) []string {
	t.Helper()
	for _, p := range append(path, "properties") {
		next, ok := doc[p].(map[string]any)
		if !ok {
			t.Fatalf("the schema has no %s", strings.Join(path, "/"))
		}
		doc = next
	}
	return slices.Sorted(maps.Keys(doc))
}

func TestSchemaAndCodeHaveTheSameKeys(t *testing.T) {
	_, doc := suiteSchema(t)
	for _, c := range []struct {
		keys []string
		path []string
	}{
		{SuiteKeys(), nil},
		{BenchmarkKeys(), []string{"$defs", "keys"}},
		{TimerKeys(), []string{"$defs", "timer"}},
		{toolchainKeys.Known, []string{"$defs", "toolchain"}},
		{SamplesKeys(), []string{"$defs", "samples"}},
		{RejectKeys(), []string{"$defs", "reject"}},
		{stdinKeys.Known, []string{"$defs", "stdin"}},
		{serviceKeys.Known, []string{"$defs", "service"}},
		{readyKeys.Known, []string{"$defs", "ready"}},
		{GateKeys(), []string{"$defs", "gate"}},
		{errorsKeys.Known, []string{"$defs", "errors"}},
		{metricKeys.Known, []string{"$defs", "metric"}},
		{fromKeys.Known, []string{"$defs", "from"}},
	} {
		slices.Sort(c.keys)
		if diff := cmp.Diff(c.keys, keysOf(t, doc, c.path...)); diff != "" {
			t.Errorf("%v: -code +schema\n%s", c.path, diff)
		}
	}
}

func TestEveryKeyOfTheSchemaIsDescribed(t *testing.T) {
	_, doc := suiteSchema(t)
	described := func(where string, v any) {
		for key, p := range v.(map[string]any)["properties"].(map[string]any) {
			m := p.(map[string]any)
			if text, _ := m["description"].(string); len(text) < 10 || !strings.HasSuffix(text, ".") {
				t.Errorf("%s%s has the description %q", where, key, text)
			}
			if m["enum"] == nil && m["examples"] == nil {
				t.Errorf("%s%s has neither examples nor an enum", where, key)
			}
		}
	}
	described("", doc)
	for _, name := range []string{"keys", "timer", "toolchain", "samples", "reject", "stdin", "service", "ready", "gate", "errors", "metric", "from"} {
		described(name+"/", doc["$defs"].(map[string]any)[name])
	}
}

func TestExamplesOfTheSchemaAreValid(t *testing.T) {
	_, doc := suiteSchema(t)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("suite.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	var visit func(path string, v any)
	visit = func(path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		examples, _ := m["examples"].([]any)
		if d, ok := m["default"]; ok {
			examples = append(examples, d)
		}
		for _, e := range examples {
			s, err := c.Compile("suite.schema.json#" + path)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(e); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		for _, in := range []string{"properties", "$defs"} {
			if inner, ok := m[in].(map[string]any); ok {
				for key, v := range inner {
					visit(path+"/"+in+"/"+key, v)
				}
			}
		}
	}
	visit("", doc)
}

func TestDefaultsOfTheSchemaAreThoseOfTheCode(t *testing.T) {
	_, doc := suiteSchema(t)
	defs := doc["$defs"].(map[string]any)
	property := func(def, key string) map[string]any {
		one, _ := defs[def].(map[string]any)["properties"].(map[string]any)[key].(map[string]any) // nil if the schema lacks the key
		return one
	}
	want := Defaults()
	for _, s := range settings {
		def, key := "keys", s.key
		if name, sub, ok := strings.Cut(s.key, "."); ok {
			def, key = name, sub
		}
		if got := fmt.Sprint(property(def, key)["default"]); got != s.show(&want) {
			t.Errorf("%s is %s in the schema and %s in the code", s.key, got, s.show(&want))
		}
	}
	for key, want := range map[string]any{"unit": defaultUnit, "work": defaultWork, "exit_codes": []int{0}} {
		if got := jsonText(t, property("keys", key)["default"]); got != jsonText(t, want) {
			t.Errorf("%s is %s in the schema and %s in the code", key, got, jsonText(t, want))
		}
	}
	top := doc["properties"].(map[string]any)
	if got := top["on_inconclusive"].(map[string]any)["default"]; got != defaultOnInconclusive {
		t.Errorf("on_inconclusive is %v in the schema", got)
	}
	if got := property("service", "stop")["default"]; got != defaultStop {
		t.Errorf("stop of a service is %v in the schema", got)
	}
	if got := property("service", "timeout")["default"]; got != defaultServiceTimeout.String() {
		t.Errorf("timeout of a service is %v in the schema", got)
	}
	if got := property("errors", "family")["default"]; got != units.Exact(defaults.Family) {
		t.Errorf("family of errors is %v in the schema", got)
	}
	if got := property("gate", "severity")["default"]; got != defaultSeverity {
		t.Errorf("severity is %v in the schema", got)
	}
	for key, want := range map[string]string{"clock": defaultClock, "cycle": defaultCycle} {
		if got := jsonText(t, property("timer", key)["default"]); got != `["`+want+`"]` {
			t.Errorf("%s is %s in the schema", key, got)
		}
	}
	line := "clock=" + defaultClock + " cycle=" + defaultCycle
	for where, got := range map[string]any{"the suite": top["timer"], "a benchmark": property("keys", "timer")} {
		if got := got.(map[string]any)["default"]; got != line {
			t.Errorf("timer of %s is %v in the schema and %s in the code", where, got, line)
		}
	}
	if got := top["unaffected"].(map[string]any)["default"]; got != string(ByExecution) {
		t.Errorf("unaffected is %v in the schema", got)
	}
	if got := top["report"].(map[string]any)["default"]; got != defaultReport {
		t.Errorf("report is %v in the schema", got)
	}
}

// An editor completes the counters, so the schema names them, in both spellings.
func TestSchemaNamesTheCountersOfTheTimer(t *testing.T) {
	_, doc := suiteSchema(t)
	counters := doc["$defs"].(map[string]any)["keys"].(map[string]any)["properties"].(map[string]any)["counters"].(map[string]any)
	var got, want []string
	for _, name := range counters["items"].(map[string]any)["enum"].([]any) {
		got = append(got, name.(string))
	}
	for _, e := range timer.AllEvents() {
		want = append(want, e.Name)
		if e.Metric != e.Name {
			want = append(want, e.Metric)
		}
		if metricOf(e.Name) != e.Metric || rank(e.Metric) == len(result.Metrics()) {
			t.Errorf("event %s has the metric %s, which no table knows", e.Name, e.Metric)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-timer +schema\n%s", diff)
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
