// Package executed finds out which functions of its program a case executes. It runs the case with coverage, with as
// many iterations as a sample has. It compares nothing: package reach decides what the answer is worth.
package executed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
	"example.com/suite/runner/host/wire"
)

// Benchmark is an existing benchmark that is run, or several of one function: then all that any of them executes
// counts.
type Benchmark struct {
	Test  *build.Test
	Names []string // as they are printed, without GOMAXPROCS: BenchmarkParse/small. Several need a Test that serves
	Procs int      // GOMAXPROCS, at least 1
	Env   []string
	N     int           // iterations of a sample; 0: as many as last Goal
	Goal  time.Duration // of a sample
	Limit time.Duration // of all runs together
	State string        // names the benchmark and all that it looks at, see observed.Observer.State; "": it is not known
}

// Function is a registered function that is run.
type Function struct {
	Program *build.Program
	// Measure takes samples in a host, which a command starts, and returns how many iterations a sample had: n, or as
	// many as the case asks for if n is 0. The function lives for so long at least, and is executed before and after.
	Measure func(ctx context.Context, host []string, n int64, life time.Duration) (iterations int64, err error)
	Limit   time.Duration // of all runs together
	State   string        // see Benchmark
}

// Runs runs cases with coverage.
type Runs struct {
	Cache string // folder; empty: suite in the user's cache

	tests    map[string]counting[*build.Test] // by the path of the program that does not count
	programs map[string]counting[*build.Program]
	records  usercache.Records // in Cache
}

// counting is a program that counts what it executes.
type counting[P any] struct {
	program P
	source  func() (*reach.Functions, error) // is read when it is first needed
	err     error
}

// Case is a Benchmark or a Function.
type Case interface {
	key() []string // what decides what it executes, nil if that is not known
	// build builds the program that counts, and returns what runs the case with it.
	build(ctx context.Context, r *Runs) (cover coverer, err error)
	limit() time.Duration
}

func (b *Benchmark) key() []string {
	if b.State == "" {
		return nil
	}
	return []string{b.State, b.Test.Hash, strings.Join(b.Names, "\x00"), fmt.Sprint(b.Procs, b.N, b.Goal),
		build.FastClock, build.LongLife, build.YoungFor}
}

func (f *Function) key() []string {
	if f.State == "" {
		return nil
	}
	return []string{f.State, f.Program.Hash, build.FastClock, build.LongLife, build.YoungFor}
}

func (b *Benchmark) limit() time.Duration { return b.Limit }

func (f *Function) limit() time.Duration { return f.Limit }

type coverer func(context.Context) (*reach.Coverage, error)

func (b *Benchmark) build(ctx context.Context, r *Runs) (coverer, error) {
	c := counted(&r.tests, b.Test.Path, func() (*build.Test, []reach.Source, error) { return b.Test.Covered(ctx) })
	return func(ctx context.Context) (*reach.Coverage, error) { return b.cover(ctx, c) }, c.err
}

func (f *Function) build(ctx context.Context, r *Runs) (coverer, error) {
	c := counted(&r.programs, f.Program.Path, func() (*build.Program, []reach.Source, error) {
		return f.Program.Covered(ctx)
	})
	return func(ctx context.Context) (*reach.Coverage, error) { return f.cover(ctx, c) }, c.err
}

// Known is what an earlier run of suite has found out.
type Known struct {
	Coverage *reach.Coverage `json:"coverage"`
	Shared   bool            `json:"shared,omitempty"` // it is what several cases execute, and the case is one of them

	At time.Time `json:"-"` // when it was run
}

// Known returns what a case executes if it has been run within a day, else nil.
func (r *Runs) Known(c Case) *Known { return known(r.place(c)) }

// Adopt notes what a case executes that has not been run, because it does what another was found to do: of that, k is
// known.
func (r *Runs) Adopt(c Case, k *Known) { r.keep(r.place(c), k) }

