package build

import (
	"context"
	"debug/elf"
	"slices"
	"strings"
	"testing"
)

// valgrind reads all that a program has for debuggers when it starts it, and needs only the names of functions. Options of
// the user are kept.
func TestTestBinariesHaveNothingForDebuggers(t *testing.T) {
	dir := tree(t, "-- go.mod --\nmodule lean\n\ngo 1.24\n-- lean_test.go --\n"+`package lean

import "testing"

var from = "the source"

func BenchmarkFrom(b *testing.B) { b.Log(from) }
`)
	const sets = "-ldflags=-X=lean.from=an-option-of-the-user"
	for what, c := range map[string]struct {
		flag, goflags string
		lean, set     bool
	}{
		"no option":            {"-buildvcs=false", "-mod=mod", true, false},
		"an option":            {sets, "-mod=mod", true, true},
		"an option in GOFLAGS": {"-buildvcs=false", "-mod=mod " + sets, false, true},
	} {
		r := offline(dir, ".")
		r.Flags, r.Env = []string{"-trimpath", c.flag}, append(slices.Clone(r.Env), "GOFLAGS="+c.goflags)
		tests, err := Tests(context.Background(), r)
		if err != nil {
			t.Fatal(what, err)
		}
		program, err := elf.Open(tests[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := program.Symbols()
		named := slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == "lean.BenchmarkFrom" })
		if lean := program.Section(".debug_line") == nil; err != nil || !named || lean != c.lean {
			t.Errorf("%s: %v; it has nothing for debuggers: %v, names: %v", what, err, lean, named)
		}
		if set := strings.Contains(read(t, tests[0].Path), "an-option-of-the-user"); set != c.set {
			t.Errorf("%s: it is used: %v", what, set)
		}
		program.Close()
	}
}
