package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// quick is a suite of commands that take no time. Its verdicts do not depend on the machine,
// and one is red.
const quick = `suite: quick
defaults: {target_time: 20ms, warmup: 1ms, samples: {max: 20}}
benchmarks:
  - name: seq ${n}
    command: [seq, "${n}"]
    matrix: {n: [1, 10, 100]}
    expect: time.median < 1h
  - name: first
    command: [seq, "1"]
  - name: second
    command: [seq, "2"]
    base: first
    expect: time.median < case("first").time.median * 1000
  - name: red
    command: [seq, "3"]
    expect: time.median > 1h
`

// place is a folder with a suite file, and suite in the PATH.
type place struct {
	dir string
	env []string
}

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{dir: t.TempDir()}
	bin := filepath.Join(p.dir, "bin")
	p.env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH")+":/usr/sbin:/sbin", "SUITE_LOCK="+filepath.Join(p.dir, "lock"), "SUITE_CACHE="+filepath.Join(p.dir, "cache"), "HOME="+p.dir)
	build := exec.Command("go", "build", "-C", "../../..", "-o", filepath.Join(bin, "suite"), "./cmd/suite")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.write(t, "my suite.yaml", quick)
	return p
}

func (p place) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sh runs a script, and returns its exit status and standard output.
func (p place) sh(t *testing.T, script string) (int, string) {
	t.Helper()
	var out, log bytes.Buffer
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = p.dir
	cmd.Env = p.env
	cmd.Stdout = &out
	cmd.Stderr = &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	t.Logf("%s\n%s%s%v", script, log.String(), out.String(), err)
	return cmd.ProcessState.ExitCode(), out.String()
}

// ends checks the exit status of a script. Nothing runs after a wrong one, so that its output is the
// last of the test.
func (p place) ends(t *testing.T, want int, script string) {
	t.Helper()
	if status, _ := p.sh(t, script); status != want {
		t.Fatalf("exit status %d, want %d", status, want)
	}
}

// require skips a test if a program is not installed. hint names Debian's packages.
func require(t *testing.T, hint string, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			if _, err := os.Stat("/usr/sbin/" + name); err != nil {
				t.Skipf("%s is not installed: apt-get install %s", name, hint)
			}
		}
	}
}

// verdict is what a result states of a gate.
type verdict struct{ Case, Gate, Verdict string }

func (p place) verdicts(t *testing.T, file string) (all []verdict) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Cases []struct {
			Name  string
			Gates []struct{ ID, Verdict string }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Cases {
		all = append(all, verdict{Case: c.Name})
		for _, g := range c.Gates {
			all = append(all, verdict{c.Name, g.ID, g.Verdict})
		}
	}
	return all
}

// sameAsWhole checks that the merged results of shards have the cases and verdicts of a run
// on one machine, in the same order.
func (p place) sameAsWhole(t *testing.T, results string) {
	t.Helper()
	p.ends(t, 1, "suite merge --out json=merged.json "+results)
	p.ends(t, 1, "suite run -q --out json=whole.json 'my suite.yaml'")
	if got, want := p.verdicts(t, "merged.json"), p.verdicts(t, "whole.json"); len(want) != 11 || !slices.Equal(got, want) {
		t.Errorf("the shards have\n%v\nand one machine\n%v", got, want)
	}
}