// Of returns what a case executes, from the cache if it has been run within a day. The error explains why that is not
// known.
func (r *Runs) Of(ctx context.Context, c Case) (*Known, error) {
	if k := r.Known(c); k != nil && !k.Shared {
		return k, nil
	}
	cover, err := c.build(ctx, r)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, c.limit(), build.ErrSlow)
	defer cancel()
	coverage, err := cover(limited)
	k := &Known{Coverage: coverage, At: time.Now()}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case limited.Err() != nil && err != nil: // it is none if only a long run was cut short
		return nil, &SlowError{c.limit()}
	case err != nil:
		return nil, err
	}
	r.keep(r.place(c), k)
	return k, nil
}

// SlowError is the error of runs that take longer than they may.
type SlowError struct{ Limit time.Duration }

func (e *SlowError) Error() string { return fmt.Sprintf("its runs take longer than %s", e.Limit) }

// counted builds a program that counts, once.
func counted[P any](built *map[string]counting[P], path string, build func() (P, []reach.Source, error)) counting[P] {
	c, done := (*built)[path]
	if done {
		return c
	}
	var sources []reach.Source
	c.program, sources, c.err = build()
	c.source = sync.OnceValues(func() (*reach.Functions, error) { return reach.NewFunctions(sources) })
	if c.err != nil {
		c.err = fmt.Errorf("it does not build with coverage: %w", c.err)
	}
	if *built == nil {
		*built = map[string]counting[P]{}
	}
	(*built)[path] = c
	return c
}

// mostLong is how long a long run may take. With fast timers a case may wait for something that does not come.
const mostLong = 8 * build.Life

// profiled runs what leaves a coverage profile in a file. fast are variables of the environment that make time go on
// faster, in every second run and in long ones, which have a life.
func profiled(
	ctx context.Context, source func() (*reach.Functions, error),
	run func(ctx context.Context, profile string, fast []string, life time.Duration) error,
) (*reach.Coverage, error) {
	functions, err := source()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "suite-executed-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	runs := 0
	return reach.Observe(functions, func(long bool) (io.ReadCloser, error) {
		runs++
		ctx := ctx
		var fast []string
		var life time.Duration
		switch {
		case long:
			fast, life = []string{build.FastClock, build.LongLife}, build.Life
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, mostLong)
			defer cancel()
		case runs%2 == 0:
			fast = []string{build.FastClock}
		}
		profile := filepath.Join(dir, fmt.Sprintf("profile%d", runs))
		if err := run(ctx, profile, fast, life); err != nil {
			return nil, err
		}
		f, err := os.Open(profile)
		if err != nil {
			return nil, errors.New("it ends without a coverage profile")
		}
		return f, nil
	})
}

func (b *Benchmark) cover(ctx context.Context, c counting[*build.Test]) (*reach.Coverage, error) {
	counts, err := b.iterations(ctx)
	if err != nil {
		return nil, err
	}
	return profiled(ctx, c.source, func(ctx context.Context, profile string, fast []string, life time.Duration) error {
		of, how, counts := *b, wire.Samples, slices.Clone(counts)
		of.Names = slices.Clone(b.Names)
		if fast != nil {
			of.Env, how = slices.Concat(b.Env, fast), wire.Passes
		}
		switch {
		case life > 0:
			return of.serve(ctx, c.program, how, counts, life/2, true, profile)
		case fast != nil && b.Test.Serves:
			of.Env = append(of.Env, build.YoungFor)
			return of.serve(ctx, c.program, how, counts, build.Youth, false, profile)
		case len(b.Names) == 1:
			_, err := of.run(ctx, c.program, fmt.Sprintf("%dx", counts[0]), "-test.coverprofile="+profile)
			return err // also if there is no such benchmark with coverage
		}
		slices.Reverse(of.Names) // in another order than in other runs
		slices.Reverse(counts)
		return of.serve(ctx, c.program, how, counts, 0, false, profile)
	})
}

