package compare

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
)

// A difference that makes a ratio meaningless is a doubt; whatever is replaced on one
// machine every few weeks is only noted.
func TestDoubts(t *testing.T) {
	for want, spoil := range map[string]func(d *result.Document, c *result.Case){
		"the CPU differs: Z80 in a, M9 in this run":                          func(d *result.Document, _ *result.Case) { d.Machine.CPU = "M9" },
		"the number of CPUs differs: 2 in a, 8 in this run":                  func(d *result.Document, _ *result.Case) { d.Machine.CPUs = 8 },
		"the system differs: linux/amd64 in a, linux/arm64 in this run":      func(d *result.Document, _ *result.Case) { d.Machine.Arch = "arm64" },
		"the kind of virtual machine differs: unknown in a, kvm in this run": func(d *result.Document, _ *result.Case) { d.Machine.Virtual = "kvm" },
		"GOMAXPROCS differs: 0 in a, 1 in this run":                          func(d *result.Document, _ *result.Case) { d.Machine.GOMAXPROCS = 1 },
		"it has another unit (op, byte) in this run":                         func(_ *result.Document, c *result.Case) { c.Unit = "byte" },
		"it was timed by another clock (wall, stdc-clock) in this run":       func(_ *result.Document, c *result.Case) { c.Clock = "stdc-clock" },
		"what is run was changed between a and this run":                     func(_ *result.Document, c *result.Case) { c.Identity.Argv = []string{"x"} },
		"the work of an iteration was changed between a and this run":        func(_ *result.Document, c *result.Case) { c.Work = 2 },
		"the value of a parameter was changed between a and this run": func(_ *result.Document, c *result.Case) {
			c.Params = []result.Param{{Name: "n", Text: "1"}}
		},
		"a setting (gc, thread, parallel) was changed between a and this run": func(_ *result.Document, c *result.Case) { c.Settings.Parallel = 2 },
		"how iterations are begun and timed (latency, arrivals) was changed between a and this run": func(_ *result.Document, c *result.Case) {
			c.Settings.Arrivals = 1000
		},
	} {
		then, now := saved("a", timed("x", 1e-6)), saved("b", timed("x", 1e-6))
		was, c := &then.Doc.Cases[0], &now.Doc.Cases[0]
		if doubts := Doubts(then, was, now.Doc, c); doubts != nil {
			t.Fatalf("of like runs: %q", doubts)
		}
		spoil(now.Doc, c)
		if doubts := Doubts(then, was, now.Doc, c); !slices.Equal(doubts, []string{want}) {
			t.Errorf("want %q, got %q", want, doubts)
		}
		if notes := Asides(then, now.Doc, "s"); notes != nil {
			t.Errorf("%s: said twice: %q", want, notes)
		}
	}
}

func TestAsides(t *testing.T) {
	then, now := saved("a", timed("x", 1)), saved("b", timed("x", 1))
	now.Doc.Machine.Kernel, now.Doc.Machine.Memory, now.Doc.Tool.Go, now.Doc.Tool.Version = "7", 1<<30, "go2", "2"
	now.Doc.Suites[0].Hash, then.Doc.Interrupted = "sha256:2", "SIGINT"
	notes := strings.Join(Asides(then, now.Doc, "s"), "\n")
	for _, want := range []string{"kernel", "memory", "version of Go", "version of suite", "the suite file was changed after a was measured", "a is of a run that was interrupted"} {
		if !strings.Contains(notes, want) {
			t.Errorf("nothing about %q in\n%s", want, notes)
		}
	}
	if doubts := Doubts(then, &then.Doc.Cases[0], now.Doc, &now.Doc.Cases[0]); doubts != nil {
		t.Errorf("doubts: %q", doubts)
	}
}
