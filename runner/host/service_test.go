//go:build linux

package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
)

// serving starts a service that a shell runs and waits until it has written a
// file.
func serving(t *testing.T, text, stop string) *Host {
	t.Helper()
	h := New(Real())
	t.Cleanup(h.kit.starter.Leave)
	spawn.Adopt()
	dir := t.TempDir()
	ask(t, h, wire.Request{Op: "serve", Service: &wire.Service{Argv: []string{"sh", "-c", text + " touch ready; wait"}, Dir: dir, Stop: stop}})
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
			return h
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatal("it was never ready")
		}
	}
}

func TestAServiceEndsWithAllThatItHasStarted(t *testing.T) {
	for _, stop := range []string{"SIGTERM", "SIGINT", "SIGKILL"} {
		h := serving(t, "sleep 4733.25 & setsid sleep 4733.25 &", stop)
		if s := h.answer(&wire.Request{Op: "served"}).Served; s == nil || s.Ended {
			t.Fatalf("it stands at %+v", s)
		}
		s := h.answer(&wire.Request{Op: "stop"}).Served
		if s == nil || !s.Ended || s.Killed || s.Signal != stop && !(stop == "SIGINT" && s.Exit == 130) {
			t.Errorf("%s: it ended as %+v", stop, s)
		}
		if left := children(); len(left) > 0 {
			t.Errorf("%s: processes %v are left", stop, left)
		}
	}
}

func TestAServiceThatEndsByItselfSaysHow(t *testing.T) {
	for text, want := range map[string]wire.Served{"exit 3;": {Exit: 3}, "kill -9 $$;": {Exit: -1, Signal: "SIGKILL"}} {
		h := New(Real())
		ask(t, h, wire.Request{Op: "serve", Service: &wire.Service{Argv: []string{"sh", "-c", text}, Dir: t.TempDir(), Stop: "SIGTERM"}})
		for !h.service.Served().Ended {
			time.Sleep(time.Millisecond)
		}
		if got := h.answer(&wire.Request{Op: "served"}).Served; !got.Ended || got.Exit != want.Exit || got.Signal != want.Signal {
			t.Errorf("%s gave %+v", text, got)
		}
	}
}

func TestAServiceThatCannotBeStartedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "text"), []byte("no program"), 0o700)
	for _, test := range []struct {
		service *wire.Service
		want    string
	}{
		{&wire.Service{Argv: []string{"no-such-program"}, Dir: dir}, "not found in PATH"},
		{&wire.Service{Argv: []string{"./text"}, Dir: dir}, "begin with #!"},
		{&wire.Service{Argv: []string{"sh"}, Dir: filepath.Join(dir, "nowhere")}, "does not exist"},
		{&wire.Service{}, "needs one service"},
		{nil, "needs one service"},
	} {
		got := New(Real()).answer(&wire.Request{Op: "serve", Service: test.service})
		if got.Failure == nil || !strings.Contains(got.Failure.Message, test.want) {
			t.Errorf("%+v gave %+v, want %q", test.service, got.Failure, test.want)
		}
	}
	for _, op := range []string{"served", "stop"} {
		if got := New(Real()).answer(&wire.Request{Op: op}); got.Failure == nil {
			t.Errorf("%s without a service is answered", op)
		}
	}
}

func TestRunsReadTheWholeTextEachTime(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("a line\n", 100_000) // more than a pipe holds
	c := script(t, `wc -c >>count; head -c 3 >>rest; echo no >&0; test ! -p /dev/stdin`, func(c *wire.Command) { c.Dir, c.Input = dir, text })
	if got := times(t, commander(t), c, 3); got.Failure != nil {
		t.Fatal(got.Failure)
	}
	count, _ := os.ReadFile(filepath.Join(dir, "count"))
	if got := strings.Fields(string(count)); len(got) != 3 || got[0] != "700000" || got[2] != got[0] {
		t.Errorf("the runs read %q bytes", got)
	}
}

// The measured program does not see what changes from run to run.
func TestHooksAreToldTheRunAndTheProgramIsNot(t *testing.T) {
	dir := t.TempDir()
	tell := func(file string) []string {
		return []string{"sh", "-c", "echo $SUITE_ROUND $SUITE_CASE $OWN >>" + file}
	}
	c := script(t, `test -z "$SUITE_ROUND$SUITE_CASE" && test "$OWN" = yes`, func(c *wire.Command) {
		c.Dir, c.Prepare, c.Conclude = dir, tell("before"), tell("behind")
		c.HookVars, c.Env, c.Runs = []string{"SUITE_CASE=x"}, []string{"OWN=yes"}, 40
	})
	if got := times(t, commander(t), c, 2); got.Failure != nil {
		t.Fatal(got.Failure)
	}
	for _, file := range []string{"before", "behind"} {
		if got := text(t, filepath.Join(dir, file)); got != "41 x yes\n42 x yes\n" {
			t.Errorf("%s: %q", file, got)
		}
	}
}
