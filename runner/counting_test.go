//go:build unix

package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/runner/callgrind"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// A valgrind of this test runs the program and writes, for it and for one child, that it has
// counted as many instructions as the first two arguments of the program say.
const fakeValgrind = `#!/bin/sh
for word; do
	case $word in
	--callgrind-out-file=*) out=${word#*=} ;;
	--*|-q) ;;
	*) break ;;
	esac
	shift
done
out=${out%%\%%p}
child=
for part in $2 $3; do
	printf 'version: 1\nevents: Ir\nsummary: %%s\n\nfn=(1) main\n3 %%s\n\ntotals: %%s\n' $part $part $part > "$out$$$child"
	child=1
done
exec %s
`

// withValgrind puts a program called valgrind in front of the path; last is what it does.
func withValgrind(t *testing.T, last string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, callgrind.Program), fmt.Appendf(nil, fakeValgrind, last), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func simulated(c *spec.Case) { c.Callgrind = true }

// runsOf are the instructions of each run of a case.
func runsOf(c *result.Case) []float64 {
	if c.Counted == nil {
		return nil
	}
	return c.Counted.Runs
}

func TestInstructionsOfACommandAreThoseOfAllItsProcesses(t *testing.T) {
	withValgrind(t, `"$@"`)
	file := filepath.Join(t.TempDir(), "runs")
	got := runCases(t, context.Background(), "fake", program("echo", []string{script(t, "echo run >> "+file), "1", "1"}, simulated),
		program("counts", []string{"echo", "3000", "1000"}, simulated, func(c *spec.Case) { c.Work = 2 }))
	counts := got[1]
	s := counts.Summary("instructions")
	if s == nil || s.Median != 2000 || s.N != 6 || !s.Exact || !warned(counts, "callgrind") {
		t.Fatalf("%+v, warnings %+v, failure %+v", s, counts.Warnings, counts.Failure)
	}
	if !counts.Settings.Callgrind || strings.Join(counts.Settings.Counters, " ") != "instructions" || counts.Samples.Column("instructions") != nil {
		t.Errorf("settings %+v", counts.Settings)
	}
	if m, _ := counts.Metric("instructions"); m.Sampled || !m.Counted {
		t.Errorf("metric %+v", m)
	}
	text, err := os.ReadFile(file)
	if runs := strings.Count(string(text), "\n"); err != nil || runs != got[0].Samples.Count()+6 {
		t.Errorf("%d runs, %d samples, %v", runs, got[0].Samples.Count(), err)
	}
}

// Nothing is counted before the last sample of the case is taken.
func TestCountsComeAfterTheSamples(t *testing.T) {
	file := filepath.Join(t.TempDir(), "order")
	withValgrind(t, `sh -c "echo counted >> `+file+`"`)
	runCases(t, context.Background(), "fake", program("sample", []string{script(t, "echo sample >> "+file), "1", "2"}, simulated))
	text, err := os.ReadFile(file)
	samples, counted, _ := strings.Cut(string(text), "counted")
	if err != nil || strings.Count(samples, "sample") < 10 || strings.Contains(counted, "sample") || strings.Count(counted, "counted") != 5 {
		t.Errorf("%q, %v", text, err)
	}
}

// In a suite of many gates five runs do not show that a case is better, and no gate asks. It is counted until it is shown.
func TestACaseThatSeemsBetterIsCountedFurther(t *testing.T) {
	withValgrind(t, `"$@"`)
	judged := func(c *spec.Case) {
		c.Callgrind, c.Settings.Judge, c.Settings.Tolerance = true, result.JudgeInstructions, 0.01
	}
	based := func(c *spec.Case) { c.Base = "base" }
	nothing := script(t, "true")
	run := func(name, instructions string, with ...func(*spec.Case)) spec.Case {
		return program(name, []string{nothing, instructions, "1"}, append(with, judged)...)
	}
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Calls: 10,
		Cases: []spec.Case{run("base", "3000"), run("fewer", "2900", based), run("hardly fewer", "2980", based), run("more", "3100", based)}}
	got := Run(context.Background(), []*spec.Plan{plan}, Options{
		HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Steer: always{decided: 1},
	})
	for i, want := range []int{7, 7, 5, 5} {
		if c := &got.Cases[i]; len(runsOf(c)) != want {
			t.Errorf("%s: %d runs, want %d; %+v", c.Name, len(runsOf(c)), want, c.Failure)
		}
	}
}

