package profiles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/pprof/profile"
)

var module = Modules{own: []string{"example.com/m"}, fixed: []string{"example.com/lib"}}

// stackCounts is a profile by stacks: functions from the inside to the outside, separated by
// spaces, with the number of readings.
type stackCounts map[string]int64

// launchOf makes a CPU profile of one launch: readings of 1 ms, over 1000 iterations.
func launchOf(t testing.TB, counts stackCounts) Launch {
	t.Helper()
	return launchOfKind(t, "samples", "cpu", counts, 1_000_000)
}

func launchOfKind(t testing.TB, count, value string, counts stackCounts, each int64) Launch {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: count, Unit: "count"}, {Type: value, Unit: "x"}}, PeriodType: &profile.ValueType{Type: value, Unit: "x"}}
	functions := map[string]*profile.Location{}
	for text, n := range counts {
		s := &profile.Sample{Value: []int64{n, n * each}}
		for name := range strings.FieldsSeq(text) {
			if functions[name] == nil {
				f := &profile.Function{ID: uint64(len(functions) + 1), Name: name, Filename: name + ".go", StartLine: 7}
				p.Function = append(p.Function, f)
				functions[name] = &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
				p.Location = append(p.Location, functions[name])
			}
			s.Location = append(s.Location, functions[name])
		}
		p.Sample = append(p.Sample, s)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return Launch{Profile: p, Iterations: 1000, Wall: 1}
}

func repeated(n int, l func(i int) Launch) (all []Launch) {
	for i := range n {
		all = append(all, l(i))
	}
	return all
}

func find(p result.Profile, name string) *result.ProfileFunction {
	for i := range p.Functions {
		if p.Functions[i].Name == name {
			return &p.Functions[i]
		}
	}
	return nil
}

// The library counts for its caller, suite for nobody, and what nobody called is named so.
func TestEveryStackHasOneOwner(t *testing.T) {
	for stack, want := range map[string]string{
		"runtime.mallocgc example.com/m.F example.com/m.Main":                                                        "example.com/m.F",
		"example.com/lib.G example.com/m.F":                                                                          "example.com/m.F",
		"example.com/m.(*T).M example.com/m.F":                                                                       "example.com/m.(*T).M",
		"example.com/m/sub.F[go.shape.int] example.com/m.F":                                                          "example.com/m/sub.F[...]",
		"example.com/m_test.BenchmarkF testing.(*B).runN":                                                            "example.com/m_test.BenchmarkF",
		"example.com/suite/bench.Keep example.com/m.F example.com/suite/runner/host.X":                               "example.com/m.F",
		"runtime.nanotime example.com/suite/timer.X example.com/suite/runner/host.X main.main":                       suiteName,
		"runtime.memmove sort.insertionSort sort.Slice example.com/m.F":                                              "example.com/m.F",
		"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker": collectorName,
		"runtime.futex runtime.schedule runtime.mcall":                                                               runtimeName,
		"example.com/suite/suites.sum example.com/suite/runner/host.X":                                               "example.com/suite/suites.sum",
		"main.work main.main runtime.main":                                                                           "main.work",
		"example.com/mother.F runtime.main":                                                                          runtimeName,
		"gopkg.in/yaml%2ev3.F example.com/m.F":                                                                       "example.com/m.F",
	} {
		s := framesOf(launchOf(t, stackCounts{stack: 1}).Profile.Sample[0], module)
		if got := s.owner(); got != want {
			t.Errorf("%s: %q, want %q", stack, got, want)
		}
	}
}

// An inlined call is a line of its own in the location of its caller.
func TestInlinedFunctionsHaveTheirTime(t *testing.T) {
	l := launchOf(t, stackCounts{"example.com/m.F": 1})
	p := l.Profile
	g := &profile.Function{ID: 9, Name: "example.com/m.G"}
	p.Function = append(p.Function, g)
	p.Location[0].Line = []profile.Line{{Function: g}, p.Location[0].Line[0]}
	got := Compare(Input{Kind: result.ProfileCPU, Here: []Launch{l}, Modules: module})
	if f := find(got, "example.com/m.G"); f == nil || f.Caller != "example.com/m.F" {
		t.Errorf("%+v", got.Functions)
	}
}

