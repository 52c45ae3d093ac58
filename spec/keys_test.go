package spec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"example.com/suite/result"
)

// Each field of Settings belongs to one setting, and every setting reads its examples into
// a field.
func TestSettingsAreTheFields(t *testing.T) {
	fields := reflect.TypeFor[Settings]()
	ownerOf := map[string]string{}
	for _, s := range settings {
		var examples []any
		if err := json.Unmarshal([]byte("["+s.examples+"]"), &examples); err != nil {
			t.Fatalf("%s: %v", s.key, err)
		}
		found := false
		for _, example := range examples {
			usual, other := Defaults(), Defaults()
			if err := s.set(&other, fmt.Sprint(example)); err != nil {
				t.Errorf("%s: %v", s.key, err)
			}
			for i := range fields.NumField() {
				name := fields.Field(i).Name
				if reflect.DeepEqual(reflect.ValueOf(usual).Field(i).Interface(), reflect.ValueOf(other).Field(i).Interface()) {
					continue
				}
				if first := ownerOf[name]; first != "" && first != s.key {
					t.Errorf("%s and %s change %s", first, s.key, name)
				}
				ownerOf[name], found = s.key, true
			}
		}
		if !found {
			t.Errorf("%s has no example that changes it", s.key)
		}
	}
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; ownerOf[name] == "" {
			t.Errorf("no setting changes %s", name)
		}
	}
}

// A key has a meaning for one kind of body at least.
func TestEveryKeyIsForSomeKind(t *testing.T) {
	for _, s := range settings {
		name, _, _ := strings.Cut(s.key, ".")
		if keysByName[name] == nil {
			t.Errorf("the setting %s has no place in the list of keys", s.key)
		}
	}
	for _, k := range keys {
		found := false
		for _, kind := range []result.Kind{result.KindGo, result.KindCommand, result.KindShell, result.KindGoTest} {
			found = found || k.without.why(kind) == ""
		}
		if !found {
			t.Errorf("%s has no meaning for any kind", k.name)
		}
		if k.help == "" || k.read == nil {
			t.Errorf("%s has no help, or nothing reads it", k.name)
		}
	}
}
