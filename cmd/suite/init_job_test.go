package main

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/lock"
	"example.com/suite/internal/testfile"
	"gopkg.in/yaml.v3"
)

// A job is tested as a CI system runs it: its shell steps, taken from the file that suite init
// wrote, in a clone of a repository that the test makes. The benchmark sleeps, and one branch
// sleeps five times as long as main, so that no machine is too slow or too fast to see it.
const (
	mainSleeps = "0.02"
	badSleeps  = "0.1"
	goodSleeps = "0.005"
)

// ofGit are the variables of git in all tests, set once so that tests of jobs run at the same time.
var ofGit = map[string]string{"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
	"GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull}

// jobRepository makes a repository with a suite file and a job, both written by suite init, on main
// and on the branches good and bad. It returns its folder.
func jobRepository(t *testing.T, system string) string {
	t.Helper()
	for _, program := range []string{"git", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("jobs are scripts that need %s: %v", program, err)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("the benchmark is a shell script")
	}
	dir := filepath.Join(t.TempDir(), "tool")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	sleeps := func(seconds string) {
		text := "#!/bin/sh\nexec sleep " + seconds + "\n"
		testfile.WriteProgram(t, filepath.Join(dir, "bench.sh"), text)
	}
	sleeps(mainSleeps)
	in(t, dir, "git", "init", "-q", "-b", "main")
	in(t, dir, "suite", "init")
	in(t, dir, "suite", "init", "--ci", system)
	in(t, dir, "git", "add", ".")
	in(t, dir, "git", "commit", "-q", "-m", "base")
	for branch, seconds := range map[string]string{"good": goodSleeps, "bad": badSleeps} {
		in(t, dir, "git", "checkout", "-q", "-b", branch, "main")
		sleeps(seconds)
		in(t, dir, "git", "commit", "-q", "-a", "-m", branch)
	}
	in(t, dir, "git", "checkout", "-q", "main") // others have gone on
	testfile.Write(t, filepath.Join(dir, "README"), "text\n")
	in(t, dir, "git", "add", ".")
	in(t, dir, "git", "commit", "-q", "-m", "more")
	return dir
}

// longestStep bounds a step of a job.
const longestStep = 2 * time.Minute

// in runs a command in a folder and returns what it prints.
func in(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return strings.TrimSpace(string(text))
}

// ciJob is the machine on which a job runs.
type ciJob struct {
	t     *testing.T
	dir   string            // of the clone
	shell []string          // runs the script that follows
	env   map[string]string // of all steps
	path  []string          // folders in front of PATH
}

// The job's machine has suite in its PATH, and a real clock.
func newJob(t *testing.T, clone string, shell ...string) *ciJob {
	t.Helper()
	program, err := exec.LookPath("suite-real")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	wrapper := "#!/bin/sh\nexec '" + program + "' \"$@\"\n" // not a link: the program chooses its clock by its name
	testfile.WriteProgram(t, filepath.Join(bin, "suite"), wrapper)
	temp := t.TempDir()
	if err := giveHash(filepath.Join(temp, "user-cache", "suite", "own")); err != nil {
		t.Fatal(err)
	}
	return &ciJob{t: t, dir: clone, shell: shell, path: []string{bin}, env: map[string]string{
		"HOME": temp, "XDG_CACHE_HOME": filepath.Join(temp, "user-cache"), lock.Variable: filepath.Join(temp, "suite.lock"),
	}}
}

// run runs a script and returns its exit status and what it printed.
func (j *ciJob) run(script string) (status int, printed string) {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(j.t.Context(), longestStep)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.shell[0], append(j.shell[1:], script)...)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), "PATH="+strings.Join(append(j.path, os.Getenv("PATH")), string(os.PathListSeparator)))
	for _, name := range slices.Sorted(maps.Keys(j.env)) {
		cmd.Env = append(cmd.Env, name+"="+j.env[name])
	}
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		j.t.Fatalf("%v: %v", cmd.Args, err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// verdict fails the test unless a branch has the status and the last line that it must have.
func verdict(t *testing.T, branch string, status int, printed string) {
	t.Helper()
	want, line := 0, `(?m)^(PASS|INCONCLUSIVE|UNFIT)`
	if branch == "bad" {
		want, line = 1, `(?m)^FAIL: bench\.sh \+[0-9.]+% \(3% allowed\); 1 of 1 gate failed$`
	}
	if status != want || !regexp.MustCompile(line).MatchString(printed) {
		t.Errorf("the branch %s: exit status %d, want %d and a line %s:\n%s", branch, status, want, line, printed)
	}
}

// reportsExist fails the test unless reports exist and are not empty.
func reportsExist(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("the report %s was not written: %v", file, err)
		}
	}
}

