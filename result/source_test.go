package result_test

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// A document keeps the texts of its suite files, without secrets.
func TestSources(t *testing.T) {
	good := string(recorded(t)["verdicts.json"])
	with := func(sources string) string {
		return strings.Replace(good, `"on_inconclusive": "list"`, `"on_inconclusive": "list", "sources": `+sources, 1)
	}
	s := schema(t)
	for _, sources := range []string{`[{"file": "a.yaml", "text": "suite: a\n"}, {"file": "b.yaml", "left": 300000}]`, `[]`} {
		if err := s.Validate(parse(t, []byte(with(sources)))); err != nil {
			t.Errorf("%s: %v", sources, err)
		}
		read(t, []byte(with(sources)))
	}
	doc := read(t, []byte(with(`[{"file": "a.yaml", "text": "env: {TOKEN: hunter2hunter2}"}]`)))
	if doc.Mask([]result.Secret{{"TOKEN", "hunter2hunter2"}}); doc.Suites[0].Sources[0].Text != "env: {TOKEN: $TOKEN}" {
		t.Errorf("got %+v", doc.Suites[0].Sources)
	}
	for sources, want := range map[string]string{
		`[{"file": "", "text": "x"}]`:                                    "has no file",
		`[{"file": "a", "text": "x"}, {"file": "a", "text": "x"}]`:       `source "a" is there twice`,
		`[{"file": "a"}]`:                                                "needs either a text",
		`[{"file": "a", "text": "x", "left": 3}]`:                        "needs either a text",
		`[{"file": "a", "left": -3}]`:                                    "needs either a text",
		`[{"file": "a", "text": "` + strings.Repeat("x", 600000) + `"}]`: "larger than 524288 bytes",
	} {
		if _, err := result.Read(strings.NewReader(with(sources))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", sources, err, want)
		}
	}
}

// Parts of a suite have the same file; one of an older version of suite has none.
func TestJoinKeepsSources(t *testing.T) {
	part := func(name string, sources ...result.Source) *result.Document {
		d := read(t, recorded(t)["verdicts.json"])
		for i := range d.Cases {
			d.Cases[i].Name += name
		}
		d.Suites[0].Sources = sources
		return d
	}
	d, err := result.Join([]*result.Document{part("1"), part("2", result.Source{File: "a.yaml", Text: "x"})})
	if err != nil || len(d.Suites[0].Sources) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
