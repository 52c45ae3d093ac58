package main

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/result"
)

// The copy for a second look is made of the JSON that was written, if there is such a file:
// nothing is rendered twice.
func TestTheKeptResultIsACopy(t *testing.T) {
	cache := t.TempDir()
	e := env{lookup: func(name string) (string, bool) { return cache, name == "SUITE_CACHE" }}
	file := filepath.Join(t.TempDir(), "result.json")
	write(t, file, "what was written")
	pipe := filepath.Join(t.TempDir(), "text")
	write(t, pipe, "a table")
	doc := &result.Document{Schema: result.Schema}
	for _, c := range []struct {
		written []target
		copied  bool
	}{
		{[]target{{"text", pipe}, {"json", file}}, true},
		{[]target{{"json", "-"}, {"text", pipe}}, false},
		{[]target{{"json", "/dev/null"}}, false},
		{[]target{{"json", filepath.Join(cache, "gone.json")}}, false},
		{nil, false},
	} {
		e.keep(doc, []string{"a.yaml"}, c.written, nil)
		path, err := e.lastResult([]string{"a.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if copied := string(text) == "what was written"; copied != c.copied || len(text) == 0 {
			t.Errorf("%v: copied %t: %.60s", c.written, copied, text)
		}
	}
}