// workflowSteps are the steps of a job of a workflow, and the workflow's variables.
func workflowSteps(t *testing.T, file, job string) (steps []workflowStep, env map[string]string) {
	t.Helper()
	var w struct {
		Env  map[string]string
		Jobs map[string]struct{ Steps []workflowStep }
	}
	unmarshalFile(t, file, &w)
	if len(w.Jobs[job].Steps) == 0 {
		t.Fatalf("%s has no job %s", file, job)
	}
	return w.Jobs[job].Steps, w.Env
}

type workflowStep struct {
	Name, ID, Uses, Run string
	With, Env           map[string]string
}

func unmarshalFile(t *testing.T, file string, v any) {
	t.Helper()
	text := testfile.Read(t, file)
	if err := yaml.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// mergeOf clones what GitHub checks out for a pull request: the commit that merges a branch into
// main, with as much history as the workflow asks for.
func mergeOf(t *testing.T, origin, branch, depth string) string {
	t.Helper()
	in(t, origin, "git", "checkout", "-q", "-B", "merge-"+branch, "main")
	in(t, origin, "git", "merge", "-q", "--no-ff", "-m", "merge", branch)
	in(t, origin, "git", "checkout", "-q", "main")
	clone := filepath.Join(t.TempDir(), "tool")
	in(t, origin, "git", "clone", "-q", "--depth", depth, "--branch", "merge-"+branch, "file://"+filepath.ToSlash(origin), clone)
	return clone
}

func TestJobOfGitHub(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	origin := jobRepository(t, "github")
	for _, branch := range []string{"good", "bad"} {
		file := filepath.Join(origin, ".github", "workflows", "benchmarks.yml")
		steps, env := workflowSteps(t, file, "benchmarks")
		clone := mergeOf(t, origin, branch, steps[0].With["fetch-depth"])
		j := newJob(t, clone, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
		maps.Copy(j.env, env)
		temp := j.gitHub()
		status, printed := j.runSteps(steps)
		verdict(t, branch, status, printed)
		if !strings.Contains(printed, "against HEAD^1") {
			t.Errorf("nothing was compared:\n%s", printed)
		}
		if found := strings.Contains(printed, "::error file=tool.suite.yaml,"); found != (branch == "bad") {
			t.Errorf("the branch %s has an annotation: %t\n%s", branch, found, printed)
		}
		reports := filepath.Join(temp, "reports")
		reportsExist(t, filepath.Join(temp, "summary"), filepath.Join(reports, "junit.xml"), filepath.Join(reports, "report.html"),
			filepath.Join(reports, "report.md"), filepath.Join(reports, "result.json"), filepath.Join(temp, "cache", "suite"))

		posts, _ := workflowSteps(t, file, "comment")
		posted := j.posts()
		if status, printed := j.runSteps(posts); status != 0 {
			t.Errorf("the branch %s: the comment ends with %d\n%s", branch, status, printed)
		}
		if text := readFile(t, posted); !strings.HasPrefix(text, "github\n### ") || strings.Contains(text, "### ❌ FAIL") != (branch == "bad") {
			t.Errorf("the branch %s: posted is\n%s", branch, text)
		}
		saves, _ := workflowSteps(t, file, "history")
		if status, printed := j.runSteps(saves); status != 0 || !strings.Contains(printed, "suite: origin: ") || !strings.Contains(printed, "pushed 1 run; ") {
			t.Errorf("the branch %s: saving ends with %d\n%s", branch, status, printed)
		}
		testfile.Write(t, filepath.Join(reports, "result.json"), strings.Replace(readFile(t, filepath.Join(reports, "result.json")), `"ratio": `, `"ratio": 1`, 1))
		testfile.Write(t, posted, "")
		if status, printed := j.runSteps(posts); status == 0 || readFile(t, posted) != "" {
			t.Errorf("the branch %s: a forged result is posted, exit status %d\n%s", branch, status, printed)
		}
	}
}

// posts puts a program in the place of suite-push that writes down what it is to post, and returns the file.
func (j *ciJob) posts() string {
	file := filepath.Join(j.env["HOME"], "posted")
	script := "#!/bin/sh\n{ echo \"$1\"; cat; } >'" + file + "'\n"
	if err := os.WriteFile(filepath.Join(j.path[0], "suite-push"), []byte(script), 0o755); err != nil {
		j.t.Fatal(err)
	}
	return file
}

// runSteps runs the scripts of a job of GitHub until one fails, and returns the last exit status and what all printed.
func (j *ciJob) runSteps(steps []workflowStep) (status int, printed string) {
	j.t.Helper()
	for _, step := range steps {
		if step.Run == "" {
			continue
		}
		status, text := j.run(step.Run)
		printed += text
		if status != 0 {
			return status, printed
		}
		j.adopt()
	}
	return 0, printed
}

// gitHub sets the variables that GitHub sets in every step, and returns the folder for temporary
// files.
func (j *ciJob) gitHub() (temp string) {
	temp = j.env["HOME"]
	maps.Copy(j.env, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": j.dir, "RUNNER_TEMP": temp})
	for name, file := range map[string]string{"GITHUB_ENV": "env", "GITHUB_PATH": "path", "GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary"} {
		j.env[name] = filepath.Join(temp, file)
		testfile.Write(j.t, j.env[name], "")
	}
	return temp
}

// adopt does what GitHub does after a step: it reads the variables and folders that the step has
// set for the steps that follow.
func (j *ciJob) adopt() {
	text, err := os.ReadFile(j.env["GITHUB_ENV"])
	if err != nil {
		j.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		j.env[name] = value
	}
	if text, err = os.ReadFile(j.env["GITHUB_PATH"]); err != nil {
		j.t.Fatal(err)
	}
	for _, folder := range strings.Fields(string(text)) {
		if !slices.Contains(j.path, folder) {
			j.path = append(j.path, folder)
		}
	}
}

func TestJobOfGitLab(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	origin := jobRepository(t, "gitlab")
	var jobs map[string]struct {
		Variables    map[string]string
		Script       []string
		AfterScript  []string `yaml:"after_script"`
		AllowFailure struct {
			ExitCodes []int `yaml:"exit_codes"`
		} `yaml:"allow_failure"`
	}
	unmarshalFile(t, filepath.Join(origin, ".gitlab-ci.yml"), &jobs)
	job := jobs["benchmarks"]
	if !slices.Equal(job.AllowFailure.ExitCodes, []int{4}) {
		t.Errorf("the job may fail with %v, want 4: nothing was decided", job.AllowFailure.ExitCodes)
	}
	for _, branch := range []string{"good", "bad"} {
		clone := filepath.Join(t.TempDir(), "tool")
		in(t, origin, "git", "clone", "-q", "--branch", branch, "file://"+filepath.ToSlash(origin), clone)
		j := newJob(t, clone, "bash", "-eo", "pipefail", "-c")
		maps.Copy(j.env, map[string]string{"GITLAB_CI": "true", "CI_PROJECT_DIR": clone, "CI_MERGE_REQUEST_EVENT_TYPE": "detached",
			"CI_MERGE_REQUEST_DIFF_BASE_SHA": in(t, clone, "git", "merge-base", "HEAD", "origin/main")})
		for name, value := range job.Variables {
			j.env[name] = strings.ReplaceAll(value, "$CI_PROJECT_DIR", clone)
		}
		status, printed := j.run(strings.Join(job.Script, "\n"))
		if slices.Contains(job.AllowFailure.ExitCodes, status) {
			status = 0
		}
		verdict(t, branch, status, printed)
		if status, printed := j.run(strings.Join(job.AfterScript, "\n")); status != 0 {
			t.Errorf("after_script: exit status %d: %s", status, printed)
		}
		posted := j.posts()
		if status, printed := j.run(strings.Join(jobs["benchmarks-comment"].Script, "\n")); status != 0 {
			t.Errorf("the comment ends with %d: %s", status, printed)
		}
		if text := readFile(t, posted); !strings.HasPrefix(text, "gitlab\n### ") || strings.Contains(text, "### ❌ FAIL") != (branch == "bad") {
			t.Errorf("the branch %s: posted is\n%s", branch, text)
		}
		if branch == "good" {
			status, printed := j.run(strings.Join(jobs["benchmarks-history"].Script, "\n"))
			if status != 0 || !strings.Contains(printed, "suite: origin: pushed 1 run; 1 run in refs/notes/suite") {
				t.Errorf("the history ends with %d: %s", status, printed)
			}
		}
		reports := filepath.Join(clone, ".benchmarks")
		reportsExist(t, filepath.Join(reports, "junit.xml"), filepath.Join(reports, "report.html"), filepath.Join(clone, "gl-code-quality-report.json"),
			filepath.Join(clone, "metrics.txt"), filepath.Join(clone, ".cache", "suite"))
		if left := in(t, clone, "git", "status", "--porcelain", "--", ".cache", ".benchmarks"); left != "" {
			t.Errorf("git sees files of the job: %s", left)
		}
	}
}

// groovyString matches the scripts of a Jenkinsfile, and groovyVariable its variables.
var (
	groovyString   = regexp.MustCompile(`(?s)'''(.*?)'''`)
	groovyVariable = regexp.MustCompile(`(?m)^    ([A-Z_]+) = ["'](.*?)["']`)
)

func TestJobOfJenkins(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	origin := jobRepository(t, "jenkins")
	source := testfile.Read(t, filepath.Join(origin, "Jenkinsfile"))
	var scripts []string
	for _, m := range groovyString.FindAllStringSubmatch(string(source), -1) {
		if strings.Contains(m[1], `\`) {
			t.Error(`Groovy would read a \ in a script`)
		}
		scripts = append(scripts, m[1])
	}
	if len(scripts) != 3 {
		t.Fatalf("%d scripts, want those that prepare, measure and clean up", len(scripts))
	}
	if a, b := strings.Count(string(source), "{"), strings.Count(string(source), "}"); a != b {
		t.Errorf("%d braces are opened, %d closed", a, b)
	}
	for _, branch := range []string{"good", "bad"} {
		clone := filepath.Join(t.TempDir(), "tool")
		in(t, origin, "git", "clone", "-q", "--single-branch", "--branch", branch, "file://"+filepath.ToSlash(origin), clone)
		j := newJob(t, clone, "sh", "-e", "-c")
		j.env["CHANGE_TARGET"] = "main"
		for _, m := range groovyVariable.FindAllStringSubmatch(string(source), -1) {
			j.env[m[1]] = os.Expand(m[2], func(name string) string { return j.env[name] })
		}
		if status, printed := j.run(scripts[0]); status != 0 {
			t.Fatalf("exit status %d: %s", status, printed)
		}
		status, printed := j.run(scripts[1])
		if status == exitUnfit { // the job is unstable, and not red
			status = 0
		}
		verdict(t, branch, status, printed)
		if status, printed := j.run(scripts[2]); status != 0 {
			t.Errorf("after the run: exit status %d: %s", status, printed)
		}
		reports := filepath.Join(clone, ".benchmarks")
		reportsExist(t, filepath.Join(reports, "junit.xml"), filepath.Join(reports, "report.html"), filepath.Join(j.env["HOME"], ".cache", "suite-ci", "suite"))
	}
}
