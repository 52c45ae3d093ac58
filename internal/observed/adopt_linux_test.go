package observed

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/suite/internal/observe"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// revisions makes trees of suite's own, which have the same files, and returns their folders.
func revisions(t *testing.T, o *Observer, names ...string) (roots []string) {
	t.Helper()
	for _, name := range names {
		root := filepath.Join(real(o.Cache), "tree", name, "tree", "project")
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "words"), []byte("one two"), 0o644); err != nil {
			t.Fatal(err)
		}
		roots = append(roots, root)
	}
	return roots
}

// benchmark is one of a program that takes samples of all its benchmarks.
func benchmark(name, root, program string) *spec.Case {
	return &spec.Case{Name: name, Kind: result.KindGoTest, Cwd: root,
		GoTest: &spec.GoTest{Benchmark: "Benchmark" + name, Dir: root, Program: program, Serves: true}}
}

// What two benchmarks were observed to look at in one process counts for each of them in a tree that is proved to be
// the same, as long as all of it is there. Nothing can be run here: that would need a host, and would panic.
func TestObservationsAreAdopted(t *testing.T) {
	t.Parallel()
	first, _, _, _ := remembering(t)
	roots := revisions(t, first, "1", "2", "3")
	base, next, other := roots[0], roots[1], roots[2]
	here := t.TempDir() // the user's tree, of the same content as next
	plan := &spec.Plan{Dir: base, HostDir: base}
	own, later := &spec.Plan{Dir: here, HostDir: here}, &spec.Plan{Dir: next, HostDir: next}
	cases := []*spec.Case{benchmark("A", base, "/cache/1/test-old"), benchmark("B", base, "/cache/1/test-old")}
	record := &observe.Record{Files: []observe.Access{
		{Path: base, Use: observe.List}, {Path: filepath.Join(base, "words"), Use: observe.Read},
		{Path: filepath.Join(base, "go.mod"), Use: observe.Missing},
		{Path: filepath.Join(filepath.Dir(base), "go.work"), Use: observe.Missing}}}
	of := first.nameOf(base)
	first.groups = map[*spec.Case]*group{}
	g := &group{cases: cases, shows: true, place: first.place(plan, of, cases...)}
	first.groups[cases[0]], first.groups[cases[1]] = g, g
	first.keep(g.place, of, record, nil, time.Now().Add(time.Hour))
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(g.place, before, before); err != nil {
		t.Fatal(err)
	}
	g.state = stateIn(g.place)
	if a, b := first.State(plan, cases[0], base), first.State(plan, cases[1], base); a == b || a == "" || b == "" {
		t.Errorf("cases of a group have the states %q and %q", a, b)
	}
	state := first.Adopt(plan, cases[0], base, own, benchmark("A", here, "/cache/2/test-new"), here)
	if state == "" {
		t.Fatal("nothing was adopted")
	}

	// each of the following runs of suite has its own observer
	again := func(c *spec.Case, base string) (*Observer, *keptCase) {
		o := &Observer{Host: first.Host, Binaries: first.Binaries, HostOf: first.HostOf, Cache: first.Cache}
		return o, o.keptOf(t.Context(), later, c, base, here)
	}
	if err := os.WriteFile(filepath.Join(here, "words"), []byte("one two"), 0o644); err != nil {
		t.Fatal(err)
	}
	a := benchmark("A", next, "/cache/3/test-new")
	o, k := again(a, next)
	if k == nil || k.why != nil || !slices.Equal(k.reads, []string{"words"}) || o.State(later, a, next) != state {
		t.Fatalf("%+v, its state was %s", k, state)
	}
	if info, err := os.Stat(k.place); err != nil || !info.ModTime().Equal(before) {
		t.Errorf("it is as old as %v, %v; it was observed at %v", info, err, before)
	}
	if g := o.groupOf(benchmark("C", next, a.GoTest.Program), []*spec.Case{a}); g != nil {
		t.Errorf("what is known is observed again: %+v", g)
	}
	for name, c := range map[string]*spec.Case{
		"another benchmark": benchmark("B", next, "/cache/3/test-new"),
		"another program":   benchmark("A", next, "/cache/3/test-newer"),
	} {
		if _, k := again(c, next); k != nil {
			t.Errorf("%s has the record of the first", name)
		}
	}

	// The same is true of the same program in a third tree, until the tree has something else.
	later = &spec.Plan{Dir: other, HostDir: other}
	c := benchmark("A", other, "/cache/4/test-new")
	if _, k := again(c, other); k == nil {
		t.Error("it does not count in a tree of the same content")
	}
	for _, path := range []string{"go.mod", "../go.work", "words"} {
		if err := os.WriteFile(filepath.Join(other, path), []byte("one six"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, k := again(c, other); k != nil {
			t.Errorf("it counts although %s is another", path)
		}
		if path != "words" {
			os.Remove(filepath.Join(other, path))
		}
	}

	// What several look at shows nothing of one of them if this tree differs.
	if err := os.WriteFile(filepath.Join(here, "words"), []byte("one six"), 0o644); err != nil {
		t.Fatal(err)
	}
	later = &spec.Plan{Dir: next, HostDir: next}
	if _, k := again(a, next); k != nil {
		t.Errorf("%+v: another of them may have read what differs", k)
	}
}
