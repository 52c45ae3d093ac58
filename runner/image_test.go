package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
)

// linker writes programs that are the text of their layout, and counts its calls.
type linker struct {
	mu     sync.Mutex
	calls  []string
	size   int    // of each program, bytes; 0: that of the text
	refuse string // program that cannot be linked
}

func (l *linker) link(_ context.Context, program string, layout int64, target string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, filepath.Base(program)+" "+strconv.FormatInt(layout, 10))
	if filepath.Base(program) == l.refuse {
		return errors.New("the linker refuses it")
	}
	if err := os.WriteFile(target, []byte(strconv.FormatInt(layout, 10)), 0o755); err != nil || l.size == 0 {
		return err
	}
	return os.Truncate(target, int64(l.size)) // without text, which takes no room on the disk
}

func programs(t *testing.T, names ...string) (paths []string) {
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o755); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// A launch never gets a file that another one had: the linked one first, copies of it
// later, and each layout is linked once.
func TestImagesAreFresh(t *testing.T) {
	l, p := &linker{}, programs(t, "a", "b")
	s := newImages(l.link, &Binaries{})
	a, b := programImage{p[0], 1}, programImage{p[1], 2}
	if err := s.linkAll(t.Context(), []programImage{a, b, a}); err != nil {
		t.Fatal(err)
	}
	if err := s.linkAll(t.Context(), []programImage{b, a}); err != nil || len(l.calls) != 2 {
		t.Errorf("linked %q, error %v", l.calls, err)
	}
	seen := map[string]bool{}
	for range 3 {
		for _, i := range []programImage{a, b} {
			path, err := s.fresh(i)
			text, _ := os.ReadFile(path)
			if err != nil || seen[path] || string(text) != strconv.FormatInt(i.layout, 10) {
				t.Errorf("%s holds %q, seen before: %t, error %v", path, text, seen[path], err)
			}
			seen[path] = true
		}
	}
	s.remove()
	for path := range seen {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
}

// A program that cannot be linked is copied, so that its file is new at least, and is not
// tried again.
func TestImagesOfAFixedLayoutAreCopies(t *testing.T) {
	l, p := &linker{refuse: "a"}, programs(t, "a")
	s := newImages(l.link, &Binaries{})
	for layout := range int64(3) {
		i := programImage{p[0], layout + 1}
		err := s.linkAll(t.Context(), []programImage{i})
		path, copied := s.fresh(i)
		text, _ := os.ReadFile(path)
		if err != nil || copied != nil || path == p[0] || string(text) != "a" {
			t.Errorf("%s holds %q, errors %v and %v", path, text, err, copied)
		}
	}
	if len(l.calls) != 1 || s.fixed[p[0]] != "the linker refuses it" {
		t.Errorf("tried %d times: %q", len(l.calls), s.fixed[p[0]])
	}
	s.remove()
}

// Files are kept up to a number of bytes; what was removed is linked again.
func TestImagesAreBounded(t *testing.T) {
	t.Parallel()
	l, p := &linker{size: mostImageBytes / filesInUse / 3}, programs(t, "a")
	s := newImages(l.link, &Binaries{})
	defer s.remove()
	const links = 5 * filesInUse
	for layout := range int64(links) {
		if err := s.linkAll(t.Context(), []programImage{{p[0], layout + 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if s.bytes > mostImageBytes || s.bytes < mostImageBytes/2 {
		t.Errorf("%d bytes are kept", s.bytes)
	}
	if err := s.linkAll(t.Context(), []programImage{{p[0], 1}}); err != nil || len(l.calls) != links+1 {
		t.Errorf("%d links, error %v", len(l.calls), err)
	}
}

// If there is no room for a file, the launch runs from one that there is.
func TestImagesWithoutRoom(t *testing.T) {
	s := newImages((&linker{}).link, &Binaries{})
	gone := programImage{filepath.Join(t.TempDir(), "gone", "program"), 1}
	if err := s.linkAll(t.Context(), []programImage{gone}); err != nil {
		t.Fatal(err)
	}
	if path, err := s.fresh(gone); err == nil || path != gone.program {
		t.Errorf("%s, error %v", path, err)
	}
}

// Two programs with the same bytes are linked once: the second side runs from a copy.
func TestEqualProgramsAreLinkedOnce(t *testing.T) {
	dir := t.TempDir()
	var programs []string
	for name, text := range map[string]string{"base": "same", "case": "same", "other": "different"} {
		programs = append(programs, filepath.Join(dir, name))
		if err := os.WriteFile(programs[len(programs)-1], []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l := &linker{}
	s := newImages(l.link, &Binaries{})
	defer s.remove()
	var wanted []programImage
	for _, program := range programs {
		wanted = append(wanted, programImage{s.original(program), 1})
	}
	if err := s.linkAll(t.Context(), wanted); err != nil || len(l.calls) != 2 {
		t.Fatalf("links %v, error %v, want two", l.calls, err)
	}
	paths := map[string]bool{}
	for _, i := range wanted {
		path, err := s.fresh(i)
		if err != nil || paths[path] {
			t.Errorf("%s ran before, or error %v", path, err)
		}
		paths[path] = true
	}
}

// A program whose hash the build knows is not read to find that out.
func TestEqualProgramsAreKnownByTheirHashes(t *testing.T) {
	var sums Binaries
	sums.Add("/no/such/base", hashPrefix+"aa")
	sums.Add("/no/such/case", hashPrefix+"aa")
	s := newImages(nil, &sums)
	for _, program := range []string{"/no/such/base", "/no/such/case"} {
		if got := s.original(program); got != "/no/such/base" {
			t.Errorf("%s is linked as %s", program, got)
		}
	}
}

// Each launch of two trees runs both sides from new files, in layouts that follow
// from the seed, and the result records that.
func TestEachLaunchHasLayoutsOfItsOwn(t *testing.T) {
	log := filepath.Join(t.TempDir(), "images")
	t.Setenv(imagesVariable, log)
	var linked []int64
	var mu sync.Mutex
	c := runTrees(t, against(function("tree/step")), func(o *Options) {
		o.Link = func(_ context.Context, program string, layout int64, target string) error {
			mu.Lock()
			linked = append(linked, layout)
			mu.Unlock()
			return os.Link(program, target)
		}
	})[0]
	if c.Status != result.Measured || c.Launches != 9 || len(c.Pairs.Layouts) != 9 || c.Observation() != result.PerLaunch {
		t.Fatalf("%d layouts in %d launches, a %s is an observation, failure %+v", len(c.Pairs.Layouts), c.Launches, c.Observation(), c.Failure)
	}
	for i, l := range c.Pairs.Layouts {
		want := result.Layout{Launch: i, Draw: i, Case: draw.Seed{3}.Layout("test", i), Base: draw.Seed{3}.Layout("test", i)}
		if l != want || !slices.Contains(linked, l.Case) || !slices.Contains(linked, l.Base) {
			t.Errorf("launch %d has %+v, want %+v, linked %v", i, l, want, linked)
		}
	}
	text, _ := os.ReadFile(log)
	files := strings.Fields(string(text))
	slices.Sort(files)
	if n := len(slices.Compact(slices.Clone(files))); n != 18 || len(files) != 18 {
		t.Errorf("%d hosts ran from %d files", len(files), n)
	}
}

// Links that take far longer than launches serve several of these, which are one
// observation then.
func TestALayoutThatTakesLongServesSeveralLaunches(t *testing.T) {
	t.Parallel()
	clock := time.Now()
	var mu sync.Mutex
	patient := func(c *spec.Case) {
		gated(c)
		c.Settings.MaxTime = spec.Duration(time.Hour)
	}
	c := runTrees(t, against(function("tree/step", patient)), func(o *Options) {
		o.Steer = after(40)
		o.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			clock = clock.Add(time.Millisecond)
			return clock
		}
		o.Link = func(_ context.Context, program string, _ int64, target string) error {
			mu.Lock()
			defer mu.Unlock()
			clock = clock.Add(300 * time.Millisecond)
			return os.Link(program, target)
		}
	})[0]
	n := len(c.Pairs.Layouts)
	if c.Status != result.Measured || n >= c.Launches || c.Observation() != result.PerLayout || n < 2 {
		t.Fatalf("%d layouts in %d launches, a %s is an observation, failure %+v", n, c.Launches, c.Observation(), c.Failure)
	}
	draws := c.Pairs.Draws(c.Samples.Launch)
	if draws[0] != 0 || draws[len(draws)-1] != n-1 || !slices.IsSorted(draws) {
		t.Errorf("the pairs belong to layouts %v", draws)
	}
}

// A program that cannot be linked is measured all the same, with a warning, and its
// comparison is none of layouts that were drawn.
func TestAFixedLayoutIsSaid(t *testing.T) {
	c := runTrees(t, against(function("tree/step")), func(o *Options) {
		o.Link = func(context.Context, string, int64, string) error { return errors.New("GOFLAGS contains -ldflags") }
	})[0]
	at := slices.IndexFunc(c.Warnings, func(w result.Warning) bool { return w.Code == "fixed-layout" })
	if c.Status != result.Measured || c.Pairs.AreDrawn() || at < 0 || !strings.Contains(c.Warnings[at].Message, "GOFLAGS contains -ldflags") {
		t.Errorf("drawn: %t, warnings %+v, failure %+v", c.Pairs.AreDrawn(), c.Warnings, c.Failure)
	}
}

// A case and its base in one program get new launches too, in one file for both.
func TestABaseInTheSameProgramHasLayoutsToo(t *testing.T) {
	list := []spec.Case{function("fake/1us", basedOn("fake/4ns")), function("fake/4ns")}
	plan := &spec.Plan{Suite: "test", Dir: os.TempDir(), Cases: list, Packages: &spec.Packages{}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Seed: draw.Seed{3}, Now: still(),
		HostOf: func(*spec.Plan) []string { return hostArgv(t, "fake") },
		Link: func(_ context.Context, program string, _ int64, target string) error {
			return os.Link(program, target)
		}})
	c := &doc.Cases[0]
	if c.Status != result.Measured || c.Launches != 9 || len(c.Pairs.Layouts) != 9 || !c.Pairs.AreDrawn() || doc.Cases[1].Launches != 1 {
		t.Errorf("%d layouts in %d launches, the base alone has %d, failure %+v", len(c.Pairs.Layouts), c.Launches, doc.Cases[1].Launches, c.Failure)
	}
	for _, l := range c.Pairs.Layouts {
		if l.Case != l.Base {
			t.Errorf("one program has two layouts: %+v", l)
		}
	}
}

// still is a clock that does not advance.
func still() func() time.Time {
	now := time.Now()
	return func() time.Time { return now }
}
