package docs_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

func architecture(t *testing.T) string {
	t.Helper()
	return string(testfile.Read(t, "architecture.md"))
}

// The table of rooms has every folder at the top of the repository, and no folder
// that does not exist.
func TestRoomsAreThere(t *testing.T) {
	var rooms []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|").FindAllStringSubmatch(architecture(t), -1) {
		rooms = append(rooms, m[1])
		if info, err := os.Stat(filepath.Join(root, m[1])); err != nil || !info.IsDir() {
			t.Errorf("there is no folder %s", m[1])
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() || strings.HasPrefix(name, ".") {
			continue
		}
		if !slices.ContainsFunc(rooms, func(room string) bool { return room == name || strings.HasPrefix(room, name+"/") }) {
			t.Errorf("%s is not in the table of rooms", name)
		}
	}
}

// The requests of the protocol are the ones that hosts answer.
func TestRequestsAreListed(t *testing.T) {
	m := regexp.MustCompile(`(?s)One request is under way at a time: ([a-z,\s]+)\.`).FindStringSubmatch(architecture(t))
	if m == nil {
		t.Fatal("there is no list of requests")
	}
	listed := regexp.MustCompile(`[a-z]+`).FindAllString(m[1], -1)
	text := testfile.Read(t, filepath.Join(root, "runner/host/serve.go"))
	answered := []string{"quit"} // by the end of the loop that reads requests
	for _, m := range regexp.MustCompile(`(?m)^\tcase "([a-z]+)":`).FindAllStringSubmatch(string(text), -1) {
		answered = append(answered, m[1])
	}
	slices.Sort(listed)
	slices.Sort(answered)
	if !slices.Equal(listed, answered) {
		t.Errorf("listed %q, answered %q", listed, answered)
	}
}

// mostStations that the way of a case may have.
const mostStations = 12

// The files and names on the way of a case exist.
func TestStationsAreThere(t *testing.T) {
	text := architecture(t)
	stations := regexp.MustCompile(`(?m)^\| \d+ \|.*$`).FindAllString(text, -1)
	if len(stations) == 0 || len(stations) > mostStations {
		t.Fatalf("%d stations, want 1 to %d", len(stations), mostStations)
	}
	d := declarations{}
	for _, station := range stations {
		d.check(t, strings.Split(station, " | ")[2])
	}
}

// The files and names that answer the questions exist.
func TestAnswersAreThere(t *testing.T) {
	_, rest, _ := strings.Cut(architecture(t), "## Questions")
	questions := regexp.MustCompile(`(?m)^\| [^|]+\? \|.*$`).FindAllString(rest, -1)
	if len(questions) == 0 {
		t.Fatal("there are no questions")
	}
	d := declarations{}
	for _, question := range questions {
		d.check(t, strings.Split(question, " | ")[1])
	}
}

// check looks for the names in a cell of code, each of which comes before its file.
func (d declarations) check(t *testing.T, code string) {
	t.Helper()
	folder, found := "", 0
	for _, w := range slices.Backward(words(code)) {
		if strings.HasSuffix(w, ".go") {
			folder = filepath.Dir(w)
			if _, err := os.Stat(filepath.Join(root, w)); err != nil {
				t.Errorf("%s: %v", code, err)
			}
			continue
		}
		name := w
		if pkg, rest, _ := strings.Cut(w, "."); pkg == filepath.Base(folder) {
			name = rest
		}
		if found++; !d.of(t, folder, false)[name] {
			t.Errorf("%s: %s has no %s", code, folder, name)
		}
	}
	if found == 0 {
		t.Errorf("%s: no name", code)
	}
}

// Files that the guide to changes names are there.
func TestPlacesOfChangesAreThere(t *testing.T) {
	_, guide, _ := strings.Cut(architecture(t), "## Where to change what")
	found := 0
	for _, w := range words(guide) {
		if !strings.HasSuffix(w, ".go") {
			continue
		}
		found++
		if _, err := os.Stat(filepath.Join(root, w)); err != nil {
			t.Error(err)
		}
	}
	if found == 0 {
		t.Error("the guide names no file")
	}
}

// strangers are folders that a folder must not import; an empty one is all but its own.
var strangers = map[string][]string{
	"spec":                 {"runner", "timer", "gate", "report"},
	"runner":               {"gate", "report"},
	"runner/host":          {"spec", "result", "gate", "report", "internal/lang"},
	"runner/host/wire":     {"spec", "result", "gate", "report", "internal/lang"},
	"runner/host/spawn":    {"spec", "result", "gate", "report", "bench", "peg", "internal/lang"},
	"gate":                 {"runner", "report"},
	"report":               {"spec", "runner", "timer"},
	"report/page":          {""},
	"report/page/text":     {"spec", "runner", "timer", "gate", "result", "report/table"},
	"report/page/html":     {"spec", "runner", "timer", "gate", "result", "report/table"},
	"report/page/markdown": {"spec", "runner", "timer", "gate", "result", "report/table"},
	"report/table":         {"spec", "runner", "timer"},
	"result":               {"spec", "runner", "timer", "gate", "report", "stats"},
	"runner/journal":       {"spec", "runner", "gate", "report"},
	"result/summary":       {"spec", "runner", "timer", "gate", "report"},
	"gate/verify":          {"runner/host"},
	"stats":                {""},
	"bench":                {"bench", "peg", "spec", "timer", "runner", "stats", "gate", "result", "report"},
	"internal/benchcase":   {""},
	"peg":                  {""},
	"peg/pegfile":          {""},
}

func TestImportsPointOneWay(t *testing.T) {
	const module = "example.com/suite/"
	for folder, forbidden := range strangers {
		paths, _ := filepath.Glob(filepath.Join(root, folder, "*.go")) // the pattern is well formed
		if len(paths) == 0 {
			t.Errorf("%s has no Go files", folder)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				name, _ := strconv.Unquote(spec.Path.Value)
				name, ours := strings.CutPrefix(name, module)
				if !ours {
					continue
				}
				for _, stranger := range forbidden {
					if stranger == "" && !strings.HasPrefix(name, folder+"/") || name == stranger || strings.HasPrefix(name, stranger+"/") {
						t.Errorf("%s imports %s", path, name)
					}
				}
			}
		}
	}
}