// Library functions that did a tenth of the work of a function or more are named, the largest first.
func TestSeveralLibraryFunctionsAreNamed(t *testing.T) {
	f := "example.com/m.F"
	small := stackCounts{f: 100, "hash.a " + f: 30, "hash.b " + f: 60, "hash.c " + f: 5}
	large := stackCounts{f: 100, "hash.a " + f: 200, "hash.b " + f: 60, "hash.c " + f: 205, "hash.d " + f: 10}
	launches := func(stacks stackCounts) []Launch {
		return repeated(4, func(int) Launch { return launchOf(t, stacks) })
	}
	for _, test := range []struct {
		here, base []Launch
		want       string
	}{
		{launches(small), nil, "hash.b 60µs hash.a 30µs"},
		{launches(large), launches(small), "hash.c 200µs hash.a 170µs"},
	} {
		p := Compare(Input{Kind: result.ProfileCPU, Here: test.here, Base: test.base, Modules: module})
		var got []string
		for _, l := range p.Functions[0].Leaves() {
			got = append(got, l.Function, time.Duration(math.Round(l.Self*1e9)).String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if test.base != nil {
			causes := Causes([]result.Profile{p}, false)
			if len(causes) != 1 || causes[0].Leaf != "hash.c" || len(causes[0].MoreLeaves) != 1 || causes[0].MoreLeaves[0].Function != "hash.a" {
				t.Errorf("%+v", causes)
			}
		}
	}
}

// 1000 iterations of 300 ms of CPU: 300 µs each, of which F grew by a third of the whole.
func TestCostsArePerIterationAndAddUp(t *testing.T) {
	base := repeated(4, func(int) Launch {
		return launchOf(t, stackCounts{"example.com/m.F example.com/m.Main": 100, "example.com/m.G example.com/m.Main": 100})
	})
	here := repeated(4, func(int) Launch {
		return launchOf(t, stackCounts{"runtime.mallocgc example.com/m.F example.com/m.Main": 100, "example.com/m.F example.com/m.Main": 100, "example.com/m.G example.com/m.Main": 100})
	})
	p := Compare(Input{Kind: result.ProfileCPU, Here: here, Base: base, Modules: module})
	f := p.Functions[0]
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	if !near(p.Here.Total, 300e-6) || !near(p.Base.Total, 200e-6) || !near(p.Change.Value, 100e-6) {
		t.Errorf("%+v, %+v, %+v", p.Here, p.Base, p.Change)
	}
	if f.Name != "example.com/m.F" || !near(f.Self, 200e-6) || !near(f.BaseSelf, 100e-6) || !near(f.Change.Value, 100e-6) || f.Leaf != "runtime.mallocgc" || len(f.MoreLeaves) > 0 ||
		!near(f.LeafSelf, 100e-6) || f.Caller != "example.com/m.Main" || f.Line != 7 {
		t.Errorf("%+v", f)
	}
	causes := Causes([]result.Profile{p}, false)
	if len(causes) != 1 || causes[0].Function != "example.com/m.F" || !near(causes[0].Share.Value, 1) {
		t.Errorf("%+v", causes)
	}
	if len(p.Stacks) != 4 || p.Stacks[0].Name != "example.com/m.Main" || p.Stacks[0].Parent != -1 || !near(p.Stacks[0].Here, 300e-6) {
		t.Errorf("%+v", p.Stacks)
	}
}

// The CPU time of the process is known exactly, the readings are some of it.
func TestCPUTimeOfTheProcessIsDividedByReadings(t *testing.T) {
	l := launchOf(t, stackCounts{"example.com/m.F": 30, "example.com/m.G": 10})
	l.CPU = 0.2
	p := Compare(Input{Kind: result.ProfileCPU, Here: []Launch{l}, Modules: module})
	if f := find(p, "example.com/m.F"); f == nil || math.Abs(f.Self-150e-6) > 1e-12 {
		t.Errorf("%+v", p.Functions)
	}
}

func TestTheCollectorWorksForThoseWhoAllocate(t *testing.T) {
	cpu := repeated(1, func(int) Launch {
		return launchOf(t, stackCounts{"runtime.gcDrain runtime.gcBgMarkWorker": 40, "example.com/m.F": 10, "example.com/m.G": 50})
	})
	alloc := repeated(1, func(int) Launch {
		return launchOfKind(t, "alloc_objects", "alloc_space", stackCounts{"example.com/m.F": 3, "example.com/m.G": 1}, 64)
	})
	p := Compare(Input{Kind: result.ProfileCPU, Here: cpu, Modules: module, Collector: [2][]Weights{Allocators(alloc, module)}})
	if f := find(p, "example.com/m.F"); f == nil || math.Abs(f.Self-40e-6) > 1e-12 {
		t.Errorf("%+v", p.Functions)
	}
	if f := find(p, collectorName); f != nil && f.Self > 0 {
		t.Errorf("%+v", f)
	}
}

func TestWaitsForLocksAreInTheMutexProfile(t *testing.T) {
	l := launchOfKind(t, "contentions", "delay", stackCounts{"sync.(*Mutex).Lock example.com/m.F": 5, "runtime.chanrecv1 example.com/m.G": 5}, 1000)
	p := Compare(Input{Kind: result.ProfileBlock, Here: []Launch{l}, Modules: module, HasMutex: true})
	if find(p, "example.com/m.F") != nil || find(p, "example.com/m.G") == nil {
		t.Errorf("%+v", p.Functions)
	}
	p = Compare(Input{Kind: result.ProfileBlock, Here: []Launch{l}, Modules: module})
	if find(p, "example.com/m.F") == nil {
		t.Errorf("%+v", p.Functions)
	}
}

// Too few launches: the change is stated, and nothing is shown.
func TestFewLaunchesShowNothing(t *testing.T) {
	base := repeated(leastLaunches-1, func(int) Launch { return launchOf(t, stackCounts{"example.com/m.F": 100}) })
	here := repeated(8, func(int) Launch { return launchOf(t, stackCounts{"example.com/m.F": 900}) })
	p := Compare(Input{Kind: result.ProfileCPU, Here: here, Base: base, Modules: module})
	if p.Change.Low != nil || p.Functions[0].Change.Low != nil || len(Causes([]result.Profile{p}, false)) > 0 {
		t.Errorf("%+v", p)
	}
}

// drawn makes launches of a module with so many functions of equal cost, of which the first
// costs times as much. Each launch has a speed of its own, and readings come by chance.
func drawn(t testing.TB, rng *rand.Rand, launches, functions int, readings, times float64) []Launch {
	return repeated(launches, func(int) Launch {
		counts := stackCounts{}
		speed := math.Exp(0.03 * rng.NormFloat64())
		for i := range functions {
			mean := readings / float64(functions) * speed * math.Exp(0.03*rng.NormFloat64())
			if i == 0 {
				mean *= times
			}
			if n := poisson(rng, mean); n > 0 {
				counts[fmt.Sprintf("example.com/m.F%d", i)] = n
			}
		}
		return launchOf(t, counts)
	})
}

func poisson(rng *rand.Rand, mean float64) (n int64) {
	for mean > 30 { // in parts, so that the limit does not vanish
		n += poisson(rng, 30)
		mean -= 30
	}
	limit, p := math.Exp(-mean), 1.0
	for n--; p > limit; n++ {
		p *= rng.Float64()
	}
	return n
}

// Sides that are the same: in at most 5 % of comparisons any function is shown to differ.
func TestEqualSidesAreRarelyToldApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const trials = 300
	for _, functions := range []int{3, 12, 40} {
		wrong, named := 0, 0
		for range trials {
			p := Compare(Input{Kind: result.ProfileCPU, Here: drawn(t, rng, 8, functions, 60, 1), Base: drawn(t, rng, 8, functions, 60, 1), Modules: module})
			differs := p.Change.Differs()
			for i := range p.Functions {
				differs = differs || p.Functions[i].Change.Differs()
			}
			if differs {
				wrong++
			}
			if len(Causes([]result.Profile{p}, false)) > 0 {
				named++
			}
		}
		limit := trials*0.05 + 5*math.Sqrt(trials*0.05*0.95)
		if float64(wrong) > limit || float64(named) > limit {
			t.Errorf("%d functions: %d of %d comparisons show a difference, %d name a cause, want at most %.0f", functions, wrong, trials, named, limit)
		}
	}
}

// One of 12 functions takes five times its time, which makes the whole a third slower: it is
// named alone.
func TestAPlantedChangeIsNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const trials = 200
	found, others := 0, 0
	for range trials {
		p := Compare(Input{Kind: result.ProfileCPU, Here: drawn(t, rng, 8, 12, 60, 5), Base: drawn(t, rng, 8, 12, 60, 1), Modules: module})
		for i, c := range Causes([]result.Profile{p}, false) {
			switch {
			case c.Function == "example.com/m.F0" && i == 0:
				found++
			default:
				others++
			}
		}
	}
	if found < trials*97/100 || others > trials/20 {
		t.Errorf("named in %d of %d, others in %d", found, trials, others)
	}
}

