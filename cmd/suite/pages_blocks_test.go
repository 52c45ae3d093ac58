package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/ci"
	"example.com/suite/internal/terminal"
	"example.com/suite/internal/testfile"
	"example.com/suite/peg/pegfile"
	"gopkg.in/yaml.v3"
)

// benchmark writes a suite file with one benchmark that has these keys.
func benchmark(keys string) string {
	text := "benchmarks:\n  -\n"
	for line := range strings.Lines(keys) {
		text += "    " + line
	}
	if !strings.Contains("\n"+keys, "\ngo:") && !strings.Contains("\n"+keys, "\ncommand:") && !strings.Contains("\n"+keys, "\nshell:") {
		text += "    command: \"true\"\n"
	}
	if strings.Contains(keys, "${port}") {
		text += "    params: {port: 8080}\n"
	}
	return text
}

// accept checks a file of accepted failures.
func (r *pageRun) accept(text string) {
	_, problems := accept.Parse("accept.yaml", []byte(text), accept.DayOf(time.Now()))
	if err := problems.Err(); err != nil {
		r.t.Error(err)
	}
}

// quoted checks that the lines of a block are lines of a file, in this order.
func (r *pageRun) quoted(path, text string) {
	source, err := os.ReadFile(filepath.Join(repository, path))
	if err != nil || path == "" {
		r.t.Errorf("a text block has to say file=PATH: %v", err)
		return
	}
	lines := slices.Collect(strings.Lines(string(source)))
	for line := range strings.Lines(text) {
		at := slices.Index(lines, line)
		if at < 0 {
			r.t.Errorf("%s does not have the line %q, or not there", path, line)
			return
		}
		lines = lines[at+1:]
	}
}

// picture checks the width of a drawing.
func (r *pageRun) picture(text string) {
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > terminal.ReportWidth+1 {
			r.t.Errorf("wider than %d columns: %s", terminal.ReportWidth, line)
		}
	}
}

// pegs checks that suite can read an example of what a program with pegs writes.
func (r *pageRun) pegs(text string) {
	doc, err := pegfile.Read(strings.NewReader(text))
	if err != nil || len(doc.Arcs) == 0 || !doc.End || doc.Residue == 0 {
		r.t.Errorf("%v: %+v", err, doc)
	}
}

// workflow checks the steps of a workflow: suite commands, what the action of this repository is
// given, and the syntax of other scripts. One of its steps must have to do with suite.
func (r *pageRun) workflow(text string) {
	var w struct {
		Jobs map[string]struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		r.t.Fatal(err)
	}
	concerned := strings.Contains(text, "report.md")
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			switch {
			case strings.Contains(step.Uses, "/suite@"):
				concerned = true
				r.actionInputs(step)
			case strings.HasPrefix(step.Run, "suite "):
				concerned = true
				r.shell(step.Run)
			case step.Run != "":
				r.syntax(step.Run)
			}
		}
	}
	if !concerned {
		r.t.Error("a workflow that has nothing to do with suite")
	}
}

// actionInputs checks what a step hands to the action of this repository.
func (r *pageRun) actionInputs(step workflowStep) {
	var a action
	unmarshalFile(r.t, filepath.Join(repository, "action.yml"), &a)
	for name := range step.With {
		if _, ok := a.Inputs[name]; !ok {
			r.t.Errorf("action.yml has no input %q", name)
		}
	}
	if step.With["suites"] == "" {
		r.t.Error("the action is given no suites")
	}
}

// syntax checks that bash can read a script.
func (r *pageRun) syntax(script string) {
	if _, err := exec.LookPath("bash"); err != nil {
		return
	}
	if text, err := exec.Command("bash", "-n", "-c", script).CombinedOutput(); err != nil {
		r.t.Errorf("bash: %v: %s", err, text)
	}
}

// otherPrograms are programs that command lines may name: they are not run.
var otherPrograms = []string{"go", "git", "benchstat", "minisign", "npm", "cd", "docker", "skopeo", "cosign", "gh"}

