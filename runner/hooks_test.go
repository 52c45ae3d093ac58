package runner

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

func TestHooksThatFailSayWhy(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]result.Failure{
		"echo seen; echo lost >&2; exit 4":                 {Cause: "exit", Message: "setup ended with exit status 4", Detail: "seen\nlost"},
		"kill -9 $$":                                       {Cause: "signal", Message: "setup was ended by signal SIGKILL", Signal: "SIGKILL"},
		"sleep 60 & sleep 60":                              {Cause: "timeout", Message: "setup was killed after the timeout of 1s"},
		"head -c 20000000 /dev/zero; echo the end; exit 1": {Cause: "exit", Message: "setup ended with exit status 1"},
	} {
		got := runHook(context.Background(), "setup", hook{argv: []string{"sh", "-c", script}, dir: os.TempDir(), timeout: time.Second})
		if got == nil || got.Phase != "setup" || got.Cause != want.Cause || got.Message != want.Message || got.Signal != want.Signal {
			t.Errorf("%s: %+v", script, got)
			continue
		}
		if want.Detail != "" && got.Detail != want.Detail || len(got.Detail) > 4<<10 {
			t.Errorf("%s: detail %q", script, got.Detail)
		}
	}
	got := runHook(context.Background(), "setup", hook{argv: []string{"no-such-program"}, dir: os.TempDir()})
	if got == nil || got.Cause != "missing" || !strings.Contains(got.Message, "no-such-program") {
		t.Errorf("failure %+v", got)
	}
	if got := runHook(context.Background(), "setup", hook{argv: []string{"sh", "-c", "sleep 0.1 & exit 0"}, dir: os.TempDir()}); got != nil {
		t.Errorf("a hook that leaves something running: %+v", got)
	}
}

func TestHooksSeeTheEnvironmentOfTheCase(t *testing.T) {
	t.Setenv("SUITE_TEST_WORD", "outside")
	dir := t.TempDir()
	check := hook{argv: []string{"sh", "-c", `test "$SUITE_TEST_WORD" = inside && test "$PWD" = "$0"`, dir}, env: []string{"SUITE_TEST_WORD=inside"}, dir: dir}
	if got := runHook(context.Background(), "setup", check); got != nil {
		t.Errorf("failure %+v", got)
	}
}

func TestASetupThatFailsKeepsItsCaseFromRunning(t *testing.T) {
	dir := t.TempDir()
	hooks := func(c *spec.Case) {
		c.Cwd, c.Setup = dir, &spec.Hook{Argv: []string{"false"}}
		c.Cleanup = &spec.Hook{Argv: []string{"sh", "-c", "echo x >> cleaned"}}
	}
	got := runCases(t, context.Background(), "fake", program("sets up", []string{"touch", "ran"}, hooks), function("fake/1ms"))
	if f := got[0].Failure; f == nil || f.Phase != "setup" || got[1].Status != result.Measured {
		t.Errorf("failure %+v, the other %s", f, got[1].Status)
	}
	if _, err := os.Stat(dir + "/ran"); err == nil {
		t.Error("it ran all the same")
	}
	if text, _ := os.ReadFile(dir + "/cleaned"); string(text) != "x\n" {
		t.Errorf("cleaned %q", text)
	}
}
