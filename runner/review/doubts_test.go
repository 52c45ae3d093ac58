package review

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// resumedFrom is a case as an interrupted run would go on with it.
func resumedFrom(tt *testing.T, t Case) Case {
	text, err := json.Marshal(t.Own.Recorded)
	var had sample.Recorded
	if err == nil {
		err = json.Unmarshal(text, &had)
	}
	if err != nil {
		tt.Fatal(err)
	}
	again := sized(1, time.Millisecond)
	again.Own.Restore(&had, nil, nil)
	return again
}

func TestWhatIsLeftBehindIsNamedAlsoBehindAnInterrupt(tt *testing.T) {
	t := sized(1, time.Millisecond)
	t.Own.Leaks(2, []string{"sleep 1000", "cat"})
	t = resumedFrom(tt, t)
	t.Own.Leaks(6, []string{"cat", "a", "b", "c"})
	t.doubtLeft()
	if got, want := warning(t, "leaked"), "it left processes running, which were killed: 8 (sleep 1000; cat; a; b)"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
}

func TestWhatPairsLeaveBehindMayBeOfEitherSide(tt *testing.T) {
	t := sized(1, time.Millisecond)
	t.Base = sized(1, time.Millisecond).Own
	t.Base.Target.Tree, t.Base.Target.Of = "main", &t.Own.Target
	t.Own.Leaks(2, []string{"cat"})
	t.doubtLeft()
	if got, want := warning(t, "leaked"), "it or its base in main left processes running, which were killed: 2 (cat)"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
}

func TestFilesAreToldWhereEachRunLeavesOne(tt *testing.T) {
	for _, c := range []struct {
		blocks, runs, files int // of each block
		told                bool
	}{{2, 10, 10, true}, {4, 1, 1, true}, {1, 10, 30, true}, {2, 10, 9, false}, {1, 1, 5, false}, {10, 10, 0, false}} {
		t := sized(1, time.Millisecond)
		for b := range c.blocks {
			r := &wire.Readings{ID: make([]int, c.runs)}
			if c.files > 0 {
				r.Remains = []wire.Remains{{Dir: "/tmp", Count: c.files, Names: []string{fmt.Sprint("a", b), fmt.Sprint("b", b)}}}
			}
			t.Own.Remain(r)
			t = resumedFrom(tt, t)
		}
		t.doubtRemains()
		if got := warning(t, "files"); (got != "") != c.told || c.told && !strings.HasPrefix(got, fmt.Sprintf("%d files appeared in /tmp during %d runs, and stayed: a0, b0, ", c.blocks*c.files, c.blocks*c.runs)) && c.blocks > 1 {
			tt.Errorf("%+v: %q", c, got)
		}
	}
}

// gcSamples are n samples, of which each tenth held a collection that made it longer.
func gcSamples(n int, time, longer float64) result.Samples {
	s := result.NoSamples()
	for i := range n {
		held := 0.0
		if i%10 == 0 {
			held = 1
		}
		s.Columns["time"] = append(s.Columns["time"], time+held*longer)
		s.Columns["gcs"] = append(s.Columns["gcs"], held)
	}
	return s
}

