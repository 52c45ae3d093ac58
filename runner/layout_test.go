package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
)

// Each launch of two trees runs both sides from new files, in layouts that follow
// from the seed, and the result records that.
func TestEachLaunchHasLayoutsOfItsOwn(t *testing.T) {
	log := filepath.Join(t.TempDir(), "images")
	t.Setenv(imagesVariable, log)
	var linked []int64
	var mu sync.Mutex
	plan := against(function("tree/step"))
	c := runTrees(t, plan, func(o *Options) {
		o.Host, o.HostOf = hostArgv(t, "fake"), otherHost(plan, hostArgv(t, "old")) // which know their files
		o.Link = func(_ context.Context, program string, layout draw.Layout, target string) error {
			mu.Lock()
			linked = append(linked, layout.Order)
			mu.Unlock()
			return os.Link(program, target)
		}
	})[0]
	if c.Status != result.Measured || c.Launches != 9 || len(c.Pairs.Layouts) != 9 || c.Observation() != result.PerLaunch {
		t.Fatalf("%d layouts in %d launches, a %s is an observation, failure %+v", len(c.Pairs.Layouts), c.Launches, c.Observation(), c.Failure)
	}
	for i, l := range c.Pairs.Layouts {
		want := result.Layout{Launch: i, Draw: i, Case: draw.Seed{3}.Layout("test", i).Order, Base: draw.Seed{3}.Layout("test", i).Order}
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
		o.Steer = after(12)
		o.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			clock = clock.Add(time.Millisecond)
			return clock
		}
		o.Link = func(_ context.Context, program string, _ draw.Layout, target string) error {
			mu.Lock()
			defer mu.Unlock()
			clock = clock.Add(50 * time.Millisecond)
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

// max_time is the time of both sides, of their links and of the starts of their launches. The
// last round may pass it.
func TestMaxTimeIncludesLinksAndStarts(t *testing.T) {
	t.Parallel()
	const limit, link = time.Second, 100 * time.Millisecond
	var mu sync.Mutex
	clock := time.Now()
	var first, last time.Time // of the links
	brief := func(c *spec.Case) {
		gated(c)
		c.Settings.MaxTime, c.Settings.SamplesMax = spec.Duration(limit), 1e6
	}
	c := runTrees(t, against(function("tree/step", brief)), func(o *Options) {
		o.Steer = always{open: 1}
		o.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			clock = clock.Add(time.Millisecond)
			return clock
		}
		o.Link = func(_ context.Context, program string, _ draw.Layout, target string) error {
			mu.Lock()
			defer mu.Unlock()
			if first.IsZero() {
				first = clock
			}
			clock = clock.Add(link)
			last = clock
			return os.Link(program, target)
		}
	})[0]
	if c.Stop != result.StopMaxTime || c.Launches < 3 || len(c.Pairs.Layouts) < 3 || last.Sub(first) > limit*6/5 || clock.Sub(first) < limit/2 {
		t.Errorf("stopped by %q after %d launches in %d layouts, %v for links and %v in all; failure %+v", c.Stop, c.Launches, len(c.Pairs.Layouts), last.Sub(first), clock.Sub(first), c.Failure)
	}
}

// A program that cannot be linked is measured all the same, with a warning, and its
// comparison is none of layouts that were drawn.
func TestAFixedLayoutIsSaid(t *testing.T) {
	t.Parallel()
	c := runTrees(t, against(function("tree/step")), func(o *Options) {
		o.Link = func(context.Context, string, draw.Layout, string) error {
			return errors.New("GOFLAGS contains -ldflags")
		}
	})[0]
	at := slices.IndexFunc(c.Warnings, func(w result.Warning) bool { return w.Code == "fixed-layout" })
	if c.Status != result.Measured || c.Pairs.AreDrawn() || at < 0 || !strings.Contains(c.Warnings[at].Message, "GOFLAGS contains -ldflags") {
		t.Errorf("drawn: %t, warnings %+v, failure %+v", c.Pairs.AreDrawn(), c.Warnings, c.Failure)
	}
}

// A case and its base in one program get new launches too, in one file for both.
func TestABaseInTheSameProgramHasLayoutsToo(t *testing.T) {
	t.Parallel()
	list := []spec.Case{function("fake/1us", basedOn("fake/4ns")), function("fake/4ns")}
	plan := &spec.Plan{Suite: "test", Dir: os.TempDir(), Cases: list, Packages: &spec.Packages{}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Seed: draw.Seed{3}, Now: still(),
		HostOf: func(*spec.Plan) []string { return hostArgv(t, "fake") },
		Link: func(_ context.Context, program string, _ draw.Layout, target string) error {
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