func (f *Function) cover(ctx context.Context, c counting[*build.Program]) (*reach.Coverage, error) {
	n, err := f.Measure(ctx, f.Program.Argv(), 0, 0)
	if err != nil {
		return nil, err
	}
	return profiled(ctx, c.source, func(ctx context.Context, profile string, fast []string, life time.Duration) error {
		argv := c.program.CoveredArgv(profile)
		if env, err := exec.LookPath("env"); fast != nil && err == nil { // a host has no environment of its own in a plan
			argv = slices.Concat([]string{env}, fast, argv)
		}
		if _, err := f.Measure(ctx, argv, n, life); err != nil {
			return fmt.Errorf("it fails with coverage: %w", err)
		}
		return nil
	})
}

// iterations returns how many iterations a sample of each benchmark has, as found by package testing without coverage.
func (b *Benchmark) iterations(ctx context.Context) ([]int, error) {
	if b.N > 0 {
		return slices.Repeat([]int{b.N}, len(b.Names)), nil
	}
	usual, err := b.run(ctx, b.Test, fmt.Sprintf("%dns", b.Goal))
	if err != nil {
		return nil, err
	}
	single, err := b.run(ctx, b.Test, "1x")
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(b.Names))
	long := *b
	long.Names = nil
	for i := range usual {
		counts[i] = usual[i].iterations
		if usual[i].beginsAfter(single[i]) {
			long.Names = append(long.Names, b.Names[i])
		}
	}
	if len(long.Names) == 0 {
		return counts, nil
	}
	longer, err := long.run(ctx, b.Test, fmt.Sprintf("%dns", beginGoals*b.Goal))
	for i := range longer {
		at := slices.Index(b.Names, long.Names[i])
		counts[at] = max(counts[at], longer[i].iterations)
	}
	return counts, err
}

// A sample that begins with work which later iterations do not have gets more iterations: it may use a CPU for
// beginGoals times as long, see package host.
const (
	beginGoals   = 10
	beginMatters = 0.15 // of the time of all iterations
)

// took is what package testing prints of a benchmark.
type took struct {
	iterations int
	each       float64 // ns
}

// beginsAfter reports whether iterations may begin with work, by the time of a single one.
func (t took) beginsAfter(single took) bool {
	if t.iterations == 1 {
		return true
	}
	all := t.each * float64(t.iterations)
	each := max(all-single.each, 0) / float64(t.iterations-1)
	return single.each-each >= beginMatters*all
}

