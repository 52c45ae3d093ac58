//go:build unix

package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// A valgrind of this test tells the test binary where to write what it has counted.
const fakeValgrindOfTests = `#!/bin/sh
for word; do
	case $word in
	--callgrind-out-file=*) out=${word#*=} ;;
	--*|-q) ;;
	*) break ;;
	esac
	shift
done
COUNTS=${out%%%p} exec "$@"
`

// A test binary that stays. Its benchmark executes some instructions in an iteration, and four times as many if what it
// looks for is in the last 16 bytes of a page.
const placedProgram = `#!/bin/sh
place=%d work=%d
echo $0 ${#SUITE_PADDING} >> "$STARTS"
[ $place -ge 4080 ] && work=$((4 * work))
part=0
write() {
	part=$((part + 1))
	printf 'desc: Trigger: Client Request: %%s\nevents: Ir\n\nfn=(1) search\n3 %%s\n\ntotals: %%s\n' $1 $2 $2 > "$COUNTS$$.$part"
}
while read -r n name <&3; do
	write suiteCountEnds $((n * work))
	echo "ok $n 0 0 0 0 0 0 1 0 0 0 0 0 1 ns/op" >&4
done
`

func writePlaced(path string, place, work int) error {
	return os.WriteFile(path, fmt.Appendf(nil, placedProgram, place, work), 0o777)
}

// linkPlaced links a program of this test with its data elsewhere.
func linkPlaced(_ context.Context, program string, layout draw.Layout, target string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	var place, work int
	if _, err := fmt.Sscanf(strings.SplitN(string(text), "\n", 3)[1], "place=%d work=%d", &place, &work); err != nil {
		return err
	}
	return writePlaced(target, (place+layout.Data)%4096, work)
}

// placedSide is where the data of a program of this test are, and what an iteration executes.
type placedSide struct{ place, work int }

// countPlaced counts the instructions of a case, whose programs are linked again by a function, and checks that nothing is
// left of the links.
func countPlaced(
	t *testing.T, ctx context.Context, base, own placedSide,
	link func(ctx context.Context, program string, layout draw.Layout, target string) error, change ...func(*Options),
) result.Case {
	t.Helper()
	return countPlacedCase(t, ctx, base, own, link, func(c *spec.Case) { c.Settings.Judge = result.JudgeInstructions }, change...)
}

func countPlacedCase(
	t *testing.T, ctx context.Context, base, own placedSide,
	link func(ctx context.Context, program string, layout draw.Layout, target string) error,
	with func(*spec.Case), change ...func(*Options),
) result.Case {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("STARTS", filepath.Join(dir, "starts"))
	programs := [2]string{filepath.Join(dir, "own"), filepath.Join(dir, "base")}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "valgrind"), []byte(fakeValgrindOfTests), 0o777),
		writePlaced(programs[0], own.place, own.work), writePlaced(programs[1], base.place, base.work)); err != nil {
		t.Fatal(err)
	}
	one := spec.Case{Name: "p/X", Kind: result.KindGoTest, Unit: "op", Work: 1, Settings: spec.Defaults(), Callgrind: true,
		GoTest: &spec.GoTest{Pattern: "./p", Package: "m/p", Benchmark: "BenchmarkX", Dir: dir, Program: programs[0], Serves: true}}
	one.Settings.Tolerance = 0.01
	with(&one)
	plan := against(one)
	plan.Calls = 10
	other := *one.GoTest
	other.Program = programs[1]
	plan.Cases[0].Other.Case.GoTest = &other
	change = append(change, func(o *Options) { o.Host, o.HostOf, o.Link = hostArgv(t, "real"), nil, link })
	got := runTreesUntil(t, ctx, plan, change...)[0]
	left, err := filepath.Glob(filepath.Join(dir, "launch-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q are left: %v", left, err)
	}
	return got
}

// untilRuns leaves a gate open until a case has so many counted runs.
type untilRuns int

func (n untilRuns) Open(c *result.Case) (open, decided int) {
	if c.Counted == nil || len(c.Counted.Runs) < int(n) {
		return 1, 0
	}
	return 0, 1
}

