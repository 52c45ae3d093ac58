package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// The schemas and the table of keys are made from the lists in keys.go and settings.go:
// after a change of those, go test -update writes them.

const (
	suiteSchemaFile  = "../schemas/suite.schema.json"
	resultSchemaFile = "../schemas/result.schema.json"
	keysPage         = "../docs/suite-file.md"
)

// An editor shows for each key what the list of keys has: what it means, its default, and
// what a setting accepts.
func TestSchemaIsMadeFromTheKeys(t *testing.T) {
	schema := readObject(t, suiteSchemaFile)
	defs := schema.object("$defs")
	properties := defs.object("keys").object("properties")
	for _, k := range keys {
		property := properties.object(k.name)
		describe(property, k.help, k.without, k.with)
		if k.name == harnessKey {
			property.set("enum", harness.Names())
		}
		if k.initial != "" && property.get("default") == nil {
			property.set("description", property.get("description").(string)+" Default: "+plainText(k.initial)+".")
		}
	}
	defaults := Defaults()
	for _, s := range settings {
		at := properties
		name, part, isPart := strings.Cut(s.key, ".")
		if isPart {
			at = defs.object(name).object("properties")
			name = part
		}
		property := at.object(name)
		describe(property, s.help, s.without, s.with)
		property.set("anyOf", parsed(t, "["+s.accepts+`, {"$ref": "#/$defs/template"}]`))
		property.set("default", defaultOf(s.show(&defaults)))
		property.set("examples", parsed(t, "["+s.examples+"]"))
	}
	for _, clause := range defs.object("benchmark").get("allOf").([]any) {
		c := clause.(*object)
		condition, ok := c.get("if").(*object)
		if !ok {
			continue
		}
		required, _ := condition.get("required").([]any)
		if len(required) == 1 && slices.Contains(bodyKeys, required[0].(string)) {
			refuse(c.object("then").object("properties"), required[0].(string))
		}
		if len(required) == 1 && required[0] == harnessKey {
			for _, k := range keys {
				if k.without.harness != "" {
					c.object("then").object("properties").set(k.name, false)
				}
			}
		}
	}
	golden.Check(t, suiteSchemaFile, schema.text())
}

// describe sets the description of a key.
func describe(property *object, help string, without reasons, with []string) {
	text := plainText(help)
	text = strings.ToUpper(text[:1]) + text[1:] + "."
	lacks := [3]bool{without.goFunc != "" && with == nil, without.command != "", without.gotest != ""}
	only := map[[3]bool]string{
		{true, false, false}: " Not for Go functions.", {false, false, true}: " Not with gotest:.",
		{true, false, true}: " Commands only.", {false, true, true}: " Go functions only.", {true, true, false}: " With gotest: only.",
	}
	if slices.Contains(with, harnessKey) {
		property.set("description", text+" With gotest: and harness: only.")
		return
	}
	property.set("description", text+only[lacks])
}

// The schema has a number if the suite file has a number.
func defaultOf(shown string) any {
	if shown == "true" || shown == "false" {
		return shown == "true"
	}
	if _, err := strconv.ParseFloat(shown, 64); err == nil {
		return json.Number(shown)
	}
	return shown
}

// refuse makes the schema of a kind of body refuse the keys without a meaning for it, and
// all other bodies.
func refuse(properties *object, body string) {
	kind := map[string]result.Kind{"go": result.KindGo, "command": result.KindCommand, "shell": result.KindShell, "gotest": result.KindGoTest}[body]
	for _, k := range keys {
		isOther := slices.Contains(bodyKeys, k.name) && k.name != body
		isSometimes := kind == result.KindGo && k.with != nil && !slices.Contains(k.with, harnessKey) ||
			kind == result.KindCommand && slices.Contains(k.with, harnessKey)
		if isOther || k.without.why(kind) != "" && !isSometimes {
			properties.set(k.name, false)
		} else if properties.get(k.name) == false {
			properties.remove(k.name)
		}
	}
}

// A result states the settings of its cases. Its schema describes each: in words of its own
// if there are any, otherwise in the words of the suite file.
func TestSchemaOfResultsHasTheSettings(t *testing.T) {
	schema := readObject(t, resultSchemaFile)
	properties := schema.object("$defs").object("settings").object("properties")
	types := map[reflect.Kind]string{reflect.Float64: "number", reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer"}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[result.Settings]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := slices.IndexFunc(settings, func(s setting) bool {
			return strings.ReplaceAll(s.key, ".", "_") == name || strings.HasSuffix(s.key, "."+name)
		})
		if at < 0 || properties.get(name) != nil {
			continue
		}
		property := properties.object(name)
		property.set("type", types[field.Type.Kind()])
		describe(property, settings[at].help, reasons{}, nil)
	}
	golden.Check(t, resultSchemaFile, schema.text())
}

// The table in docs/suite-file.md has a row for each key.
func TestTableOfKeys(t *testing.T) {
	page := testfile.Read(t, keysPage)
	table := regexp.MustCompile(`(?s)(\n## Keys of a benchmark\n\n\| key \| default \| means \|\n\|---\|---\|---\|\n).*?\n\n`)
	if !table.Match(page) {
		t.Fatal("no table of keys")
	}
	var rows strings.Builder
	for _, k := range keys {
		means := strings.ReplaceAll(k.help, "|", `\|`)
		if k.see != "" {
			means += ". See " + k.see
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", k.name, strings.TrimSpace(k.initial), means)
	}
	text := strings.ReplaceAll(rows.String(), "|  |", "| |")
	golden.Check(t, keysPage, table.ReplaceAllStringFunc(string(page), func(old string) string {
		head := table.FindStringSubmatch(old)[1]
		return head + text + "\n"
	}))
}

// object is a JSON object whose keys have an order.
type object struct {
	keys   []string
	values map[string]any
}

func (o *object) get(key string) any { return o.values[key] }

func (o *object) set(key string, v any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) remove(key string) {
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// object adds the object if there is none at the key.
func (o *object) object(key string) *object {
	if inner, ok := o.values[key].(*object); ok {
		return inner
	}
	inner := &object{values: map[string]any{}}
	o.set(key, inner)
	return inner
}

func readObject(t *testing.T, file string) *object {
	t.Helper()
	text := testfile.Read(t, file)
	return parsed(t, string(text)).(*object)
}

// parsed reads JSON text with objects as *object, arrays as []any, and numbers as they
// are written.
func parsed(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := decoded(d)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func decoded(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := decoded(d)
			if err != nil {
				return nil, err
			}
			o.set(key.(string), v)
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decoded(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

// text formats the object as the schemas are written: two spaces for each level.
func (o *object) text() string {
	var b bytes.Buffer
	write(&b, o, "\n")
	return b.String() + "\n"
}

func write(b *bytes.Buffer, v any, newline string) {
	inner := newline + "  "
	switch v := v.(type) {
	case *object:
		if len(v.keys) == 0 {
			b.WriteString("{}")
			return
		}
		for i, key := range v.keys {
			b.WriteString(map[bool]string{true: "{", false: ","}[i == 0] + inner)
			write(b, key, inner)
			b.WriteString(": ")
			write(b, v.values[key], inner)
		}
		b.WriteString(newline + "}")
	case []any:
		if len(v) == 0 {
			b.WriteString("[]")
			return
		}
		for i, item := range v {
			b.WriteString(map[bool]string{true: "[", false: ","}[i == 0] + inner)
			write(b, item, inner)
		}
		b.WriteString(newline + "]")
	default:
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		_ = e.Encode(v) // strings, numbers and booleans can always be written
		b.Truncate(b.Len() - 1)
	}
}
