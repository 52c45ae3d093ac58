package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

// Every action that a workflow or the action of this repository uses is pinned to a commit.
func TestActionsArePinned(t *testing.T) {
	files := []string{"action.yml", "internal/scaffold/templates/github.yml"}
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	found := 0
	for _, file := range files {
		for line := range strings.Lines(readPage(t, file).text) {
			if _, action, uses := strings.Cut(line, "uses: "); uses {
				found++
				if !pinned.MatchString(strings.TrimSpace(action)) {
					t.Errorf("%s: %q is not pinned to a commit, with its version in a comment", file, strings.TrimSpace(action))
				}
			}
		}
	}
	if found < 2*len(files) {
		t.Errorf("only %d actions were found", found)
	}
}

// action is action.yml.
type action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct{ Steps []workflowStep }
}

func TestActionMeasures(t *testing.T) {
	t.Parallel()
	origin := jobRepository(t, "github")
	var a action
	unmarshalFile(t, filepath.Join(repository, "action.yml"), &a)
	at := slices.IndexFunc(a.Runs.Steps, func(s workflowStep) bool { return s.ID == "measure" })
	if at < 0 {
		t.Fatal("action.yml has no step measure")
	}
	step := a.Runs.Steps[at]
	for _, branch := range []string{"good", "bad"} {
		j := newJob(t, mergeOf(t, origin, branch, "2"), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
		temp := j.gitHub()
		if err := os.MkdirAll(filepath.Join(temp, "suite", "reports"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(j.path[0], "suite"), filepath.Join(temp, "suite", "suite")); err != nil { // what the step before builds
			t.Fatal(err)
		}
		given := map[string]string{"suites": " tool.suite.yaml\n", "arguments": "--quiet --no-sentinel"}
		for name, value := range step.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			known, ok := a.Inputs[input]
			if !ok {
				t.Fatalf("%s: %s is no input", name, value)
			}
			j.env[name] = known.Default
			if given[input] != "" {
				j.env[name] = given[input]
			}
		}
		status, printed := j.run(step.Run)
		verdict(t, branch, status, printed)
		reportsExist(t, filepath.Join(temp, "suite", "reports", "report.md"), filepath.Join(temp, "summary"))
		outputs := testfile.Read(t, filepath.Join(temp, "output"))
		for name, output := range a.Outputs {
			if measured, ok := strings.CutPrefix(output.Value, "${{ steps.measure.outputs."); ok && !strings.Contains("\n"+string(outputs), "\n"+strings.TrimSuffix(measured, " }}")+"=") {
				t.Errorf("the output %s is not set: %s", name, outputs)
			}
		}
	}
}

// actionlint builds the tool of the version that its module pins.
func actionlint(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "actionlint")
	build := exec.Command("go", "build", "-C", filepath.Join(repository, ".ci", "tools", "actionlint"), "-o", program, "github.com/rhysd/actionlint/cmd/actionlint")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("actionlint cannot be built here, so nothing is known of what it finds: %v\n%s", err, out)
	}
	return program
}

func TestJobOfGitHubPassesActionlint(t *testing.T) {
	t.Parallel()
	program := actionlint(t)
	dir := jobRepository(t, "github")
	const uses = "on: pull_request\njobs:\n  benchmarks:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ./\n        with: {suites: bench/}\n"
	testfile.Write(t, filepath.Join(dir, ".github", "workflows", "action.yml"), uses) // whether action.yml has the inputs
	text := testfile.Read(t, filepath.Join(repository, "action.yml"))
	testfile.Write(t, filepath.Join(dir, "action.yml"), string(text))
	for i, block := range fence.FindAllStringSubmatch(readPage(t, "docs/ci.md").text, -1) {
		if block[1] == "yaml ci" {
			testfile.Write(t, filepath.Join(dir, ".github", "workflows", fmt.Sprintf("docs%d.yml", i)), block[2])
		}
	}
	in(t, dir, program)

	testfile.Write(t, filepath.Join(dir, ".github", "workflows", "action.yml"), strings.Replace(uses, "suites:", "suite:", 1))
	cmd := exec.Command(program)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), `"suite" is not defined`) {
		t.Errorf("actionlint does not look at action.yml: %v\n%s", err, out)
	}
}

// The hook for pre-commit chooses suite files, and runs a command that exists.
func TestPreCommitHook(t *testing.T) {
	var hooks []struct{ ID, Entry, Language, Files string }
	unmarshalFile(t, filepath.Join(repository, ".pre-commit-hooks.yaml"), &hooks)
	if len(hooks) != 1 || hooks[0].Language != "golang" {
		t.Fatalf("want one hook, in Go: %+v", hooks)
	}
	files := regexp.MustCompile(hooks[0].Files)
	t.Chdir(t.TempDir())
	e := realEnv(t)
	for name, wrong := range map[string]bool{"a.suite.yaml": false, "b.suite.yaml": true} {
		key := "command"
		if wrong {
			key = "comand"
		}
		testfile.Write(t, name, fmt.Sprintf("benchmarks: [{%s: \"true\"}]\n", key))
		if !files.MatchString(filepath.Join("bench", name)) {
			t.Errorf("the hook does not see %s", name)
		}
		status, printed := captured(e, append(strings.Fields(hooks[0].Entry)[1:], name)...)
		if (status == exitUsage) != wrong {
			t.Errorf("%s: exit status %d: %s", name, status, printed)
		}
	}
	if files.MatchString("mkdocs.yaml") {
		t.Error("the hook sees files that are no suite files")
	}
}
