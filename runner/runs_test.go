package runner

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/runner/record"
	"example.com/suite/spec"
)

// hanging is a command that hangs in the given runs, counted from 1. The others take
// almost no time, a hundredth of the timeout.
func hanging(t *testing.T, runs string, change ...func(*spec.Case)) spec.Case {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	return program("hangs", []string{"sh", "-c", "test ! -e hang || { echo stuck >&2; exec sleep 1000; }"}, func(c *spec.Case) {
		c.Cwd, c.Settings.Timeout, c.Settings.MaxTime = dir, spec.Duration(time.Second), spec.Duration(time.Hour)
		c.Prepare = &spec.Hook{Argv: []string{"sh", "-c", `
			echo x >> runs; n=$(wc -l < runs); rm -f hang
			case " ` + runs + ` " in *" $((n)) "*) : > hang;; esac`}}
		for _, f := range change {
			f(c)
		}
	})
}

func TestACommandThatHangsAtTimesIsMeasured(t *testing.T) {
	t.Parallel()
	plan := &spec.Plan{Suite: "test", File: "test.yaml", Dir: t.TempDir(), OnInconclusive: "list", Cases: []spec.Case{hanging(t, "4 9")}}
	path := filepath.Join(t.TempDir(), "journal")
	doc, text := runJournalled(t, context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real"), Seed: draw.Seed{7}}, path, false)
	valid(t, doc)
	c := doc.Cases[0]
	if c.Status != result.Measured || c.Samples.Len() != 20 || !slices.Equal(c.Samples.Censored, []int{3, 8}) {
		t.Fatalf("status %s, failure %+v, %d samples, %v censored", c.Status, c.Failure, c.Samples.Len(), c.Samples.Censored)
	}
	s, rate, exit := c.Summary("time"), c.Summary("throughput"), c.Summary("exit_code")
	if s.Median >= 1 || s.Bounded("median") != 0 || s.Max != 1 || s.Bounded("max") != 1 || s.Bounded("mean") != 1 || s.Censored != 2 {
		t.Errorf("time %+v", s)
	}
	if rate.Bounded("min") != -1 || rate.Min != 1 || rate.Bounded("max") != 0 || rate.Bounded("mean") != -1 {
		t.Errorf("throughput %+v", rate)
	}
	if finished := c.Samples.Columns["exit_code"].Present(); len(finished) != 18 || exit.Censored != 0 || !exit.Exact {
		t.Errorf("exit status %+v", exit)
	}
	for _, d := range c.Samples.Disturbed {
		if d.Index == 3 || d.Index == 8 {
			t.Errorf("sample %d is a bound, and disturbed: %s", d.Index, d.Cause)
		}
	}
	// What the journal had before the case was finished brings all of it back.
	lines := bytes.SplitAfter(text, []byte("\n"))
	final := slices.IndexFunc(lines, func(line []byte) bool {
		return bytes.Contains(line, []byte(`"case":{"suite"`)) && !bytes.Contains(line, []byte(`"block":{`))
	})
	if err := os.WriteFile(path, bytes.Join(lines[:final], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	had := pastOf(t, path).Cases[record.KeyOf(&c)]
	back := newTrack(plan, &plan.Cases[0])
	back.restore(had)
	if s := &back.result.Samples; s.Len() != 20 || !slices.Equal(s.Censored, c.Samples.Censored) || back.own.series.Runs != 20 || back.own.series.Killed != 2 || back.own.series.Said != "stuck" {
		t.Errorf("%d samples, %v censored, %d runs, %d killed, last words %q", s.Len(), s.Censored, back.own.series.Runs, back.own.series.Killed, back.own.series.Said)
	}
}

func TestACommandThatAlwaysHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	always := func(max time.Duration) spec.Case {
		return program("hangs", []string{"sleep", "1000"}, func(c *spec.Case) {
			c.Settings.Timeout, c.Settings.MaxTime = spec.Duration(50*time.Millisecond), spec.Duration(max)
		})
	}
	warm := always(time.Millisecond)
	warm.Settings.Warmup = 1
	for _, test := range []struct {
		of      spec.Case
		samples int
		says    string
		phase   string
	}{
		{always(time.Hour), 5, "5 of 5 runs were killed after the timeout of 50ms", "run"},
		{always(time.Millisecond), 1, "killed after the timeout of 50ms", "run"},
		{warm, 0, "killed after the timeout of 50ms", "warmup"},
	} {
		got := runCases(t, context.Background(), "real", test.of)[0]
		if f := got.Failure; f == nil || f.Cause != "timeout" || f.Message != test.says || string(f.Phase) != test.phase || !strings.Contains(f.Hint, "raise timeout") {
			t.Errorf("failure %+v, want %q", f, test.says)
		}
		if got.Samples.Len() != test.samples {
			t.Errorf("%d samples, want %d", got.Samples.Len(), test.samples)
		}
	}
}

func TestHowManyRunsMayBeKilled(t *testing.T) {
	for _, test := range []struct {
		runs, killed      int // all, warm-up included
		samples, censored int
		used              time.Duration
		most              int
		done, want        bool
	}{
		{20, 9, 20, 9, 0, 100, true, false}, // under half
		{20, 10, 20, 10, 0, 100, true, true},
		{20, 10, 20, 10, 0, 100, false, true},     // given up
		{30, 10, 20, 10, 0, 100, true, true},      // half of the samples
		{30, 10, 20, 10, 0, 100, false, false},    // more of them may turn out well
		{4, 4, 4, 4, 0, 100, false, false},        // too few to decide
		{4, 1, 4, 1, 0, 100, true, true},          // and there will be no more
		{4, 1, 4, 1, 0, 4, false, true},           // nor here
		{1, 1, 0, 0, time.Hour, 100, false, true}, // nor here
		{5, 2, 5, 2, time.Hour, 100, true, false},
		{12, 2, 4, 0, 0, 4, true, false}, // only while it warmed up
	} {
		c := program("x", nil)
		c.Settings.SamplesMax = test.most
		track := newTrack(&spec.Plan{Suite: "test"}, &c)
		track.own.series.Runs, track.own.series.Killed, track.own.series.Used, track.done = test.runs, test.killed, test.used, test.done
		track.result.Samples.Block = make([]int, test.samples)
		track.result.Samples.Censored = make([]int, test.censored)
		if got := track.own.hangs(0, test.done); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func TestASummaryHasNoPlaceForKilledRuns(t *testing.T) {
	got := runCases(t, context.Background(), "real", program("hangs", []string{"sleep", "1000"}, func(c *spec.Case) {
		c.Settings.Timeout, c.Settings.Keep = spec.Duration(50*time.Millisecond), "summary"
	}))[0]
	if f := got.Failure; f == nil || f.Cause != "timeout" || !strings.Contains(f.Hint, "samples: {keep: samples}") {
		t.Errorf("failure %+v", f)
	}
}

// What is kept of the runs before is a result that can be read: the killed run is
// none of it, for its time is not known.
func TestAKilledRunIsNoPartOfASummary(t *testing.T) {
	t.Parallel()
	plan := &spec.Plan{Suite: "test", File: "test.yaml", Dir: t.TempDir(), OnInconclusive: "list", Cases: []spec.Case{
		hanging(t, "4", func(c *spec.Case) { c.Settings.Keep = "summary" }),
		hanging(t, "1", func(c *spec.Case) { c.Name, c.Settings.Keep = "at once", "summary" }),
	}}
	doc, _ := runJournalled(t, context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real"), Seed: draw.Seed{7}}, filepath.Join(t.TempDir(), "journal"), false)
	valid(t, doc)
	for i, samples := range []int{3, 0} {
		c := doc.Cases[i]
		if s := c.Summary("time"); c.Failure == nil || c.Samples.Count() != samples || len(c.Samples.Censored) > 0 || samples > 0 && s.Max >= 1 {
			t.Errorf("%s: failure %v, %d samples, %d censored, %+v", c.Name, c.Failure, c.Samples.Count(), len(c.Samples.Censored), s)
		}
	}
}

func TestKilledRunsAreNeverDisturbed(t *testing.T) {
	c := program("x", nil)
	track := newTrack(&spec.Plan{Suite: "test"}, &c)
	track.own.series.ID, track.own.series.N = 1, 1
	track.own.enter(&remote{Client: &client.Client{}})
	r := table([3]int64{1, 1, 1e6}, [3]int64{1, 1, 1e6}, [3]int64{1, 1, 1e9})
	r.Columns["wait"], r.Columns["exit_code"] = []int64{0, 5e5, 5e8}, []int64{0, 0, -1}
	r.Killed, r.Said = []int{2}, "stuck"
	track.take(r, 0, 0)
	s := &track.result.Samples
	if len(s.Disturbed) != 1 || s.Disturbed[0].Index != 1 || !slices.Equal(s.Censored, []int{2}) {
		t.Errorf("disturbed %v, censored %v", s.Disturbed, s.Censored)
	}
	if x := s.Columns["exit_code"]; x[0] != 0 || !math.IsNaN(x[2]) {
		t.Errorf("exit statuses %v", x)
	}
	if track.own.series.Runs != 3 || track.own.series.Killed != 1 || track.own.series.Said != "stuck" {
		t.Errorf("%d runs, %d killed, last words %q", track.own.series.Runs, track.own.series.Killed, track.own.series.Said)
	}
}