// In a suite of many gates an alarm takes seven runs. If it takes them at other places, two at the same ones are enough to
// see that the sides differ, and if it cannot, it has seven of these.
func TestRunsAtTheSamePlacesEndWhenTheSidesDiffer(t *testing.T) {
	for what, c := range map[string]struct {
		fails             error
		links, runs, same int // same: runs at the same places, of each side
	}{
		"linked":           {nil, 2 * 7, 7, 2},
		"cannot be linked": {errors.New("unknown"), 4, 7, 7}, // with data that stay, neither
	} {
		t.Run(what, func(t *testing.T) {
			var links atomic.Int32
			got := countPlaced(t, t.Context(), placedSide{100, 1000}, placedSide{200, 1030},
				func(ctx context.Context, program string, layout draw.Layout, target string) error {
					links.Add(1)
					return cmp.Or(c.fails, linkPlaced(ctx, program, layout, target))
				}, func(o *Options) { o.Steer = untilRuns(7) })
			text, err := os.ReadFile(os.Getenv("STARTS"))
			own, base := strings.Count(string(text), "/own 0\n"), strings.Count(string(text), "/base 0\n")
			drawn, paddings := strings.Count(string(text), "/launch-")/2, drawnPaddings(string(text))
			if err != nil || len(got.Counted.Runs) != c.runs || int(links.Load()) != c.links || own != 1+c.same || base != c.same || drawn != 0 && drawn != c.runs || len(paddings) != 2*drawn {
				t.Errorf("%d runs, %d links, %d paddings, starts %q, %v", len(got.Counted.Runs), links.Load(), len(paddings), text, err)
			}
		})
	}
}

// A case that fails by its time has no runs at the same places but for the search for iterations. Its runs have the files
// of its launches. Ten runs have ten draws, of which nine launches lack one, and one side has that.
func TestWhatHasFailedIsCountedAtDrawnPlacesAlone(t *testing.T) {
	var links atomic.Int32
	got := countPlacedCase(t, t.Context(), placedSide{100, 1000}, placedSide{200, 1030},
		func(ctx context.Context, program string, layout draw.Layout, target string) error {
			links.Add(1)
			return linkPlaced(ctx, program, layout, target)
		},
		func(c *spec.Case) {
			gated(c)
			c.Callgrind = false
		},
		func(o *Options) {
			o.Steer, o.Unsettled = always{decided: 1}, func(*result.Case) bool { return true }
		})
	text, err := os.ReadFile(os.Getenv("STARTS"))
	own, base := strings.Count(string(text), "/own 0\n"), strings.Count(string(text), "/base 0\n")
	if err != nil || got.Stop != result.StopDecided || own != 1 || base != 0 || !slices.Equal(runsOf(&got), slices.Repeat([]float64{1030}, 5)) {
		t.Errorf("%s, runs %v, %d and %d starts at the same places, %v; %+v", got.Stop, runsOf(&got), own, base, err, got.Failure)
	}
	draws := len(got.Pairs.Layouts)
	if want := 2*draws + max(0, 10-draws); draws < 9 || int(links.Load()) != want {
		t.Errorf("%d links for %d draws and 10 runs, want %d", links.Load(), draws, want)
	}
}

// drawnPaddings are the different lengths by which the environment of processes at drawn places is longer, which move
// their heap by as much.
func drawnPaddings(starts string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(starts) {
		if _, length, drawn := strings.Cut(strings.TrimSpace(line), " "); drawn && strings.Contains(line, "/launch-") {
			all[length] = true
		}
	}
	return all
}

