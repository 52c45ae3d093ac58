//go:build unix

package runner

import (
	"context"
	"os"
	"path/filepath"
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
	t.Parallel()
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
