package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/fleet"
	"example.com/suite/internal/gosource"
	"example.com/suite/internal/lock"
	"example.com/suite/internal/testfile"
	"example.com/suite/report"
)

// hostile is a text with all commands of CI systems. It is allowed as a name of a case.
const hostile = "::error title=x::pwned ##[error]pwned ##vso[task.setvariable]x \u202epwned\u2066"

// ciCommand is a line that a CI system executes.
var ciCommand = regexp.MustCompile(`(?m)(?:^|\r)\s*::|##\[|##\pL+\[`)

// rawControl is a character that moves the cursor of a terminal, or turns the order of what follows.
var rawControl = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// unprintable are texts with such characters, which no YAML file, argument or document is kept from.
var unprintable = []string{"a\r::error::pwned", "a\x1b[2K\x1b]0;pwned\x07", "a\u202epwned\u2066", "a\u009b31m", " \t::set-output name=a::b", "\v::error::x", "\u2028::error::x"}

// hostileSuite has the text in each key that can have any text.
const hostileSuite = `description: "HOSTILE"
defaults: {warmup: 0s, samples: {min: 1, max: 1}}
benchmarks:
  - name: "HOSTILE"
    description: "HOSTILE"
    command: ["true", "HOSTILE"]
    env: {X: "HOSTILE"}
    expect: [{name: "HOSTILE", expr: time.median < 1h}]
  - name: "fails HOSTILE"
    shell: "echo 'HOSTILE' >&2; exit 1"
    expect: time.median < 1ns
`

// No command prints a line that a CI system executes, whatever the names of cases and files are.
// A new command needs a line here.
func TestNoCommandOfACISystemIsPrinted(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for name, value := range map[string]string{"CI": "true", lock.Variable: filepath.Join(folder, "lock"), cacheVariable: filepath.Join(folder, "cache"),
		"PATH": folder + string(os.PathListSeparator) + os.Getenv("PATH")} {
		t.Setenv(name, value)
	}
	e := realEnv(t)
	file := hostile[:len("::error title=x")] + "##[x].yaml"
	testfile.Write(t, file, strings.ReplaceAll(hostileSuite, "HOSTILE", hostile))
	testfile.Write(t, "broken.yaml", "benchmarks: [{name: \""+hostile+"\", \""+hostile+"\": 1}]")
	testfile.Write(t, "suite-push", "#!/bin/sh\ncat >/dev/null\necho '"+hostile+"'\necho '"+hostile+"' >&2\n")
	if err := os.Chmod("suite-push", 0o755); err != nil {
		t.Fatal(err)
	}
	if status, text := captured(e, "run", "--save", "--out", "json=r.json", file); status != exitFail {
		t.Fatalf("status %d: %s", status, text)
	}
	lines := [][]string{
		{"run", "--fresh", file}, {"run", "--write", "-", "--", "echo", hostile}, {"run", "--only", hostile, "--", hostile}, {"run", hostile},
		{"run", "--ci", "gitlab", "--out", "github=annotations.txt", file},
		{"init", "--source", hostile}, {"accept", "r.json", "--reason", hostile}, {"accept", "--list"},
		{"check", file}, {"check", "--plan", file}, {"check", "broken.yaml"}, {"check", "--format", "json", "broken.yaml"}, {"check", "--format", "sarif", "broken.yaml"},
		{"list", file}, {"list", "--format", "json", file}, {"timers"}, {"timers", hostile}, {"schema", "result"}, {"schema", hostile},
		{"merge", "r.json", hostile}, {"explain", "r.json"}, {"explain", "--all", "r.json"}, {"compare", "r.json", "r.json"}, {"verify", "r.json"}, {"verify", hostile},
		{"bisect", file, hostile, "--good", hostile}, {"pegs", "r.json"}, {"pegs", hostile}, {"peg", hostile},
		{"history", "list"}, {"history", "show", hostile}, {"history", "export"}, {"history", "export", "--format", "csv"}, {"history", "import", "r.json"}, {"history", "sync", hostile}, {"history", "list", "--files", "--history", "git:" + hostile},
		{"trend"}, {"trend", hostile}, {"trend", "--format", "json"}, {"site", "--out", hostile}, {"push", "db:x", "r.json"}, {"push", hostile},
		{"selfcheck", hostile}, {"completion", "bash"}, {"completion", hostile}, {"version"}, {"help"}, {"help", "--man"}, {"help", hostile},
		{"__complete", "run", "--only", ""}, {hostile}, {"run", "--" + hostile},
	}
	for _, engine := range fleet.Names() {
		lines = append(lines, []string{"fleet", engine, file, "-n", "2", "--image", hostile, "--name", hostile}, []string{"fleet", engine, file, "-n", "2"},
			[]string{"fleet", engine, file, "-n", "2", "--image", "x", "--", "--only", hostile})
	}
	for _, format := range report.FormatNames() {
		if format != "github" { // its lines are commands; package report tests what they contain
			lines = append(lines, []string{"report", "--format", format, "r.json"}, []string{"compare", "--format", format, "r.json", "r.json"})
		}
	}
	for _, c := range newRoot(e).Commands() {
		if !slices.ContainsFunc(lines, func(line []string) bool { return line[0] == c.Name() }) {
			t.Errorf("suite %s is not tried", c.Name())
		}
	}
	for i, line := range lines {
		noCommands(t, e, line...)
		if !slices.ContainsFunc(line, func(word string) bool { return strings.Contains(word, hostile) }) {
			continue // it would be the same command again: suite timers takes a second
		}
		for j, word := range line {
			line[j] = strings.ReplaceAll(word, hostile, unprintable[i%len(unprintable)])
		}
		noCommands(t, e, line...)
	}

	// Documents are written by others, too.
	var doc any
	text, err := os.ReadFile("r.json")
	if err != nil || json.Unmarshal(text, &doc) != nil {
		t.Fatal(err)
	}
	n := 0
	eachString(doc, func(set func(string), old string) {
		n++
		set(old + "\n" + hostile + "\n" + unprintable[n%len(unprintable)])
		changed, err := json.Marshal(doc)
		set(old)
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, "changed.json", string(changed))
		for _, command := range []string{"report", "explain", "verify"} {
			noCommands(t, e, command, "changed.json")
		}
	})
	if n < 50 {
		t.Errorf("%d texts in the document", n)
	}
}