// script makes a program of a line for a shell.
func script(t *testing.T, line string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+line+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// A case that is judged by instructions is never timed, and its base is counted once for all cases that it is the base of.
func TestCasesJudgedByInstructionsAreNotTimed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs")
	withValgrind(t, `"$@"`)
	judged := func(c *spec.Case) { c.Callgrind, c.Settings.Judge = true, result.JudgeInstructions }
	based := func(c *spec.Case) { c.Base = "base" }
	notes := script(t, "echo $1 >> "+file)
	run := func(name, instructions string, with ...func(*spec.Case)) spec.Case {
		return program(name, []string{notes, instructions, "1"}, append(with, judged)...)
	}
	got := runCases(t, context.Background(), "fake", run("base", "3000"), run("more", "4000", based), run("same", "3000", based))
	for i, want := range [][]float64{slices.Repeat([]float64{3001}, 6), slices.Repeat([]float64{4001}, 5), slices.Repeat([]float64{3001}, 5)} {
		c := &got[i]
		if c.Status != result.Measured || c.Stop != result.StopCounted || c.Samples.Len() != 0 || !slices.Equal(runsOf(c), want) {
			t.Errorf("%s: %s, ended by %s, with %d samples and runs %v; %+v", c.Name, c.Status, c.Stop, c.Samples.Len(), runsOf(c), c.Failure)
		}
		if i > 0 && (c.Pairs.Counted == nil || !slices.Equal(c.Pairs.Counted.Runs, runsOf(&got[0]))) {
			t.Errorf("%s: the base has runs %v", c.Name, c.Pairs.Counted)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "3000") != 11 || strings.Count(string(text), "4000") != 5 {
		t.Errorf("%q, %v", text, err)
	}
}

// Each counted run of a command has an environment of another length, in a comparison on both sides, so that no side has
// its stack at one place in all runs. The same seed draws the same lengths.
func TestTheStackOfACountedCommandIsDrawn(t *testing.T) {
	var before []string
	for range 2 {
		file := filepath.Join(t.TempDir(), "lengths")
		withValgrind(t, `"$@"`)
		judged := func(c *spec.Case) { c.Callgrind, c.Settings.Judge = true, result.JudgeInstructions }
		notes := script(t, "echo $1 ${#SUITE_PADDING} >> "+file)
		runCases(t, context.Background(), "fake", program("base", []string{notes, "3000"}, judged),
			program("other", []string{notes, "3001"}, judged, func(c *spec.Case) { c.Base = "base" }))
		text, err := os.ReadFile(file)
		runs := strings.Fields(string(text))
		if err != nil || len(runs) != 2*(6+5) {
			t.Fatalf("%q, %v", text, err)
		}
		lengths, quarters := map[string]string{}, map[int]bool{}
		for i := 1; i < len(runs); i += 2 {
			length, err := strconv.Atoi(runs[i])
			if lengths[runs[i]] != "" || err != nil || length >= wire.MostPadding {
				t.Errorf("%s has %s bytes, as %s", runs[i-1], runs[i], lengths[runs[i]])
			}
			lengths[runs[i]], quarters[4*length/wire.MostPadding] = runs[i-1], true
		}
		sorted := slices.Sorted(maps.Keys(lengths))
		if len(quarters) < 3 || before != nil && !slices.Equal(sorted, before) {
			t.Errorf("lengths %v, before %v", sorted, before)
		}
		before = sorted
	}
}

func TestWithoutAValgrindTheReasonIsAWarning(t *testing.T) {
	for what, c := range map[string]struct{ path, want string }{
		"none installed":   {"", "instructions: valgrind is not installed"},
		"one that fails":   {"exit 7", "instructions: with valgrind it fails, and without it does not: exit status 7"},
		"one that is mute": {"true", "instructions: callgrind has counted nothing"},
	} {
		t.Run(what, func(t *testing.T) {
			shell, err := exec.LookPath("true")
			if err != nil {
				t.Skip(err)
			}
			t.Setenv("PATH", t.TempDir())
			if c.path != "" {
				t.Setenv("PATH", filepath.Dir(shell))
				withValgrind(t, strings.Replace(c.path, "exit 7", `sh -c "exit 7"`, 1))
			}
			got := runCases(t, context.Background(), "fake", program("x", []string{shell}, simulated))[0]
			found := ""
			for _, w := range got.Warnings {
				if w.Code == result.WarnNoCounters {
					found = w.Message
				}
			}
			if !strings.HasPrefix(found, c.want) || got.Status != result.Measured || got.Summary("instructions") != nil {
				t.Errorf("%q, want %q; %+v", found, c.want, got.Failure)
			}
			judged := func(c *spec.Case) { c.Callgrind, c.Settings.Judge = true, result.JudgeInstructions }
			got = runCases(t, context.Background(), "fake", program("x", []string{shell}, judged))[0]
			if got.Status != result.Failed || !strings.HasPrefix(got.Failure.Message, c.want) {
				t.Errorf("judged by instructions it is %s: %+v", got.Status, got.Failure)
			}
		})
	}
}

// What fails without valgrind, too, is its own failure, and not one of the machine.
func TestFailuresOfCountedPrograms(t *testing.T) {
	withValgrind(t, `"$@"`)
	judged := func(c *spec.Case) { c.Callgrind, c.Settings.Judge = true, result.JudgeInstructions }
	runs := filepath.Join(t.TempDir(), "runs")
	fails := program("fails", []string{script(t, "echo with $GODEBUG >> "+runs+"; exit 3"), "1000"}, judged)
	killed := program("killed", []string{script(t, "[ -z $GODEBUG ] || kill -ILL $$"), "1000"}, judged)
	crashes := "If that doesn't help, please report this bug to: www.valgrind.org\n\nversion, and what OS you are using.  Thanks."
	crashed := program("crashed", []string{script(t, "[ -z $GODEBUG ] || { echo \""+crashes+"\" >&2; exit 1; }"), "1000"}, judged)
	got := runCases(t, context.Background(), "fake", fails, killed, crashed)
	for i, want := range []*result.Failure{
		{Cause: result.FailedExit, Message: "exit status 3"},
		{Cause: result.FailedUncounted, Message: "instructions: with valgrind it fails, and without it does not: ended by signal SIGILL"},
		{Cause: result.FailedUncounted, Message: "instructions: valgrind crashes, as it does if a Go program starts processes"},
	} {
		if f := got[i].Failure; f == nil || f.Cause != want.Cause || f.Message != want.Message {
			t.Errorf("%s: %+v", got[i].Name, f)
		}
	}
	text, err := os.ReadFile(runs)
	if n := strings.Count(string(text), "with\n"); err != nil || n != 1 {
		t.Errorf("it was run %d times without valgrind, and not once: %q, %v", n, text, err)
	}
}

// A case whose gates are undecided or fail is counted unasked, if it has a base and the suite file does not forbid it. What
// goes wrong then is a reason, and no doubt about the times.
func TestUnsettledCasesAreCounted(t *testing.T) {
	few := func(c *spec.Case) { c.Settings.SamplesMin, c.Settings.SamplesMax, c.Settings.Warmup = 3, 3, 0 }
	based := func(c *spec.Case) { c.Base = "base" }
	forbids := func(c *spec.Case) { c.NoWitness = true }
	for what, valgrind := range map[string]string{"counts": `"$@"`, "fails": `sh -c "exit 7"`} {
		withValgrind(t, valgrind)
		sleep := func(name string, with ...func(*spec.Case)) spec.Case {
			return program(name, []string{"echo", "3000", "1"}, append(with, few)...)
		}
		plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{sleep("base"), sleep("unsettled", based), sleep("settled", based), sleep("forbids", based, forbids)}}
		doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real"),
			Unsettled: func(c *result.Case) bool { return c.Name != "settled" }})
		for i := range doc.Cases {
			c := &doc.Cases[i]
			_, _, counted := c.CountedRuns()
			if want := what == "counts" && c.Name == "unsettled"; counted != want || c.Status != result.Measured || warned(*c, "callgrind") || warned(*c, "no-counters") {
				t.Errorf("%s: %s is counted: %t; %s, warnings %+v", what, c.Name, counted, c.Status, c.Warnings)
			}
			if c.Name == "unsettled" && what == "fails" && !strings.Contains(c.Pairs.NoInstructions, "exit status 7") {
				t.Errorf("the reason is %q", c.Pairs.NoInstructions)
			}
		}
	}
}