// uneven makes each launch of drawn slower by chance, as other work on a machine does.
func uneven(rng *rand.Rand, launches []Launch) []Launch {
	for i := range launches {
		value, _ := columns(launches[i].Profile, result.ProfileCPU)
		for _, s := range launches[i].Profile.Sample {
			launches[i].CPU += float64(s.Value[value]) * 1e-9
		}
		launches[i].CPU *= math.Exp(0.3 * rng.NormFloat64())
	}
	return launches
}

// On a busy machine a launch is slower than the next by 30 %, in which a change of a third
// vanishes. The ratio of the samples is known to 2 %: then the change is found, and equal
// sides are not told apart, although the ratio is off by as much as it says.
func TestTheRatioOfTheSamplesReplacesThatOfTheLaunches(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const trials, off = 300, 0.02
	for _, times := range []float64{1, 5} {
		with, without := 0, 0
		for range trials {
			here, base := uneven(rng, drawn(t, rng, 8, 12, 60, times)), uneven(rng, drawn(t, rng, 8, 12, 60, 1))
			in := Input{Kind: result.ProfileCPU, Here: here, Base: base, Modules: module}
			if len(Causes([]result.Profile{Compare(in)}, false)) > 0 {
				without++
			}
			truth := (11 + times) / 12
			in.Ratio = &Ratio{Value: truth * math.Exp(off*rng.NormFloat64()), Error: off, Freedom: 19}
			if len(Causes([]result.Profile{Compare(in)}, false)) > 0 {
				with++
			}
		}
		limit := trials*0.05 + 5*math.Sqrt(trials*0.05*0.95)
		switch {
		case times == 1 && (float64(with) > limit || float64(without) > limit):
			t.Errorf("equal sides: a cause in %d of %d with the ratio, in %d without, want at most %.0f", with, trials, without, limit)
		case times > 1 && (with < trials*97/100 || with <= without):
			t.Errorf("named in %d of %d with the ratio, in %d without", with, trials, without)
		}
	}
}