// Collections are described on average, on both sides; the median leaves them out.
func TestCollectionsHaveAFigureOfTheirOwn(t *testing.T) {
	one, base := sized(1, time.Millisecond), sized(1, time.Millisecond).Own
	one.Base, one.Result.Pairs = base, &result.Pairs{Base: "x", Tree: "main"}
	one.Result.Samples, base.Result.Samples = gcSamples(200, 1e-6, 4e-6), gcSamples(200, 1e-6, 1e-6)
	one.Result.Metrics = []result.Summary{{Metric: "time", Unit: "s", Median: 1e-6}}
	one.noteCollections()
	own, other := one.Result.Collections, one.Result.Pairs.Collections
	if own == nil || other == nil || math.Abs(own.Share-0.1) > 1e-9 || math.Abs(own.Time-4e-7) > 1e-12 || math.Abs(other.Time-1e-7) > 1e-12 {
		t.Fatalf("%+v, base %+v", own, other)
	}
	if w := one.Result.Warnings; len(w) != 1 || !strings.Contains(w[0].Message, "fell into 10% of the batches and add 400 ns") || !strings.Contains(w[0].Message, "in main into 10%, and add 100 ns") {
		t.Errorf("%+v", w)
	}
	for name, s := range map[string]result.Samples{"all": gcSamples(5, 1, 1), "none": {Columns: map[string]result.Column{"time": {1, 2}}}} {
		if got := collections(&s); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A benchmark that does its work once, whatever b.N is, gets any number it likes.
func TestABenchmarkThatIgnoresItsIterationsIsDoubted(t *testing.T) {
	for _, c := range []struct {
		n, procs int
		seconds  float64 // of a sample
		told     bool
	}{
		{1_000_000_000, 1, 24.8e-6, true}, // its work takes 24.8 µs
		{1_000_000_000, 1, 0, true},
		{1_000_000_000, 1, 0.25, false}, // an empty loop
		{1_000_000_000, 8, 0.03, false}, // on eight processors
		{1_000_000_000, 8, 0.01, true},
		{1, 1, 0, false},
	} {
		one := of(&spec.Case{Kind: result.KindGoTest, Work: 10, GoTest: &spec.GoTest{Procs: c.procs}}, c.n, time.Millisecond)
		one.doubtIterations(&result.Summary{Median: c.seconds / float64(c.n) / 10})
		if got := warning(one, "no-iterations"); (got != "") != c.told {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestASampleThatIsMostlyPreparedIsExplained(t *testing.T) {
	for _, c := range []struct {
		benchtime spec.Benchtime
		serves    bool
		batch     time.Duration
		hint      string
	}{
		{spec.Benchtime{Time: spec.Duration(10 * time.Millisecond)}, true, time.Second,
			"raise max_time: of a sample 10ms at most are timed, and most of it is what comes before: the start of its process, what the benchmark prepares, and a collection"},
		{spec.Benchtime{Time: spec.Duration(10 * time.Millisecond)}, false, time.Second,
			"raise max_time: of a sample 10ms at most are timed, and most of it is what comes before: the start of a process and what the benchmark prepares"},
		{spec.Benchtime{Time: spec.Duration(10 * time.Millisecond)}, true, 20 * time.Millisecond, "raise max_time"},
		{spec.Benchtime{N: 100}, true, time.Second, "raise max_time"},
	} {
		one := of(&spec.Case{Kind: result.KindGoTest, GoTest: &spec.GoTest{Serves: c.serves}, Settings: spec.Settings{Benchtime: c.benchtime, SamplesMin: 10}}, 1, c.batch)
		one.Result.Stop = result.StopMaxTime
		one.doubtLength()
		for _, w := range one.Result.Warnings {
			if w.Code == result.WarnCutShort && w.Hint != c.hint {
				t.Errorf("%+v: hint %q, want %q", c, w.Hint, c.hint)
			}
		}
		if warning(one, result.WarnCutShort) == "" {
			t.Errorf("%+v: no warning", c)
		}
	}
}

// slowed is a command of 20 runs of 10 ms, of which one took 50.
func slowed(change func(s *result.Samples)) Case {
	t := sampled(20, func(i int) float64 { return 0.010 + 0.040*float64(i/13%2*(13/max(i, 1))) })
	t.Own.Target.Spec.Kind = result.KindCommand
	s := &t.Result.Samples
	for _, name := range []string{"wait", "tree_wait", "cpu", "major_faults"} {
		s.Columns[name] = make(result.Column, 20)
	}
	change(s)
	return t
}

func TestTheSlowestRunComesWithItsCause(tt *testing.T) {
	const told = "the slowest run took 50 ms, usually 10 ms: it "
	for want, change := range map[string]func(s *result.Samples){
		"":                                func(s *result.Samples) {},
		told + "waited 31 ms for a CPU":   func(s *result.Samples) { s.Columns["wait"][13] = 0.031 },
		told + "used 35 ms more CPU time": func(s *result.Samples) { s.Columns["cpu"][13] = 0.035 },
		told + "was stopped for 39 ms": func(s *result.Samples) {
			s.Disturbed = []result.Disturbed{{Index: 13, Cause: result.Stopped, Seconds: 0.039}}
		},
		told + "had 12 page faults more that waited for a disk": func(s *result.Samples) { s.Columns["major_faults"][13] = 12 },
		told + "waited 31 ms for a CPU, and had 2 page faults more that waited for a disk": func(s *result.Samples) {
			s.Columns["wait"][13], s.Columns["major_faults"][13] = 0.031, 2
		},
		told[:len(told)-1] + ", or what started it, waited 31 ms for a CPU": func(s *result.Samples) { s.Columns["tree_wait"][13] = 0.031 },
	} {
		t := slowed(change)
		t.explainSlowest()
		if got := warning(t, "slowest"); got != want {
			tt.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOtherRunsAreNotExplained(tt *testing.T) {
	for name, change := range map[string]func(t Case){
		"another run waited": func(t Case) {
			t.Result.Samples.Columns["wait"][13], t.Result.Samples.Columns["wait"][12] = 0, 0.031
		},
		"all wait": func(t Case) {
			for i := range 20 {
				t.Result.Samples.Columns["wait"][i] = 0.031
			}
		},
		"too little of it":      func(t Case) { t.Result.Samples.Columns["wait"][13] = 0.019 },
		"not twice the median":  func(t Case) { t.Result.Samples.Columns["wall"][13] = 0.019 },
		"killed by its timeout": func(t Case) { t.Result.Samples.Censored = []int{13} },
		"a Go function":         func(t Case) { t.Own.Target.Spec.Kind = result.KindGo },
		"a summary of samples":  func(t Case) { t.Own.Folds = summary.NewFolds() },
	} {
		t := slowed(func(s *result.Samples) { s.Columns["wait"][13] = 0.031 })
		change(t)
		t.explainSlowest()
		if got := warning(t, "slowest"); got != "" {
			tt.Errorf("%s: %q", name, got)
		}
	}
}

// With work the time is per unit; the message is about the whole run.
func TestTheSlowestRunIsThatOfAllItsWork(tt *testing.T) {
	t := slowed(func(s *result.Samples) { s.Columns["wait"][13] = 31 })
	t.Result.Work = 1000
	t.explainSlowest()
	if got, want := warning(t, "slowest"), "the slowest run took 50 s, usually 10 s: it waited 31 s for a CPU"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
	t = slowed(func(s *result.Samples) { s.Columns["cpu"][13] = 0.035 })
	t.Result.Work = 1000
	t.explainSlowest()
	if got, want := warning(t, "slowest"), "the slowest run took 50 s, usually 10 s: it used 35 s more CPU time"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
}
