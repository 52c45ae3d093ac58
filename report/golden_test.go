package report

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// TestMain collects garbage seldom, which is a third of the time of these tests otherwise.
// Benchmarks collect as programs do.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

// outputs are the golden files next to each testdata/*.json, by extension.
var outputs = map[string]string{".txt": "text", ".junit.xml": "junit", ".strict.xml": "junit-strict"}

// recorded returns every recorded document, by name: those that are kept, those that are made, and
// one of 200 cases.
func recorded(t testing.TB) map[string]*result.Document {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d recorded documents, %v", len(files), err)
	}
	docs := map[string]*result.Document{"many": reporttest.Many(200, 12)}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		docs[name] = record(t, name)
	}
	for _, name := range reporttest.MadeNames() {
		docs[name] = record(t, name)
	}
	return docs
}

// record returns one of them.
func record(t testing.TB, name string) *result.Document {
	t.Helper()
	if doc := reporttest.Made(name); doc != nil {
		return doc
	}
	return golden.Document(t, filepath.Join("testdata", name+".json"))
}

func render(t testing.TB, format string, doc *result.Document, o table.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, format, doc, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, doc := range recorded(t) {
		for ending, format := range outputs {
			if name == "many" && format != "text" {
				continue // no more than other cases, 200 times; text folds them
			}
			got, file := render(t, format, doc, table.Options{}), "testdata/"+name+ending
			golden.Check(t, file, got)
		}
	}
}

// A document that is read and written again is the same file. Of one that is made, whose code is
// easier to read than its JSON, testdata/sums.txt has the hash.
func TestGoldenJSON(t *testing.T) {
	for name, doc := range recorded(t) {
		text := render(t, "json", doc, table.Options{})
		if reporttest.Made(name) != nil {
			back, err := result.Read(strings.NewReader(text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if render(t, "json", back, table.Options{}) != text {
				t.Errorf("%s is written otherwise after it was read", name)
			}
			continue
		}
		if name != "many" {
			golden.Check(t, "testdata/"+name+".json", text)
		}
	}
}

// testdata/sums.txt has a line for each text that is asserted but not worth reading: a made document
// as JSON, many samples, and a thousand cases in formats that neither fold nor cut. What the texts
// look like is in the golden files of other documents in the same formats.
func TestGoldenSums(t *testing.T) {
	var lines []string
	add := func(name, format, text string) {
		lines = append(lines, fmt.Sprintf("%s %s %d lines %d bytes sha256:%x\n",
			name, format, strings.Count(text, "\n"), len(text), sha256.Sum256([]byte(text))))
	}
	for _, name := range reporttest.MadeNames() {
		add(name, "json", render(t, "json", record(t, name), table.Options{}))
	}
	for _, f := range Formats() {
		if isLong("compared", f.Name) {
			add("compared", f.Name, render(t, f.Name, record(t, "compared"), table.Options{}))
		}
		for _, s := range subjects {
			if s.isBig() && s.isSummed(f.Name) && f.Name != "json" && f.Name != "html" {
				add(s.name, f.Name, render(t, f.Name, s.document(t, f.Name), table.Options{Most: s.most()}))
			}
		}
	}
	golden.Check(t, "testdata/sums.txt", strings.Join(lines, ""))
}

// The exit status of a recorded document fits its outcome.
func TestGoldenExit(t *testing.T) {
	for name, doc := range recorded(t) {
		if got := doc.Outcome().Exit; got != doc.Exit {
			t.Errorf("%s: exit %d, stored %d", name, got, doc.Exit)
		}
	}
}
