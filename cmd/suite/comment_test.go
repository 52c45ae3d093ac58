package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// fakeGH is a program in the place of gh: it writes down what it is asked, hands out a report, and
// knows one pull request. OLD is the comment that it finds if it is asked for the report's marker.
const fakeGH = `#!/bin/sh
echo "$@" >>"$CALLS"
case "$*" in
"run download"*) mkdir reports && printf "### PASS\n\n$LAST\n" >reports/report.md ;;
*"--method GET"*/pulls*) echo 7 ;;
*/issues/7/comments\ --jq*) [ "$MARKER" = '<!-- suite report: parse -->' ] && printf "$OLD" ;;
esac
`

// The script of docs/ci.md that comments on a pull request edits the comment that it wrote before,
// and writes a new one only if there is none.
func TestCommentReplacesItself(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("the script is for bash: %v", err)
	}
	script := commentScript(t)
	run := func(old, last string) (calls string, err error) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(fakeGH), 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "calls")
		cmd := exec.Command(bash, "-e", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "CALLS="+file, "OLD="+old, "LAST="+last,
			"GH_REPO=o/r", "RUN=5", "OWNER=ada", "BRANCH=faster")
		err = cmd.Run()
		text, readErr := os.ReadFile(file)
		if readErr != nil {
			t.Fatal(readErr)
		}
		return strings.TrimSpace(string(text)), err
	}
	for old, want := range map[string]string{
		"":         "api --method POST repos/o/r/issues/7/comments -F body=@reports/report.md",
		`12\n`:     "api --method PATCH repos/o/r/issues/comments/12 -F body=@reports/report.md",
		`12\n34\n`: "api --method PATCH repos/o/r/issues/comments/12 -F body=@reports/report.md", // the oldest
	} {
		calls, err := run(old, "<!-- suite report: parse -->")
		if err != nil {
			t.Fatalf("%v: %s", err, calls)
		}
		asked := strings.Split(calls, "\n")
		if asked[len(asked)-1] != want {
			t.Errorf("with the comments %q the script ends with\n%s, want\n%s", old, asked[len(asked)-1], want)
		}
		if !strings.Contains(calls, "head=ada:faster") {
			t.Errorf("the pull request was not looked up by its branch:\n%s", calls)
		}
	}
	// An empty marker would be found in every comment.
	if calls, err := run(`12\n`, ""); err == nil || strings.Contains(calls, "--method PATCH") {
		t.Errorf("without a marker in the report: %v\n%s", err, calls)
	}
}

func commentScript(t *testing.T) string {
	t.Helper()
	for _, block := range fence.FindAllStringSubmatch(readPage(t, "docs/ci.md").text, -1) {
		var w struct {
			Jobs struct {
				Comment struct{ Steps []workflowStep }
			}
		}
		if block[1] != "yaml ci" || yaml.Unmarshal([]byte(block[2]), &w) != nil || len(w.Jobs.Comment.Steps) == 0 {
			continue
		}
		return w.Jobs.Comment.Steps[0].Run
	}
	t.Fatal("docs/ci.md has no workflow that comments")
	return ""
}
