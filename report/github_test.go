package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) ((?:[a-z]+=[^,:]*)(?:,[a-z]+=[^,:]*)*)::(.*)$`)

// remark is an annotation as GitHub reads it.
type remark struct{ level, file, line, title, message string }

// readCommands does what the runner does: each line one command, its escapes undone.
func readCommands(t testing.TB, text string) (all []remark) {
	t.Helper()
	undo := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(text) {
		m := workflowCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || strings.Contains(line, "\r") {
			t.Fatalf("no workflow command: %q", line)
		}
		r := remark{level: m[1], message: strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(m[3])}
		for _, p := range strings.Split(m[2], ",") {
			name, value, _ := strings.Cut(p, "=")
			switch name {
			case "file":
				r.file = undo.Replace(value)
			case "line":
				r.line = value
			case "title":
				r.title = undo.Replace(value)
			}
		}
		all = append(all, r)
	}
	return all
}

// Failures are errors at the line of the gate, undecided gates warnings, accepted
// ones notices; there is always one word about the whole run.
func TestGitHubLevels(t *testing.T) {
	docs := recorded(t)
	levels := func(name string) (n [3]int) {
		for _, r := range readCommands(t, render(t, "github", docs[name], table.Options{})) {
			n[map[string]int{"error": 0, "warning": 1, "notice": 2}[r.level]]++
		}
		return n
	}
	for name, want := range map[string][3]int{
		"compared": {3, 1, 1}, "faults": {5, 0, 1}, "accepted": {0, 3, 2}, "one": {0, 0, 1}, "empty": {1, 0, 0}, "refused": {1, 0, 0},
	} {
		if got := levels(name); got != want {
			t.Errorf("%s: errors, warnings, notices %v, want %v", name, got, want)
		}
	}
	first := readCommands(t, render(t, "github", docs["compared"], table.Options{}))[0]
	if first.file != "suites/sort.yaml" || first.line != "9" || first.title != "sort/worse: tolerance" || !strings.Contains(first.message, "and 3% was allowed\n") {
		t.Errorf("%+v", first)
	}
}

// GitHub shows ten of a kind: the tenth names what is left.
func TestGitHubAggregates(t *testing.T) {
	for _, n := range []int{9, 10, 11, 500} {
		doc := reporttest.Document("d")
		for i := range n {
			reporttest.Judge(reporttest.Measure(doc, fmt.Sprintf("case %d", i), 1e-6, 0.01), "time.median < 1us", result.Fail, result.FormInterval, "too slow")
		}
		var errors []remark
		for _, r := range readCommands(t, render(t, "github", doc, table.Options{})) {
			if r.level == "error" {
				errors = append(errors, r)
			}
		}
		if len(errors) != min(n, 10) {
			t.Fatalf("%d annotations for %d failures", len(errors), n)
		}
		last := errors[len(errors)-1]
		if n > 10 && (last.title != fmt.Sprintf("%d more", n-9) || !strings.Contains(last.message, "case 10: time.median")) {
			t.Errorf("the last of %d is %+v", n, last)
		}
	}
}

// Paths are relative to the repository, with slashes.
func TestGitHubPaths(t *testing.T) {
	o := table.Options{Path: func(file string) string { return `sub\` + file }}
	if r := readCommands(t, render(t, "github", recorded(t)["compared"], o))[0]; r.file != "sub/suites/sort.yaml" {
		t.Errorf("file %q", r.file)
	}
}

// Whatever the name of a case is, its line contains the name and is one line.
func FuzzGitHubNames(f *testing.F) {
	fuzzNames(f, func(t *testing.T, doc *result.Document) {
		all := readCommands(t, render(t, "github", doc, table.Options{}))
		if len(all) != 3 {
			t.Fatalf("%d commands for two failures and the run", len(all))
		}
		for i := range doc.Cases {
			if want := display.Visible(doc.Cases[i].Name) + ": time.median < 1us"; all[i].title != want {
				t.Errorf("title %q, want %q", all[i].title, want)
			}
		}
	})
}