// shell checks command lines. The commands and flags of suite must exist, and so must the
// files of this repository that go and suite are given.
func (r *pageRun) shell(text string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line, _, _ = strings.Cut(line, " #")
		for _, command := range strings.Split(line, " | ") {
			args := words(command)
			for len(args) > 0 && strings.Contains(args[0], "=") { // sets a variable
				args = args[1:]
			}
			if len(args) == 0 {
				continue
			}
			if strings.HasPrefix(command, "go run ./cmd/suite ") {
				args = args[2:]
			} else if args[0] != "suite" {
				r.otherProgram(args)
				continue
			}
			if err := r.commandLine(args[1:]); err != nil {
				r.t.Errorf("%s: %v", strings.TrimSpace(line), err)
			}
		}
	}
}

func (r *pageRun) otherProgram(args []string) {
	if strings.HasPrefix(args[0], ".ci/") {
		args[0] = "./" + args[0] // has to exist, as all paths
	} else if !slices.Contains(otherPrograms, args[0]) {
		r.t.Errorf("%q: no test knows this program", strings.Join(args, " "))
	}
	folder := repository
	if i := slices.Index(args, "-C"); i >= 0 && i+1 < len(args) {
		folder = filepath.Join(folder, args[i+1])
	}
	for _, path := range args {
		if strings.HasPrefix(path, "./") {
			if _, err := os.Stat(filepath.Join(folder, strings.TrimSuffix(path, "..."))); err != nil {
				r.t.Error(err)
			}
		}
	}
}

// commandLine fails if suite would refuse the arguments. It runs nothing.
func (r *pageRun) commandLine(args []string) error {
	c, rest, err := newRoot(r.env).Find(args)
	if err != nil {
		return err
	}
	if c.Parent() == nil && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("there is no command %q", args[0])
	}
	c.InitDefaultHelpFlag()
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	for _, path := range c.Flags().Args() {
		if strings.HasPrefix(path, "suites/") && !strings.Contains(path, "*") {
			if _, err := os.Stat(filepath.Join(repository, path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile compiles all Go files of the page. Each is a package in this module, so that its
// imports are found, but only in an overlay: nothing is written into the repository.
func (r *pageRun) compile() {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	var packages []string
	for i, source := range r.sources {
		if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
			r.t.Errorf("not as gofmt writes it (%v):\n%s", err, source)
		}
		file := filepath.Join(r.t.TempDir(), "block.go")
		testfile.Write(r.t, file, source)
		name := fmt.Sprintf("docs/block%d", i)
		overlay.Replace[filepath.Join(repository, name, "block.go")] = file
		packages = append(packages, "./"+name)
	}
	if len(packages) == 0 {
		return
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		r.t.Fatal(err)
	}
	list := filepath.Join(r.t.TempDir(), "overlay.json")
	testfile.Write(r.t, list, string(text))
	cmd := exec.Command("go", append([]string{"build", "-overlay", list, "-o", os.DevNull}, packages...)...)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Errorf("go build: %v\n%s", err, out)
	}
}

// captured runs suite and returns its exit status and all that it printed.
func captured(e env, args ...string) (int, string) {
	var out bytes.Buffer
	e.stdout, e.stderr, e.annotations = ci.NewOutput(&out, e.variable), ci.Guard(&out), &out
	status := runCommandLine(e, args)
	return status, out.String()
}

// The checks of command lines find wrong ones, and accept a right one.
func TestWrongBlocksAreFound(t *testing.T) {
	r := &pageRun{t: t, env: realEnv(t)}
	for _, line := range []string{"run --no-such-flag a.yaml", "rum a.yaml", "run suites/none.yaml"} {
		if r.commandLine(words(line)) == nil {
			t.Errorf("suite %s: no error", line)
		}
	}
	if err := r.commandLine(words("run --out json=a.json --against main bench/")); err != nil {
		t.Error(err)
	}
}
