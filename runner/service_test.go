//go:build unix

package runner

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// serves adds a service to a case. A shell runs it, and it is ready when it prints
// up.
func serves(dir, text string, env ...string) func(*spec.Case) {
	return func(c *spec.Case) {
		c.Cwd = dir
		c.Services = append(c.Services, spec.Service{Argv: []string{"sh", "-c", text}, Cwd: dir, Env: env, Stop: "SIGTERM",
			Ready: spec.Ready{Line: "^up$"}, Timeout: spec.Duration(30 * time.Second)})
	}
}

func TestEqualServicesOfAWindowAreOne(t *testing.T) {
	dir := t.TempDir()
	const text = "echo $WORD >>started; echo up; exec sleep 4734.25"
	got := runCases(t, context.Background(), "fake", program("a", []string{"true"}, serves(dir, text, "WORD=one")),
		function("fake/1ms", serves(dir, text, "WORD=one")), program("c", []string{"true"}, serves(dir, text, "WORD=two")))
	for _, c := range got {
		if c.Status != result.Measured {
			t.Errorf("%s: %s, failure %+v", c.Name, c.Status, c.Failure)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "started")); string(text) != "one\ntwo\n" {
		t.Errorf("started %q", text)
	}
}

// The case itself goes on as if nothing had happened: what it measures then is
// not what it should.
func TestACaseDoesNotOutliveItsService(t *testing.T) {
	dir := t.TempDir()
	ends := serves(dir, "echo up; until test -e ran; do sleep 0.01; done; echo out of memory; kill -9 $$")
	goesOn := program("goes on", []string{"sh", "-c", "touch ran; sleep 0.02"}, ends, func(c *spec.Case) {
		c.Settings.SamplesMin, c.Settings.TargetTime, c.Settings.MaxTime = 10_000, spec.Duration(time.Hour), spec.Duration(time.Hour)
	})
	goesOn.Settings.SamplesMax = 10_000
	got := runCases(t, context.Background(), "real", goesOn, function("fake/1ms", func(c *spec.Case) { c.Settings.SamplesMax = 20 }))
	f := got[0].Failure
	if f == nil || f.Phase != "service" || f.Signal != "SIGKILL" || !strings.HasSuffix(f.Detail, "out of memory") {
		t.Fatalf("status %s, failure %+v", got[0].Status, f)
	}
	_, path, _ := strings.Cut(f.Hint, "what it printed is in ")
	if text, err := os.ReadFile(path); string(text) != "up\nout of memory\n" {
		t.Errorf("kept %q, %v", text, err)
	}
	os.Remove(path)
	if got[1].Status != result.Measured {
		t.Errorf("the other case: %+v", got[1].Failure)
	}
}

func TestALineIsSeenOnceAndWhole(t *testing.T) {
	log, err := newServiceLog()
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	line := regexp.MustCompile("^ready$")
	for i, step := range []struct {
		text string
		want bool
	}{
		{"", false}, {"starting\nready", false}, {" soon\nrea", false}, {"dy\r\nlater", true},
	} {
		if _, err := log.file.WriteString(step.text); err != nil {
			t.Fatal(err)
		}
		if got := log.matches(line); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
	if log.last() != "starting\nready soon\nready\r\nlater" {
		t.Errorf("last lines %q", log.last())
	}
}

func TestALogThatCannotBeKeptIsNotAnEmptyOne(t *testing.T) {
	log, err := newServiceLog()
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	if got := log.keep("server"); got != "" {
		t.Errorf("of an empty one: %q", got)
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "gone"))
	}
	if _, err := log.file.WriteString("cannot bind\n"); err != nil {
		t.Fatal(err)
	}
	if got := log.keep("server"); !strings.HasPrefix(got, "could not be kept: no temporary file can be made in ") {
		t.Errorf("without a folder: %q", got)
	}
}

func TestLogsAreNamedAfterTheProgram(t *testing.T) {
	for path, want := range map[string]string{"/usr/bin/python3": "python3", "./a b/../x y*": "x_y_", "..": "..", strings.Repeat("x", 99): strings.Repeat("x", 40)} {
		if got := plainName(path); got != want {
			t.Errorf("%s is named %q", path, got)
		}
	}
}
