package main

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/saved"
	"example.com/suite/result"
	"example.com/suite/runner/profile"
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

// Profiles count for the size of what is kept, and go with their result.
func TestLargeProfilesAreNotKeptForLong(t *testing.T) {
	cache := t.TempDir()
	e := env{lookup: func(name string) (string, bool) { return cache, name == "SUITE_CACHE" }}
	doc := &result.Document{Schema: result.Schema}
	e.keep(doc, []string{"a.yaml"}, nil, []profile.File{{Name: "a.pb.gz", Data: []byte("small")}})
	first, err := e.lastResult([]string{"a.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(saved.ProfileFolder(first), "a.pb.gz")
	if err := os.Truncate(large, mostKeptBytes); err != nil { // a file of holes
		t.Fatal(err)
	}
	e.keep(doc, []string{"b.yaml"}, nil, nil)
	if _, err := e.lastResult([]string{"b.yaml"}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(large); err == nil {
		t.Error("profiles of 256 MiB are kept")
	}
	if _, err := e.lastResult([]string{"a.yaml"}); err == nil {
		t.Error("a result is kept without its profiles")
	}
}
