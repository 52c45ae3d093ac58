package build

import (
	"bytes"
	"context"
	"debug/elf"
	"debug/gosym"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const twoFunctions = `
-- bench/bench.go --
REGISTER:bench
-- tested/tested_test.go --
package tested

import "testing"

func BenchmarkNothing(b *testing.B) {
	for b.Loop() {
	}
}
`

// A layout is the same source with its functions in another order: the same layout is
// the same program, another one is another, and all register what the first does.
func TestLink(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := offline(tree(t, twoFunctions), "./bench")
	first, err := Host(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Packages = []string{"./tested"}
	tests, err := Tests(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for name, program := range map[string]struct {
		link  func(ctx context.Context, layout Layout, target string) error
		again func() *relink
		args  []string
		want  string
	}{
		"host": {first.Link, func() *relink { return first.direct }, []string{"-h"}, "is a host"},
		"test": {tests[0].Link, func() *relink { return tests[0].direct }, []string{"-test.list=."}, "BenchmarkNothing"},
	} {
		dir := t.TempDir()
		paths := map[string]string{}
		layouts := map[string]Layout{"a": {7, 1, 0}, "b": {8, 1, 1}, "c": {7, 1, 0}, "d": {7, 2, 2}}
		for file, layout := range layouts {
			paths[file] = filepath.Join(dir, file)
			if err := program.link(context.Background(), layout, paths[file]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if said, _ := exec.Command(paths[file], program.args...).CombinedOutput(); !strings.Contains(string(said), program.want) {
				t.Errorf("%s in layout %v says %q", name, layout, said)
			}
		}
		a, b, c := read(t, paths["a"]), read(t, paths["b"]), read(t, paths["c"])
		if a == b || a != c {
			t.Errorf("%s: two layouts are one program, or one layout is two", name)
		}
		if runtime.GOOS != "linux" {
			continue
		}
		if program.again() == nil || !program.again().places {
			t.Fatalf("%s: go links every layout, which takes twice as long and leaves it to chance where functions start: %+v", name,
				program.again())
		}
		for file, layout := range layouts {
			if share := misplaced(t, paths[file], layout.Start); share > 0.05 {
				t.Errorf("%s in layout %v: %.0f%% of the functions start elsewhere", name, layout, 100*share)
			}
		}
		// Each byte by which data are moved moves constants by an odd number of bytes, so that they can be anywhere in a page.
		stays, moved, farther := textAt(t, paths["a"], program.want), textAt(t, paths["b"], program.want), textAt(t, paths["d"], program.want)
		if (moved-stays)%2 != 1 || (farther-moved)%2 != 1 {
			t.Errorf("%s: a text is at %x, moved to %x and %x", name, stays, moved, farther)
		}
		x, y := functionsOf(t, paths["a"]), functionsOf(t, paths["b"])
		if slices.Equal(x, y) || !slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))) {
			t.Errorf("%s: %d and %d functions, in the same order or not the same ones", name, len(x), len(y))
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// functionsOf lists the functions of a program in the order in which they lie in it.
func functionsOf(t *testing.T, path string) (names []string) {
	t.Helper()
	for _, f := range tableOf(t, path).Funcs {
		if !strings.Contains(f.Name, "go:") { // padding and data of the linker
			names = append(names, f.Name)
		}
	}
	return names
}

// misplaced is the share of functions that do not start where a layout wants them within 64 bytes. Some of the runtime's are
// aligned to 64 bytes by their source.
func misplaced(t *testing.T, path string, start int) float64 {
	t.Helper()
	alignment := map[string]int{"amd64": 32, "386": 16, "arm64": 16}[runtime.GOARCH]
	all, elsewhere := tableOf(t, path).Funcs, 0
	for _, f := range all {
		if alignment > 0 && int(f.Entry)%64 != start*alignment%64 {
			elsewhere++
		}
	}
	return float64(elsewhere) / float64(len(all))
}

// textAt is the address of a constant of a program.
func textAt(t *testing.T, path, text string) uint64 {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	section := f.Section(".rodata")
	constants, err := section.Data()
	at := bytes.Index(constants, []byte(text))
	if err != nil || at < 0 {
		t.Fatalf("%s does not contain %q: %v", path, text, err)
	}
	return section.Addr + uint64(at)
}

func tableOf(t *testing.T, path string) *gosym.Table {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := f.Section(".gopclntab").Data()
	if err != nil {
		t.Fatal(err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, f.Section(".text").Addr))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The next run links a program as the one before has found out, without go, and finds it out again if that fails.
func TestTheNextRunLinksAtOnce(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("long, and for a linker that places functions")
	}
	r := offline(tree(t, twoFunctions), "./tested")
	dir := t.TempDir()
	layout := Layout{7, 1, 3}
	var first string
	for run, c := range []struct {
		saved string // in place of what is kept
		goes  bool   // go is there
	}{
		{goes: true}, {}, {saved: `{"Argv": ["/bin/false"]}`, goes: true}, {}, {saved: `{`}, {saved: "{", goes: true}, {},
	} {
		tests, err := Tests(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		l := &tests[0].linked
		kept := filepath.Join(l.request.keptRelink(l.program), savedName)
		if c.saved != "" {
			write(t, kept, c.saved)
		}
		if !c.goes {
			l.request.tool.path = filepath.Join(dir, "go")
		}
		target := filepath.Join(dir, strconv.Itoa(run))
		err = tests[0].Link(t.Context(), layout, target)
		if run == 0 {
			first = read(t, target)
		}
		if c.saved != "" && !c.goes {
			if err == nil {
				t.Errorf("run %d links without go and without what is kept", run)
			}
			continue
		}
		if err != nil || read(t, target) != first {
			t.Errorf("run %d: error %v, or another program than in the first", run, err)
		}
	}
}

// A linker whose source is another is not built, and what no linker puts in place is linked all the same.
func TestLinkersThatCannotPlaceFunctions(t *testing.T) {
	root := t.TempDir()
	source := filepath.Join(root, filepath.FromSlash(linkerSource))
	b := &building{Request: Request{Cache: t.TempDir()}, tool: tool{path: "go"}}
	linker := filepath.Join(root, "pkg", "tool", "any", "link")
	for _, step := range []struct {
		linker string
		file   string // written before
		text   string
		want   string
	}{
		{"/usr/bin/link", "", "", "in no folder of a release"},
		{linker, "", "", "data.go"},
		{linker, source, "package ld\n", "VERSION"},
		{linker, filepath.Join(root, "VERSION"), "go9", "not known"},
		{linker, source, "package ld\n" + alignedAddress + alignedAddress, "not known"},
		{linker, source, "package ld\n" + alignedAddress, "not known"},
		{linker, source, "package ld\n" + alignedAddress + alignedData, "cannot run"},
	} {
		if step.file != "" {
			if err := errors.Join(os.MkdirAll(filepath.Dir(step.file), 0o755), os.WriteFile(step.file, []byte(step.text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		r := &relink{argv: []string{step.linker}}
		if p, err := r.placing(t.Context(), b); p != nil || err == nil || !strings.Contains(err.Error(), step.want) {
			t.Errorf("%s, %s: %+v, error %v, want %q", step.linker, step.file, p, err, step.want)
		}
	}
}

// Flags of the linker that the user gives stay what they are.
func TestLinkKeepsTheFlagsOfTheLinker(t *testing.T) {
	r := offline(tree(t, twoFunctions), "./bench")
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "-ldflags=-w -randlayout=7"},
		{[]string{"-ldflags=-X=a.b=c"}, "-ldflags=-X=a.b=c -w -randlayout=7"},
		{[]string{"--ldflags=all=-r=x"}, "-ldflags=all=-r=x -w -randlayout=7"},
		{[]string{"-ldflags="}, "-ldflags=-w -randlayout=7"},
	} {
		r.Flags = c.flags
		b, err := begin(r)
		if err != nil {
			t.Fatal(err)
		}
		flags, err := b.relaid(7)
		if err != nil || !slices.Contains(flags, c.want) || strings.Count(strings.Join(flags, " "), "ldflags") != 1 {
			t.Errorf("%q: %q, error %v", c.flags, flags, err)
		}
	}
}

// Whatever stands against a layout is named; an interrupt is an interrupt.
func TestLinkSaysWhyThereIsNoLayout(t *testing.T) {
	r := offline(tree(t, twoFunctions), "./bench")
	target := filepath.Join(t.TempDir(), "target")
	program, err := Host(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := program.Link(ctx, Layout{Order: 7}, target); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	program.request.flags = append(program.request.flags, "-ldflags=-nonsense")
	if err := program.Link(context.Background(), Layout{Order: 7}, target); !errors.Is(err, ErrNoLayout) || !strings.Contains(err.Error(), "the linker refuses it") {
		t.Errorf("with a flag that the linker does not know: %v", err)
	}
	r.Env = append(r.Env, "GOFLAGS=-ldflags=-r=x")
	program, err = Host(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Link(context.Background(), Layout{Order: 7}, target); !errors.Is(err, ErrNoLayout) || !strings.Contains(err.Error(), "GOFLAGS contains -ldflags") {
		t.Errorf("with -ldflags in GOFLAGS: %v", err)
	}
}

// A linker that keeps the order is found out at its second layout.
func TestLinkFindsLayoutsThatAreOne(t *testing.T) {
	same := filepath.Join(t.TempDir(), "same")
	if err := os.WriteFile(same, []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := &linked{}
	if err := l.differs(7, same); err != nil {
		t.Errorf("the first layout: %v", err)
	}
	if err := l.differs(7, same); err != nil {
		t.Errorf("the first layout again: %v", err)
	}
	if err := l.differs(8, same); !errors.Is(err, ErrNoLayout) {
		t.Errorf("another layout with the same order: %v", err)
	}
}
