//go:build linux

package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/runner/host/wire"
)

// lastNumber replaces package extract: it finds the number after the last "regex=".
func lastNumber(m wire.Metric) (func([]byte) (float64, error), error) {
	if m.Regex == "" {
		return nil, errors.New("no regex")
	}
	return func(text []byte) (float64, error) {
		_, number, found := strings.Cut(string(text), m.Regex+"=")
		if !found {
			return 0, fmt.Errorf("no %s", m.Regex)
		}
		return strconv.ParseFloat(strings.Fields(number)[0], 64)
	}, nil
}

// reader is a host for commands that can look for numbers.
func reader(t *testing.T) *Host {
	h := commander(t)
	h.kit.machine.Extract = lastNumber
	return h
}

func want(metrics ...wire.Metric) func(*wire.Command) {
	return func(c *wire.Command) { c.Metrics = metrics }
}

func TestMetricsAreReadFromWhatEachRunPrints(t *testing.T) {
	c := script(t, "n=$(cat n); echo $((n+1)) > n; echo a=$n; echo b=7 >&2; echo c=$((n*2)) > c.txt")
	want(wire.Metric{Name: "first", From: wire.Stdout, Regex: "a", Scale: 1e-3}, wire.Metric{Name: "second", From: wire.Stderr, Regex: "b", Scale: 1},
		wire.Metric{Name: "third", From: filepath.Join(c.Dir, "c.txt"), Regex: "c", Scale: 1024})(&c)
	if err := os.WriteFile(filepath.Join(c.Dir, "n"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := times(t, reader(t), c, 3)
	if got.Failure != nil {
		t.Fatal(got.Failure, got.Failure.Detail)
	}
	for name, column := range map[string]wire.Values{"first": {0.001, 0.002, 0.003}, "second": {7, 7, 7}, "third": {2048, 4096, 6144}} {
		if have := got.Readings.Values[name]; fmt.Sprint(have) != fmt.Sprint(column) {
			t.Errorf("%s = %v, want %v", name, have, column)
		}
	}
	if _, there := got.Readings.Columns["first"]; there {
		t.Error("a metric stands among the columns of whole numbers")
	}
}

func TestMetricsAreReadFromTheFileOfStdout(t *testing.T) {
	c := script(t, "echo a=5", want(wire.Metric{Name: "x", From: wire.Stdout, Regex: "a", Scale: 1}))
	c.Stdout = filepath.Join(c.Dir, "out.txt")
	got := times(t, reader(t), c, 2)
	if got.Failure != nil || got.Readings.Values["x"][1] != 5 || text(t, c.Stdout) != "a=5\n" {
		t.Errorf("%v, %+v, file %q", got.Failure, got.Readings, text(t, c.Stdout))
	}
}

func TestARunWithoutItsMetricFails(t *testing.T) {
	here := t.TempDir()
	old, now, folder := filepath.Join(here, "old"), filepath.Join(here, "now"), filepath.Join(here, "folder")
	for _, err := range []error{os.WriteFile(old, []byte("a=1"), 0o600), os.Chtimes(old, time.Time{}, time.Now().Add(-time.Hour)), os.Mkdir(folder, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		from, script    string
		phase           wire.Phase
		cause           wire.Cause
		message, detail string
	}{
		{wire.Stdout, "echo one; echo two", "metrics", "missing", `metric "x": in stdout, no a`, "one\ntwo"},
		{wire.Stdout, "", "metrics", "missing", `metric "x": stdout is empty`, ""},
		{wire.Stderr, "echo a=1", "metrics", "missing", `metric "x": stderr is empty`, ""},
		{now, "", "metrics", "missing", fmt.Sprintf(`metric "x": file %q does not exist after the run`, now), ""},
		{old, "", "metrics", "missing", fmt.Sprintf(`metric "x": file %q was not written by the run: it was last changed `, old), ""},
		{folder, "", "metrics", "missing", fmt.Sprintf(`metric "x": file %q is no plain file`, folder), ""},
		{wire.Stdout, "head -c 20000000 /dev/zero", "metrics", "error", `metric "x": stdout: more than 16 MiB were written`, ""},
		{wire.Stdout, "echo a=1; exit 3", "run", "exit", "exit status 3", ""},
		{wire.Stdout, "echo a=1e308", "metrics", "missing", `metric "x": in stdout, 1e+308 is too large a number`, "a=1e308"},
		{wire.Stdout, "echo a=-1e120", "metrics", "missing", `metric "x": in stdout, -1e+120 is too large a number`, "a=-1e120"}, // its square is
	} {
		got := times(t, reader(t), script(t, test.script, want(wire.Metric{Name: "x", From: test.from, Regex: "a", Scale: 1e6})), 2).Failure
		if got == nil || got.Phase != test.phase || got.Cause != test.cause || !strings.HasPrefix(got.Message, test.message) || got.Detail != test.detail || got.Batch != 1 {
			t.Errorf("%q from %s: %+v", test.script, test.from, got)
		}
	}
}

// 7 · 0.01 is not 0.07 as a float64, but a gate with 7% must compare as equal.
func TestScaledNumbersAreThoseThatGatesWrite(t *testing.T) {
	c := script(t, "echo a=7; echo b=12.5", want(wire.Metric{Name: "share", From: wire.Stdout, Regex: "a", Scale: 0.01}, wire.Metric{Name: "time", From: wire.Stdout, Regex: "b", Scale: 1e-9}))
	got := times(t, reader(t), c, 1)
	if got.Failure != nil {
		t.Fatal(got.Failure)
	}
	if v := got.Readings.Values; v["share"][0] != 0.07 || v["time"][0] != 12.5e-9 {
		t.Errorf("%v", v)
	}
}

// The number of an earlier run does not count for this one, even if runs are short.
func TestAFileThatOnlyTheFirstRunWritesIsNotRead(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	written := time.Now().Add(-time.Second).Truncate(time.Second).Add(time.Millisecond) // 1 to 2 s ago, no whole second
	if err := errors.Join(os.WriteFile(out, []byte("a=1"), 0o600), os.Chtimes(out, time.Time{}, written)); err != nil {
		t.Fatal(err)
	}
	got := times(t, reader(t), script(t, "", want(wire.Metric{Name: "x", From: out, Regex: "a", Scale: 1})), 1).Failure
	if got == nil || !strings.Contains(got.Message, "was not written by the run") {
		t.Errorf("%+v", got)
	}
}

// What a run that is void has printed does not matter.
func TestVoidRunsNeedNoMetric(t *testing.T) {
	c := script(t, `if mkdir once 2>/dev/null; then exit 75; fi; echo a=5`, want(wire.Metric{Name: "x", From: wire.Stdout, Regex: "a", Scale: 1}))
	c.Reject, c.SameOutput = []int{75}, true
	if got := times(t, reader(t), c, 2); got.Failure != nil || fmt.Sprint(got.Readings.Values["x"]) != "[5 5]" {
		t.Errorf("%+v, %+v", got.Failure, got.Readings)
	}
}

func TestOutputThatCannotBeReadBackIsRefused(t *testing.T) {
	c := script(t, "echo a=5", want(wire.Metric{Name: "x", From: wire.Stdout, Regex: "a", Scale: 1}))
	c.Stdout = os.DevNull
	if got := times(t, reader(t), c, 1).Failure; got == nil || got.Phase != "setup" || !strings.Contains(got.Message, "is no plain file") {
		t.Errorf("%+v", got)
	}
	c.Stdout, c.Metrics[0].Regex = "", ""
	if got := times(t, reader(t), c, 1).Failure; got == nil || got.Message != `metric "x": no regex` {
		t.Errorf("%+v", got)
	}
	if got := times(t, commander(t), c, 1).Failure; got == nil || got.Message != "this host cannot look for metrics" {
		t.Errorf("%+v", got)
	}
}

// The text of a metric stays out of the timed region and of files with a name.
func TestCapturingLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	c := script(t, "echo a=5; ls -A "+dir+" >&2; test -f /dev/stdout", want(wire.Metric{Name: "x", From: wire.Stdout, Regex: "a", Scale: 1}))
	c.SameOutput = true
	h := reader(t)
	times(t, h, c, 1) // opens what a host keeps open
	before := openFiles(t)
	if got := times(t, h, c, 3); got.Failure != nil {
		t.Errorf("stdout is no file: %+v", got.Failure)
	}
	if now := openFiles(t); now != before {
		t.Errorf("%d descriptors were open, and now %d are", before, now)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
