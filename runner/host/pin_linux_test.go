//go:build amd64 || arm64

package host

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/suite/runner/host/wire"
)

// cpus are the CPUs that two runs and their hook may use, under a setting of pin.
func cpus(t *testing.T, h *Host, pin string) (run, hook string, got *wire.Response) {
	const show = "grep -h ^Cpus_allowed_list /proc/self/status > "
	c := script(t, show+"run", func(c *wire.Command) { c.Pin, c.Prepare = pin, []string{"sh", "-c", show + "hook"} })
	got = times(t, h, c, 2)
	return text(t, filepath.Join(c.Dir, "run")), text(t, filepath.Join(c.Dir, "hook")), got
}

func TestARunStaysOnOneCPUOnlyWhereThatIsAskedFor(t *testing.T) {
	h := commander(t)
	all, _, _ := cpus(t, h, "off")
	if runtime.NumCPU() < 2 {
		t.Skip("there is one CPU only")
	}
	// In this order: each setting has to undo the one before.
	for _, pin := range []string{"on", "auto", "on", "off", "auto", "off"} {
		run, hook, got := cpus(t, h, pin)
		if got.Failure != nil || hook != all {
			t.Errorf("pin: %s: failure %+v, a hook may use %q, want %q", pin, got.Failure, hook, all)
		}
		if alone := run != all; alone != (pin == "on") {
			t.Errorf("pin: %s: a run may use %q of %q", pin, run, all)
		}
		if pin == "on" && strings.ContainsAny(strings.TrimPrefix(run, "Cpus_allowed_list:"), ",-") {
			t.Errorf("a run that is pinned may use %q", run)
		}
	}
}

func TestPinningSaysWhyNot(t *testing.T) {
	h := alone(t)
	c := script(t, "exit 0", func(c *wire.Command) { c.Pin = "on" })
	p := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared
	if p == nil || !strings.Contains(p.Unpinned, "could not be started") {
		t.Errorf("prepared %+v", p)
	}
	c.Pin = "auto"
	if p := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared; p == nil || p.Unpinned != "" {
		t.Errorf("prepared %+v: it was not asked for by name", p)
	}
}

func TestWhatIsLeftBehindIsNamed(t *testing.T) {
	h := commander(t)
	c := script(t, `
		for s in 1000 "$SECRET" 1000; do
			sleep $s & until grep -q sleep /proc/$!/comm && grep -q . /proc/$!/cmdline; do :; done
		done`, func(c *wire.Command) { c.Env = []string{"SECRET=123456789"} })
	for _, way := range []string{"spawner", "alone"} {
		got := times(t, h, c, 2).Readings
		want := []string{"sleep $SECRET", "sleep 1000"}
		if slices.Sort(got.Left); got.Leaked != 6 || !slices.Equal(got.Left, want) {
			t.Errorf("%s: %d were left: %q, want 6 and %q", way, got.Leaked, got.Left, want)
		}
		h.kit.starter.Leave() // a host alone takes every child of its process for its own
		h = alone(t)
	}
}

func TestNamesOfWhatIsLeftAreFewAndShort(t *testing.T) {
	c := script(t, `for i in 1 2 3 4 5 6 7 8; do sleep 1$$$i & done; sh -c 'sleep 60; : `+strings.Repeat("x", 500)+`' & exit 0`)
	got := times(t, commander(t), c, 3).Readings
	if len(got.Left) != mostLeft || slices.ContainsFunc(got.Left, func(s string) bool { return len(s) > longestLeft+len("…") }) {
		t.Errorf("left %q", got.Left)
	}
	if long := shortened(strings.Repeat("ä", 100)); len(long) > longestLeft+len("…") || !strings.HasSuffix(long, "ä…") {
		t.Errorf("%q", long)
	}
}