// run starts a binary as a sample does, see package runner, and returns what each benchmark took.
func (b *Benchmark) run(ctx context.Context, t *build.Test, benchtime string, more ...string) ([]took, error) {
	text, err := b.start(ctx, t, nil, nil, append([]string{"-test.bench=" + benchname.Only(b.Names...),
		"-test.benchtime=" + benchtime}, more...)...)
	if err != nil {
		return nil, err
	}
	all := make([]took, len(b.Names))
	lines, err := extract.Benchmarks(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	for i, name := range b.Names {
		printed := benchname.Procs(name, b.Procs)
		for j := range lines {
			if benchname.Prefix+lines[j].Full == printed && lines[j].Iterations > all[i].iterations {
				all[i] = took{lines[j].Iterations, nanoseconds(lines[j].Values)}
			}
		}
		if all[i].iterations == 0 {
			return nil, errors.New("it prints no number of iterations")
		}
	}
	return all, nil
}

// nanoseconds returns the time of an iteration, 0 if it is not printed.
func nanoseconds(values []extract.Value) float64 {
	for _, v := range values {
		if v.Unit == "ns/op" {
			return v.Value
		}
	}
	return 0
}

// shortestPass is how long a pass takes at least if passes are to fill the time that they have.
const shortestPass = 300 * time.Microsecond

// serve runs benchmarks of a function in one process, each with so many iterations, and again and again for a time: what
// they leave in variables may change what they do. In a long run they rest then, and run once more: what a timer does
// happens while they run, and while they do not. how is Samples or Passes of package wire.
func (b *Benchmark) serve(
	ctx context.Context, t *build.Test, how string, counts []int, again time.Duration, rests bool, profile string,
) error {
	var asked strings.Builder
	for i, name := range b.Names {
		fmt.Fprintf(&asked, "%d %s\n", counts[i], name)
	}
	pass := asked.String()
	left := "0" + strings.ReplaceAll(strings.TrimSuffix(pass, "\n"), "\n", "\n0") + "\n" // out when the time is over
	asked.WriteString(strings.Repeat(left, int(again/shortestPass)))
	if rests {
		asked.WriteString("+" + pass)
	}
	requests, answers := profile+".requests", profile+".answers"
	if err := errors.Join(os.WriteFile(requests, []byte(asked.String()), 0o600),
		os.WriteFile(answers, nil, 0o600)); err != nil {
		return err
	}
	in, err := os.Open(requests)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(answers, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = b.start(ctx, t, []*os.File{in, out}, []string{wire.BenchmarkVariable + "=" + how}, "-test.bench=.",
		"-test.benchtime=1x", "-test.coverprofile="+profile)
	// A function may compare what its benchmarks have found, and fail because only one has run. So it does when samples
	// are taken, and their answers count.
	var exit *exec.ExitError
	if incomplete := how == wire.Samples && errors.As(err, &exit) && exit.ExitCode() == 1; err != nil && !incomplete {
		return err
	}
	text, err := os.ReadFile(answers)
	if err != nil {
		return err
	}
	return answered(string(text), counts)
}

// answered returns an error if not each of several benchmarks has run with its iterations.
func answered(text string, counts []int) error {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, want := range counts {
		n := 0
		if i < len(lines) {
			_, _ = fmt.Sscanf(lines[i], "ok %d ", &n) // n stays 0
		}
		if n < want {
			return fmt.Errorf("benchmark %d of %d does not run in one process with the others", i+1, len(counts))
		}
	}
	return nil
}

// start starts a binary and returns what it prints.
func (b *Benchmark) start(
	ctx context.Context, t *build.Test, files []*os.File, env []string, args ...string,
) (string, error) {
	args = append([]string{"-test.paniconexit0", "-test.run=^$", "-test.count=1", "-test.benchmem",
		fmt.Sprintf("-test.cpu=%d", b.Procs)}, args...)
	out, err := build.Run(ctx, b.Limit, build.Start{Path: t.Path, Args: args, Dir: t.Dir,
		Env: slices.Concat(b.Env, env), Files: files})
	switch {
	case errors.Is(err, build.ErrSlow), errors.Is(out.Err, build.ErrSlow):
		return "", &SlowError{b.Limit}
	case err != nil:
		return "", err
	case out.Err != nil:
		return "", fmt.Errorf("it fails with coverage: %w", out.Err)
	}
	return out.Stdout, nil
}

const (
	keptFor   = 24 * time.Hour // a case may do something else on another day
	keptBytes = 256 << 20
)

// place is the file of what a case executes, "" if it cannot be kept.
func (r *Runs) place(c Case) string {
	folder, err := usercache.Folder(r.Cache)
	key := c.key()
	if err != nil || key == nil {
		return ""
	}
	return filepath.Join(folder, "executed", usercache.Key(key...)+".json")
}

func known(place string) *Known {
	info, err := os.Stat(place)
	if err != nil || !usercache.IsFresh(info.ModTime(), keptFor) {
		return nil
	}
	text, err := paths.ReadRegular(place)
	k := &Known{At: info.ModTime()}
	if err != nil || json.Unmarshal(text, k) != nil || k.Coverage == nil {
		return nil
	}
	return k
}

// keep writes what a case executes. A cache that cannot be written costs the next run the time of these runs.
func (r *Runs) keep(place string, k *Known) {
	text, err := json.Marshal(k)
	if place == "" || err != nil || os.MkdirAll(filepath.Dir(place), 0o700) != nil {
		return
	}
	if atomicfile.Write(place, text, 0o600) != nil {
		return
	}
	if os.Chtimes(place, k.At, k.At) != nil { // it would count for too long
		_ = os.Remove(place)
	}
	r.records.Age, r.records.Bytes = keptFor, keptBytes
	r.records.Added(filepath.Dir(place))
}
