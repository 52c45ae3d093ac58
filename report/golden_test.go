package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
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

// recorded reads every recorded document, by name, and adds one of 200 cases.
func recorded(t testing.TB) map[string]*result.Document {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d recorded documents, %v", len(files), err)
	}
	docs := map[string]*result.Document{"many": reporttest.Many(200, 12)}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		docs[name] = readRecord(t, name)
	}
	return docs
}

// readRecord reads one of them.
func readRecord(t testing.TB, name string) *result.Document {
	t.Helper()
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

// A recorded document that is read and written again is the same file.
func TestGoldenJSON(t *testing.T) {
	for name, doc := range recorded(t) {
		want, err := os.ReadFile("testdata/" + name + ".json")
		if name == "many" {
			continue // made by the test
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), render(t, "json", doc, table.Options{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The exit status of a recorded document fits its outcome.
func TestGoldenExit(t *testing.T) {
	for name, doc := range recorded(t) {
		if got := doc.Outcome().Exit; got != doc.Exit {
			t.Errorf("%s: exit %d, stored %d", name, got, doc.Exit)
		}
	}
}