// What the processors and locks do not explain is waiting; what they do is not.
func TestWaitingIsACauseOnlyIfNothingElseExplainsTheTime(t *testing.T) {
	grown := func(x float64) *result.Estimated {
		low, high := 0.9*x, 1.1*x
		return &result.Estimated{Value: x, Low: &low, High: &high}
	}
	of := func(kind result.ProfileKind, name string, change, wall float64) result.Profile {
		return result.Profile{Kind: kind, Unit: "s", Here: result.ProfileSide{Wall: 1 + wall}, Base: &result.ProfileSide{Wall: 1}, Change: grown(change),
			Functions: []result.ProfileFunction{{Name: name, Change: grown(change)}}}
	}
	for _, test := range []struct {
		cpu  float64
		want string
	}{{0.9, "work"}, {0.1, "wait"}} {
		causes := Causes([]result.Profile{of(result.ProfileCPU, "work", test.cpu, 1), of(result.ProfileBlock, "wait", 1, 0)}, false)
		if len(causes) == 0 || causes[0].Function != test.want {
			t.Errorf("%g of the time on processors: %+v", test.cpu, causes)
		}
	}
}

// Parts of a function that the compiler makes functions of count for it, except in init,
// where they are the bodies of different benchmarks.
func TestLiteralsCountForTheirFunction(t *testing.T) {
	m := module
	m.known = map[string]bool{"example.com/m.F": true}
	for name, want := range map[string]string{
		"example.com/m.F": "example.com/m.F", "example.com/m.F.func1": "example.com/m.F", "example.com/m.F.func1.2": "example.com/m.F",
		"example.com/m.F-range1": "example.com/m.F", "example.com/m.F.gowrap3": "example.com/m.F", "example.com/m.F.SplitSeq.splitSeq.func1": "example.com/m.F",
		"example.com/m.T.M": "example.com/m.T.M", "example.com/m.T.M.func2": "example.com/m.T.M", "example.com/m.(*T).M-range2": "example.com/m.(*T).M",
		"example.com/m.init.func3": "example.com/m.init.func3", "example.com/m.init.0.func3.1": "example.com/m.init.0.func3.1", "example.com/m.F[...].func1": "example.com/m.F[...]",
		"main.work.func1": "main.work",
	} {
		if got := m.declared(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The stacks that write profiles are no allocations of the measured code.
func TestAllocationsOfSuiteAreLeftOut(t *testing.T) {
	l := launchOfKind(t, "alloc_objects", "alloc_space", stackCounts{"compress/flate.NewWriter example.com/suite/runner/host.currentProfile": 900, "example.com/m.F": 5}, 1000)
	p := Compare(Input{Kind: result.ProfileAlloc, Here: []Launch{l}, Modules: module})
	if p.Here.Total != 5 || len(p.Functions) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestProfilesAreSubtracted(t *testing.T) {
	write := func(n int64) []byte {
		l := launchOfKind(t, "alloc_objects", "alloc_space", stackCounts{"example.com/m.F": n, "example.com/m.Setup": 7}, 16)
		data, err := Merge([]Launch{l})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	p, err := Read(write(30), write(10))
	if err != nil {
		t.Fatal(err)
	}
	got := Compare(Input{Kind: result.ProfileAlloc, Here: []Launch{{Profile: p, Iterations: 10, Wall: 1}}, Modules: module})
	if got.Here.Total != 32 || got.Unit != "B" || len(got.Functions) != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := Read([]byte("no profile"), nil); err == nil {
		t.Error("a text is read as a profile")
	}
}

// A merged file can be taken apart again, and compares like the launches that it is made of.
func TestMergedProfilesKeepTheirLaunches(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	sides := [2][]Launch{drawn(t, rng, 8, 5, 60, 3), drawn(t, rng, 8, 5, 60, 1)}
	want := Compare(Input{Kind: result.ProfileCPU, Here: sides[0], Base: sides[1], Modules: module})
	for i := range sides {
		data, err := Merge(sides[i])
		if err == nil {
			sides[i], err = split(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got := Compare(Input{Kind: result.ProfileCPU, Here: sides[0], Base: sides[1], Modules: module})
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("-launches +split:\n%s", diff)
	}
	if _, err := split([]byte("text")); err == nil {
		t.Error("a text is split")
	}
}

// perfScript is what perf script prints of a host, 10, that starts 20, which starts 30 and a
// subshell, 31, which runs no other program. What 21 does before it has run its program is the host's.
const perfScript = `    0     0.000000000: PERF_RECORD_COMM: perf-exec:10/10
   10     1.000000000: PERF_RECORD_COMM exec: a host:10/10
   10     1.000000001: PERF_RECORD_FORK(10:11):(10:10)
   10     1.100000000:    1003009 
	    1000 main.serve (/usr/bin/suite)

   10     1.200000000: PERF_RECORD_FORK(20:20):(10:11)
   20     1.200000001:    1003009 
	    1000 main.fork (/usr/bin/suite)

   20     1.200000002: PERF_RECORD_COMM exec: sh:20/20
   20     1.300000000:    1003009 
	    55d0 inner (/tmp/prog)
	    55d9 outer (/tmp/prog)
	    2000 __libc_start_main (/usr/lib/libc.so.6)

   20     1.400000000: PERF_RECORD_FORK(30:30):(20:20)
   30     1.400000001: PERF_RECORD_COMM exec: prog:30/30
   20     1.400000002: PERF_RECORD_FORK(31:31):(20:20)
   31     1.500000000:    2006018 
   31     1.500000001: PERF_RECORD_EXIT(31:31):(20:20)
	    3000 memcpy (/usr/lib/libc.so.6)
	    55d9 outer (/tmp/prog)

   30     1.600000000:    1003009 
	    ffff [unknown] ([kernel.kallsyms])

   30     1.700000000:    1003009 
	    55d9 between (/tmp/prog)

   20     1.800000000:    5000000 
	    55d9 later (/tmp/prog)
`

func TestPerfScriptsAreRead(t *testing.T) {
	all, err := ReadPerf([]byte(perfScript), []Span{{1e9, 16e8}, {18e8, 19e8}, {20e8, 21e8}})
	if err != nil || len(all) != 3 {
		t.Fatalf("%d profiles, %v", len(all), err)
	}
	of := func(p *profile.Profile) result.Profile {
		if err := p.CheckValid(); err != nil {
			t.Fatal(err)
		}
		return Compare(Input{Kind: result.ProfileCPU, Here: []Launch{{Profile: p, Iterations: 1, Wall: 1}}, Modules: Modules{all: true}.OfCommands()})
	}
	got := of(all[0])
	inner, outer := find(got, "inner"), find(got, "outer")
	if inner == nil || outer == nil || math.Abs(inner.Self-1.003009e-3) > 1e-9 || math.Abs(outer.Self-2.006018e-3) > 1e-9 || outer.Leaf != "memcpy" || got.Here.Samples != 3 {
		t.Errorf("%+v", got)
	}
	got = of(all[1])
	if later := find(got, "later"); later == nil || math.Abs(later.Self-5e-3) > 1e-9 || got.Here.Samples != 1 {
		t.Errorf("%+v", got)
	}
	if len(all[2].Sample) > 0 {
		t.Errorf("a span without readings has %d", len(all[2].Sample))
	}
	if _, err := ReadPerf([]byte("nonsense\n"), nil); err == nil {
		t.Error("a text is read as a script of perf")
	}
}
