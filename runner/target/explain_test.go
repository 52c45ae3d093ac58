package target

import (
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/spec"
)

func TestFailuresHaveAHint(t *testing.T) {
	of := func(c *spec.Case) *Target { return &Target{Plan: new(spec.Plan), Spec: c} }
	c := of(&spec.Case{Kind: result.KindCommand, Argv: []string{"work", "hard"}, Cwd: "/tmp/x",
		Prepare: &spec.Hook{Argv: []string{"make"}}, Conclude: &spec.Hook{Argv: []string{"clean"}}})
	g := of(&spec.Case{Kind: result.KindGo})
	existing := of(&spec.Case{Kind: result.KindGoTest, GoTest: &spec.GoTest{Benchmark: "BenchmarkX", Dir: "/tmp/x", Procs: 2}})
	fixed := of(&spec.Case{Kind: result.KindGoTest, GoTest: existing.Spec.GoTest, Settings: spec.Settings{Benchtime: spec.Benchtime{N: 100}}})
	two := 2
	c.Spec.ExitCodes = []int{0}
	typed := of(&spec.Case{Kind: result.KindCommand, Argv: []string{"work"}, ExitCodes: []int{7}})
	here, other := t.TempDir(), t.TempDir()
	testfile.Write(t, here+"/input.txt", "")
	both := of(&spec.Case{Kind: result.KindCommand, Cwd: here})
	there := of(&spec.Case{Kind: result.KindCommand, Argv: []string{"work", "-v", "input.txt"}, Cwd: other})
	there.Tree, there.Of = "main", both
	inFolder := func(dir string) *Target {
		return of(&spec.Case{Kind: result.KindGoTest, GoTest: &spec.GoTest{Package: "x.org/y", Benchmark: "BenchmarkX", Dir: dir}})
	}
	reads := inFolder(other)
	reads.Tree, reads.Of = "main", inFolder(here)
	for _, test := range []struct {
		t    *Target
		f    result.Failure
		want string
	}{
		{c, result.Failure{Hint: "its own", Cause: "exit"}, "its own"},
		{c, result.Failure{Phase: "setup", Cause: "missing", Message: `program "x" is not found in PATH`}, "is it installed"},
		{c, result.Failure{Phase: "prepare", Cause: "exit"}, "run it by hand: cd /tmp/x && make"},
		{c, result.Failure{Phase: "conclude", Cause: "exit"}, "run it by hand: cd /tmp/x && clean"},
		{c, result.Failure{Phase: "run", Cause: "exit", Exit: &two}, "run it by hand: cd /tmp/x && work hard; if status 2 means success too: exit_codes: [0, 2]"},
		{typed, result.Failure{Phase: "run", Cause: "exit", Exit: &two}, "if status 2 means success too: exit_codes: [2, 7]"},
		{there, result.Failure{Phase: "run", Cause: "exit", Exit: &two}, `"input.txt" is not in main: git ignores it or does not know it, so let setup: or build: make it, or commit it`},
		{c, result.Failure{Phase: "prepare", Cause: "missing"}, "is it installed"},
		{c, result.Failure{Phase: "run", Cause: "timeout"}, "raise timeout"},
		{existing, result.Failure{Phase: "warmup", Cause: "error"}, "-benchtime=1x"},
		{fixed, result.Failure{Phase: "warmup", Cause: "error"}, "run it by hand: cd /tmp/x && go test '-run=^$' '-bench=^BenchmarkX$' -benchtime=100x -cpu=2"},
		{reads, result.Failure{Phase: "warmup", Cause: "error", Message: "BenchmarkX failed: x_test.go:5: open input.txt: no such file or directory"}, `"input.txt" is not in main: git ignores it`},
		{reads.Of, result.Failure{Phase: "warmup", Cause: "error", Message: "BenchmarkX failed: open input.txt: permission denied"}, "run it by hand: "},
		{reads, result.Failure{Phase: "warmup", Cause: "panic", Message: "open x.org/y/testdata/a: no such file or directory"}, "at the top of the suite file: toolchain: {flags: [-trimpath=false]}"},
		{c, result.Failure{Phase: "run", Cause: "signal"}, "run it by hand: cd /tmp/x && work hard"},
	} {
		if got := (advice{test.t, &test.f, 1}).hint(); !strings.Contains(got, test.want) {
			t.Errorf("%+v: hint %q, want %q", test.f, got, test.want)
		}
	}
	sized := advice{existing, &result.Failure{Phase: "warmup", Cause: "panic"}, 0}
	if got := sized.hint(); !strings.HasSuffix(got, "go test '-run=^$' '-bench=^BenchmarkX$' -cpu=2") {
		t.Errorf("hint %q, want no number of iterations before it is known", got)
	}
	if got := (advice{g, &result.Failure{Cause: "panic"}, 1}).hint(); got != "" {
		t.Errorf("hint %q for a panic", got)
	}
}