func TestFunctionsThatMoved(t *testing.T) {
	base := map[string]float64{"same": 1000, "more": 500, "gone": 30, "noise": 100}
	own := map[string]float64{"same": 1000, "more": 700, "new": 30, "noise": 101}
	want := []result.MovedFunction{{Function: "more", Base: 500, Candidate: 700}, {Function: "gone", Base: 30}, {Function: "new", Candidate: 30}}
	if got := movedFunctions(base, own); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// spin is what "spins" and "spins twice" do in an iteration.
var spin uint64

func init() {
	for name, rounds := range map[string]int{"spins": 1000, "spins twice": 2000} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			return func(n int) {
				x := spin + 1
				for range n {
					for range rounds {
						x ^= x << 13
						x ^= x >> 7
						x ^= x << 17
					}
				}
				spin = x
			}
		})
	}
}

// The real one counts a loop of 1000 rounds, each of 6 to 20 instructions, and twice as many of
// a loop of 2000.
func TestCallgrindCountsALoop(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if _, err := exec.LookPath(callgrind.Program); err != nil {
		t.Skipf("callgrind is part of valgrind: %v", err)
	}
	slow := func(c *spec.Case) { // valgrind takes its time where other tests run
		c.Settings.Timeout, c.Settings.MaxTime = spec.Duration(2*time.Minute), spec.Duration(2*time.Minute)
		c.Settings.SamplesMax = 20
	}
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{function("spins", simulated, slow), function("spins twice", simulated, slow)}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	counts := 0
	doc := Run(ctx, []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real"), Observe: func(p Progress) {
		if p.Phase != "count" {
			return
		}
		// When its runs have their size, and after each run. One shows it, and takes a second. The other is counted before it.
		if p.Case != "spins twice" {
			return
		}
		if counts++; counts == 2 {
			cancel()
		}
	}})
	once, twice := doc.Cases[0].Summary("instructions"), doc.Cases[1].Summary("instructions")
	if once == nil || twice == nil {
		t.Fatalf("warnings %+v and %+v", doc.Cases[0].Warnings, doc.Cases[1].Warnings)
	}
	if once.Median < 6000 || once.Median > 20_000 || !close1(twice.Median, 2*once.Median, 0.1) {
		t.Errorf("%g and %g instructions", once.Median, twice.Median)
	}
}