// Two runs of each side at the same places are no result if they differ, also if the time of the case is over then.
func TestWhatSeemsApartIsCountedAtOtherPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		base, own []float64
		apart     bool
	}{
		"apart":       {[]float64{113, 113}, []float64{441, 440}, true},
		"fewer":       {[]float64{441, 440}, []float64{113, 113}, true},
		"alike":       {[]float64{113, 113}, []float64{114, 113}, false},
		"one of each": {[]float64{113}, []float64{441}, false},
	} {
		plan := against(spec.Case{Name: name, Kind: result.KindGoTest, Settings: spec.Defaults(), GoTest: &spec.GoTest{}})
		tracks := []*track{newTrack(plan, &plan.Cases[0])}
		pairUp(plan, tracks)
		one := &countedCase{track: tracks[0]}
		for i, s := range one.track.sides() {
			one.sides = append(one.sides, &countedSide{side: s, of: one, countedRuns: countedRuns{runs: [][]float64{c.own, c.base}[i]}})
		}
		(&counting{run: newRun(Options{Link: linkPlaced}), all: []*countedCase{one}}).glance(t.Context())
		if one.apart != c.apart {
			t.Errorf("%s: to be counted at other places: %t", name, one.apart)
		}
	}
}

// A test binary that stays, with two benchmarks of many instructions. The second one does not end in the base.
const stuckProgram = `#!/bin/sh
while read -r n name <&3; do
	case $0$name in */base*Y*) touch "$STUCK"; read -r more <&3; exit ;; esac
	part=$((part + 1))
	printf 'desc: Trigger: Client Request: suiteCountEnds\nevents: Ir\n\ntotals: %%s\n' $((n * 30000000)) > "$COUNTS$$.$part"
	echo "ok $n 0 0 0 0 0 0 1 0 0 0 0 0 1 ns/op" >&4
done
`

// Two benchmarks share their processes. If the second one is interrupted, what was counted of the first one is kept. It
// takes 1.5 s, which a batch that is interrupted has to end.
func TestAnInterruptKeepsWhatTheProcessHasCounted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("STUCK", filepath.Join(dir, "stuck"))
	own, base := filepath.Join(dir, "own"), filepath.Join(dir, "base")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "valgrind"), []byte(fakeValgrindOfTests), 0o777),
		os.WriteFile(own, fmt.Appendf(nil, stuckProgram), 0o777), os.WriteFile(base, fmt.Appendf(nil, stuckProgram), 0o777)); err != nil {
		t.Fatal(err)
	}
	benchmark := func(name, program string) *spec.GoTest {
		return &spec.GoTest{Pattern: "./p", Package: "m/p", Benchmark: name, Dir: dir, Program: program, Serves: true}
	}
	one := spec.Case{Kind: result.KindGoTest, Unit: "op", Work: 1, Settings: spec.Defaults(), Callgrind: true}
	one.Settings.Judge = result.JudgeInstructions
	first, second := one, one
	first.Name, first.GoTest = "p/X", benchmark("BenchmarkX", own)
	second.Name, second.GoTest = "p/Y", benchmark("BenchmarkY", own)
	plan := against(first, second)
	for i := range plan.Cases {
		plan.Cases[i].Other.Case.GoTest = benchmark(plan.Cases[i].GoTest.Benchmark, base)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, "stuck")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	got := runTreesUntil(t, ctx, plan, func(o *Options) { o.Host, o.HostOf = hostArgv(t, "real"), nil })
	bases, owns, _ := got[0].CountedRuns()
	if len(bases) == 0 || len(owns) == 0 || bases[0] != 3e7 || owns[0] != 3e7 || got[0].Stop != result.StopInterrupted {
		t.Errorf("runs %v and %v, ended by %s; failure %+v", bases, owns, got[0].Stop, got[0].Failure)
	}
	if got[1].Status != result.NotRun {
		t.Errorf("the second benchmark is %s; failure %+v", got[1].Status, got[1].Failure)
	}
}

