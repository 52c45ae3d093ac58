package hyperfine

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

var written = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func read(t testing.TB, file string) []byte {
	t.Helper()
	return testfile.Read(t, file)
}

// A file becomes a suite: a case for each command, a sample for each run.
func TestReadMakesCases(t *testing.T) {
	doc, err := Read(read(t, "testdata/two.json"), "two.json", written)
	if err != nil {
		t.Fatal(err)
	}
	c := &doc.Cases[0]
	if len(doc.Cases) != 2 || c.Name != "sleep 0.01" || doc.Cases[1].Name != "sleep 0.01 (2)" || doc.Suites[0].File != "two.json" || !doc.Started.Equal(written) {
		t.Fatalf("%d cases, %q, started %v", len(doc.Cases), c.Name, doc.Started)
	}
	if s := c.Summary("time"); s.Median != 0.0109 || s.N != 3 || s.Low != nil {
		t.Errorf("%+v", s)
	}
	if s := c.Summary("rss"); s == nil || s.Max != 1052672 {
		t.Errorf("%+v", s)
	}
	if s := c.Summary("exit_code"); s == nil || s.N != 2 || s.Max != 1 || s.Exact {
		t.Errorf("%+v", s)
	}
	if len(c.Params) != 1 || c.Params[0] != (result.Param{Name: "time", Text: "0.01"}) {
		t.Errorf("%+v", c.Params)
	}
}

// What was read is written again as it was, but for what a document does not keep.
func TestReadAndWrite(t *testing.T) {
	data := read(t, "testdata/two.json")
	doc, err := Read(data, "two.json", written)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	var before, after File
	if err := json.Unmarshal(data, &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &after); err != nil {
		t.Fatal(err)
	}
	before.Results[1].Command += " (2)"
	for i := range before.Results {
		b, a := &before.Results[i], &after.Results[i]
		b.User, b.System, b.Mean, b.StdDev = nil, nil, a.Mean, a.StdDev // rounded in the file
		if !reflect.DeepEqual(a, b) {
			t.Errorf("got %+v, want %+v", *a, *b)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	files, err := filepath.Glob("testdata/err/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		want := strings.TrimSpace(string(read(t, strings.TrimSuffix(file, ".json")+".txt")))
		if _, err := Read(read(t, file), "x", written); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", file, err, want)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		`{"results": []}`: true, `{"schema": "suite-result/1", "results": []}`: false, `{"cases": []}`: false, `[]`: false, ``: false, `{"results": [`: false,
	} {
		if got := Is([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Whatever is read is a document that can be judged and rendered, or an error.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/err/*.json")
	for _, file := range append(files, "testdata/two.json") {
		f.Add(read(f, file))
	}
	f.Add([]byte(`{"results": [{"command": "a", "times": [0, 1e308, 1e308]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Read(data, "x", written)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := result.Write(&b, doc); err != nil {
			t.Fatal(err)
		}
		if _, err := result.Read(&b); err != nil {
			t.Fatal(err)
		}
	})
}