// The iterations of a run are as many as two runs of a process need to agree, within bounds.
func TestIterationsOfACountedRun(t *testing.T) {
	for name, c := range map[string]struct {
		each   func(i int) float64 // instructions of the i-th iteration of the process, from 0
		inputs int                 // that there are, 0: as many as one likes
		parts  int                 // of an iteration
		want   int                 // 0: what has at most four times the most instructions
	}{
		"a steady loop":                       {each: func(int) float64 { return 1000 }, want: 2000},
		"one long iteration":                  {each: func(int) float64 { return 3e7 }, want: 1},
		"memory now and then":                 {each: func(i int) float64 { return 1000 + 6e5*isTrue(i%3500 == 0) }, want: 8000},
		"a cache that is filled at some time": {each: func(i int) float64 { return 1000 + 1000*isTrue(i < 1600) }, want: 4000},
		"runs that never agree":               {each: func(i int) float64 { return 1000 * float64(i%77777) }},
		"inputs that are used up":             {each: func(int) float64 { return 1000 }, inputs: 30, want: 30},
		"a clock that is stopped each time":   {each: func(int) float64 { return 1000 }, parts: 1, want: 100},
		"nothing":                             {each: func(int) float64 { return 0 }, want: mostCountedIterations},
	} {
		at, counted := 0, 0.0
		search := countingSearch{wanted: wantedInstructions, most: mostInstructions}
		got, failure := search.iterations(func(n int) (callgrind.Count, int, *result.Failure) {
			if c.inputs > 0 {
				n = min(n, c.inputs)
			}
			count := callgrind.Count{Parts: 1 + n*c.parts}
			for range n {
				count.Instructions += c.each(at)
				at++
			}
			counted = count.Instructions
			return count, n, nil
		})
		if failure != nil || c.want > 0 && got != c.want {
			t.Errorf("%s: %d iterations, %v, want %d", name, got, failure, c.want)
		}
		if c.want == 0 && counted > 4*mostInstructions {
			t.Errorf("%s: a run of %g instructions", name, counted)
		}
	}
}

func isTrue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