// What differs is kept if it cannot be counted at other places, whatever the reason, and is marked: no verdict follows.
func TestWhatIsNotCountedAtOtherPlacesIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		from  int32  // the link from which on it goes wrong; two find out whether there can be any
		line  string // of each program that is linked then, in front of the others
		fails error  // of each such link
		stops bool   // the run is interrupted by that
		after int    // or after so many of its steps: it begins, finds its iterations, and has two runs of each side
	}{
		"crashes at other places":    {from: 3, line: "exit 7"},
		"cannot be linked again":     {from: 3, fails: errors.New("no space left")},
		"has too few runs":           {from: 10, fails: errors.New("no space left")},
		"is interrupted":             {from: 5, stops: true},
		"is interrupted early":       {from: 1, stops: true},
		"is interrupted before that": {from: 1, stops: true, after: 6},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var links atomic.Int32
			steps := 0
			got := countPlaced(t, ctx, placedSide{100, 1000}, placedSide{4085, 1000},
				func(ctx context.Context, program string, layout draw.Layout, target string) error {
					if links.Add(1) < c.from {
						return linkPlaced(ctx, program, layout, target)
					}
					if c.stops {
						cancel()
						return context.Cause(ctx)
					}
					return errors.Join(c.fails, os.WriteFile(target, []byte("#!/bin/sh\n"+c.line+"\n"), 0o777))
				}, func(o *Options) {
					o.Observe = func(p Progress) {
						if p.Phase == "count" {
							if steps++; steps == c.after {
								cancel()
							}
						}
					}
				})
			base, own, _ := got.CountedRuns()
			if !slices.Equal(base, slices.Repeat([]float64{1000}, 2)) || !slices.Equal(own, slices.Repeat([]float64{4000}, 2)) {
				t.Errorf("runs %v and %v; failure %+v", base, own, got.Failure)
			}
			if c.after > 0 && links.Load() > 0 {
				t.Errorf("%d links after it was interrupted", links.Load())
			}
			moved := []result.MovedFunction{{Function: "search", Base: 1000, Candidate: 4000}}
			if got.Counted == nil || !got.Counted.Unplaced || !slices.Equal(got.Counted.Moved, moved) || got.Pairs.Counted.Unplaced {
				t.Errorf("%+v and %+v", got.Counted, got.Pairs.Counted)
			}
			if warned(got, "no-counters") == c.stops || warned(got, "fixed-layout") {
				t.Errorf("warnings %+v", got.Warnings)
			}
		})
	}
}

// A side is not above the other because of where its data are: what differs is counted once more, with its data at other
// places in each run. What executes more is above the other all the same.
func TestPlacesAreDrawnBeforeACaseIsCalledDifferent(t *testing.T) {
	type side = placedSide
	for name, c := range map[string]struct {
		base, own side
		fails     error // of a link
		links     int32
		runs      float64 // the median of the case's runs
		want      stats.Side
		warns     bool
	}{
		"equal":            {side{100, 1000}, side{200, 1000}, nil, 0, 1000, stats.Undecided, false},
		"only elsewhere":   {side{100, 1000}, side{4085, 1000}, nil, 10, 1000, stats.Undecided, false},
		"only better":      {side{4085, 1000}, side{100, 1000}, nil, 10, 1000, stats.Undecided, false},
		"more":             {side{100, 1000}, side{200, 1030}, nil, 10, 1030, stats.Above, false},
		"more, elsewhere":  {side{100, 1000}, side{4085, 1030}, nil, 10, 1030, stats.Above, false},
		"cannot be linked": {side{100, 1000}, side{4085, 1000}, errors.New("unknown"), 4, 4000, stats.Above, true},
	} {
		t.Run(name, func(t *testing.T) {
			var links atomic.Int32
			got := countPlaced(t, t.Context(), c.base, c.own,
				func(ctx context.Context, program string, layout draw.Layout, target string) error {
					links.Add(1)
					if c.fails != nil {
						return c.fails
					}
					return linkPlaced(ctx, program, layout, target)
				})
			base, own, ok := got.CountedRuns()
			if !ok {
				t.Fatalf("nothing was counted: %+v", got.Failure)
			}
			if at := stats.LevelSide(base, own, 1.01, result.WithinAlpha, result.WithinAlpha); at != c.want && (c.want == stats.Above || at == stats.Above) {
				t.Errorf("%v and %v: %v, want %v", base, own, at, c.want)
			}
			if stats.Median(own) != c.runs || links.Load() != c.links || warned(got, "fixed-layout") != c.warns {
				t.Errorf("runs %v, %d links, want %d; warnings %+v", own, links.Load(), c.links, got.Warnings)
			}
		})
	}
}