func noCommands(t *testing.T, e env, args ...string) {
	t.Helper()
	status, text := captured(e, args...)
	if found := ciCommand.FindString(text) + rawControl.FindString(text); found != "" || text == "" && status != exitOK {
		t.Errorf("suite %q: status %d, %q in %q", args, status, found, text)
	}
}

// eachString calls do for each string of a document in turn, with what replaces it.
func eachString(v any, do func(set func(string), old string)) {
	visit := func(v any, set func(any)) {
		if old, ok := v.(string); ok {
			do(func(s string) { set(s) }, old)
			return
		}
		eachString(v, do)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, one := range v {
			visit(one, func(x any) { v[key] = x })
		}
	case []any:
		for i, one := range v {
			visit(one, func(x any) { v[i] = x })
		}
	}
}

// The real streams have no other writers than the guarded ones, and annotations one.
func TestStreamsAreOpenedInOnePlace(t *testing.T) {
	raw := regexp.MustCompile(`\bos\.Std(out|err)\b|\bfmt\.Print|\.annotations\b`)
	allowed := map[string]string{
		"cmd/suite/terminal.go": "opens them", "cmd/suite/main.go": "spells", "cmd/suite/ci.go": "annotates",
	}
	for _, path := range gosource.Paths(t, false) {
		folder, _, _ := strings.Cut(path, "/")
		if !slices.Contains([]string{"cmd", "internal", "gate", "report", "result", "spec"}, folder) || strings.Contains(path, "/e2e/") || path == "internal/build/generate.go" { // it is the text of a program
			continue
		}
		found := raw.FindString(gosource.Text(t, path))
		if found != "" && allowed[path] == "" {
			t.Errorf("%s has %s: text for people goes to env.printPage or env.words, reports to env.stdout.Report, messages to env.stderr", path, found)
		}
		delete(allowed, path)
	}
	if len(allowed) > 0 {
		t.Errorf("not there: %v", allowed)
	}
}
