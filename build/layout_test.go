package build

import (
	"context"
	"debug/elf"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const twoFunctions = `
-- bench/bench.go --
REGISTER:bench
`

// The second build is another program of the same source: it registers the same
// functions, and where they lie is drawn from the first one, the same way every time.
func TestAgainIsTheSameSourceInAnotherOrder(t *testing.T) {
	r := offline(tree(t, twoFunctions), "./bench")
	first, err := Host(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Again(context.Background(), r, first)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash == first.Hash {
		t.Error("both builds are one program")
	}
	names, err := again.Functions(context.Background())
	if err != nil || !slices.Equal(names, []string{"bench"}) {
		t.Errorf("it registers %q, error %v", names, err)
	}
	if runtime.GOOS == "linux" {
		if a, b := functionsOf(t, first.Path), functionsOf(t, again.Path); slices.Equal(a, b) || !slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))) {
			t.Errorf("%d and %d functions, in the same order or not the same ones", len(a), len(b))
		}
	}
	third, err := Again(context.Background(), r, first)
	if err != nil || third.Hash != again.Hash || !third.Cached {
		t.Errorf("once more it is %+v, error %v", third, err)
	}
}

// functionsOf are the functions of a program that the user and suite wrote, in the order
// in which they lie in it.
func functionsOf(t *testing.T, path string) (names []string) {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(symbols, func(a, b elf.Symbol) int { return int(int64(a.Value) - int64(b.Value)) })
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && strings.HasPrefix(s.Name, "example.com/suite/host") {
			names = append(names, s.Name)
		}
	}
	return names
}

// Flags of the linker that the user gives stay what they are in the second build.
func TestAgainKeepsTheFlagsOfTheLinker(t *testing.T) {
	r := offline(tree(t, twoFunctions), "./bench")
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "-ldflags=-randlayout=7"},
		{[]string{"-ldflags=-s -w"}, "-ldflags=-s -w -randlayout=7"},
		{[]string{"--ldflags=all=-s"}, "-ldflags=all=-s -randlayout=7"},
		{[]string{"-ldflags="}, "-ldflags=-randlayout=7"},
	} {
		r.Flags = c.flags
		b, err := begin(r)
		if err == nil {
			err = b.relaid(context.Background(), 7)
		}
		if err != nil || !slices.Contains(b.flags, c.want) || strings.Count(strings.Join(b.flags, " "), "ldflags") != 1 {
			t.Errorf("%q: %q, error %v", c.flags, b.flags, err)
		}
	}
	r.Flags, r.Env = nil, append(r.Env, "GOFLAGS=-ldflags=-s")
	if _, err := Again(context.Background(), r, &Program{Hash: strings.Repeat("0a", 32)}); !errors.Is(err, ErrNoLayout) || !strings.Contains(err.Error(), "GOFLAGS holds -ldflags") {
		t.Errorf("with -ldflags in GOFLAGS: %v", err)
	}
}

// What the linker refuses is no second build; an interrupt is an interrupt.
func TestAgainSaysWhyThereIsNoSecondBuild(t *testing.T) {
	r := offline(tree(t, twoFunctions), "./bench")
	first := &Program{Hash: strings.Repeat("0a", 32)}
	r.Flags = []string{"-ldflags=-nonsense"}
	if _, err := Again(context.Background(), r, first); !errors.Is(err, ErrNoLayout) || !strings.Contains(err.Error(), "the linker refuses it") {
		t.Errorf("with a flag that the linker does not know: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Again(ctx, r, first); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
