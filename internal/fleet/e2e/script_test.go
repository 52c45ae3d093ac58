package e2e

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stub is a program in the place of suite, and of srun, which calls it. It writes its
// arguments and a result, and ends with $STATUS, or waits for a signal.
const stub = `#!/bin/sh
[ "${0##*/}" = suite ] || shift
printf '%s\n' "$@" >"$ARGS"
for word; do
	case $word in json=*) [ -z "$NOTHING" ] && echo '{}' >"${word#json=}" ;; esac
done
if [ -n "$HANG" ]; then
	trap 'echo TERM >>"$ARGS"; exit 143' TERM
	: >"$HANG"
	while :; do sleep 0.05; done
fi
exit "$STATUS"
`

// patience bounds every wait for another process.
const patience = 5 * time.Minute

// scripts are the scripts of one shard, as sh or bash get them, by engine.
func scripts(t *testing.T, results string) map[string]*exec.Cmd {
	t.Helper()
	env := map[string]string{"SUITE_SHARDS": fmt.Sprint(shards)}
	measure, _ := readKubernetes(t, write(t, "kubernetes", results))
	container := measure.Spec.Template.Spec.Containers[0]
	nomad := nomadScript(t, readNomad(t, write(t, "nomad", "")))
	return map[string]*exec.Cmd{
		"slurm":      exec.Command("bash", "-c", write(t, "slurm", results)),
		"kubernetes": exec.Command(container.Command[0], append(container.Command[1:], expand(container.Args[0], env))...),
		"nomad":      exec.Command("sh", "-c", nomad),
	}
}

// shard is one run of a script with the stub in the place of suite.
type shard struct {
	*exec.Cmd
	args string // file with the arguments of suite
}

func newShard(t *testing.T, cmd *exec.Cmd, results string, env ...string) shard {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"suite", "srun"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(results, "data"), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	args := filepath.Join(dir, "args")
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "ARGS="+args, "NOMAD_ALLOC_DIR="+results, "JOB_COMPLETION_INDEX=7", "SLURM_ARRAY_JOB_ID=100", "SLURM_ARRAY_TASK_ID=8")
	cmd.Env = append(cmd.Env, env...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return shard{cmd, args}
}

// begin starts the script.
func (s shard) begin(t *testing.T) {
	t.Helper()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-s.Process.Pid, syscall.SIGKILL) }) // what the end of a container kills
}

// status waits until the script ends.
func (s shard) status(t *testing.T) int {
	t.Helper()
	err := s.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return s.ProcessState.ExitCode()
}

// words returns the arguments of suite.
func (s shard) words(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(s.args)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// suite gets the words that the user has typed, whatever they are.
func TestShardsGetTheWords(t *testing.T) {
	results := filepath.Join(t.TempDir(), "all $(results)")
	for engine, cmd := range scripts(t, results) {
		s := newShard(t, cmd, t.TempDir(), "STATUS=0")
		s.begin(t)
		if got := s.status(t); got != 0 {
			t.Errorf("%s ends with %d", engine, got)
		}
		got := s.words(t)
		index := map[string]string{"slurm": "8/12"} // of others the environment has it; a part of an array does not know the whole
		if want := append([]string{"run", "--shard", cmp.Or(index[engine], "auto"), "--out", got[4]}, oddWords...); !slices.Equal(got, want) {
			t.Errorf("%s: suite gets\n%q, want\n%q", engine, got, want)
		}
	}
}

// A red or undecided shard is delivered, and only one without a result, or that was stopped,
// fails.
func TestShardsFailWithoutResult(t *testing.T) {
	for _, c := range []struct {
		status, want int
		env          string
	}{
		{0, 0, ""}, {1, 0, ""}, {3, 0, ""}, {4, 0, ""},
		{2, 2, "NOTHING=1"}, {143, 143, ""}, {137, 137, "NOTHING=1"}, {0, 1, "NOTHING=1"}, {3, 1, "NOTHING=1"},
	} {
		results := t.TempDir()
		for engine, cmd := range scripts(t, results) {
			s := newShard(t, cmd, results, fmt.Sprintf("STATUS=%d", c.status), c.env)
			s.begin(t)
			if got := s.status(t); got != c.want {
				t.Errorf("%s: suite ends with %d (%s), and the shard with %d, want %d", engine, c.status, c.env, got, c.want)
			}
			_ = os.RemoveAll(filepath.Join(results, "data")) // nomad's result
		}
	}
}

// The first process of a container passes the signal on, once, and waits for suite.
func TestContainersPassSignalsOn(t *testing.T) {
	results := t.TempDir()
	for engine, cmd := range scripts(t, results) {
		if engine == "slurm" {
			continue // Slurm itself sends it to suite
		}
		ready := filepath.Join(t.TempDir(), "ready")
		s := newShard(t, cmd, results, "HANG="+ready)
		s.begin(t)
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(ready); err == nil {
				break
			}
			if time.Since(begun) > patience {
				t.Fatal("suite was never started")
			}
		}
		if err := s.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if got := s.status(t); got != 143 {
			t.Errorf("%s ends with %d", engine, got)
		}
		if words := s.words(t); words[len(words)-1] != "TERM" || words[len(words)-2] == "TERM" {
			t.Errorf("%s: suite gets %q", engine, words)
		}
	}
}
