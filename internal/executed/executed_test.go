package executed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/reach"
	"example.com/suite/runner/host/wire"
)

// fake is a case that executes what its function returns.
type fake struct {
	name    string
	most    time.Duration
	execute coverer
	built   int // times that a program was built for it
}

func (f *fake) key() []string {
	if f.name == "" {
		return nil
	}
	return []string{f.name}
}

func (f *fake) limit() time.Duration { return f.most }

func (f *fake) build(context.Context, *Runs) (coverer, error) {
	f.built++
	return f.execute, nil
}

// What a case has executed is believed for a day, if all that it looks at is known.
func TestCasesAreRunOnceADay(t *testing.T) {
	r := &Runs{Cache: t.TempDir()}
	started := 0
	execute := func(context.Context) (*reach.Coverage, error) {
		started++
		return &reach.Coverage{Idle: []string{"example.com/x.F"}}, nil
	}
	ask := func(c Case, most int) {
		t.Helper()
		k, err := r.Of(t.Context(), c)
		if err != nil || !slices.Equal(k.Coverage.Idle, []string{"example.com/x.F"}) || started != most {
			t.Errorf("got %v, %v after %d runs, want %d", k, err, started, most)
		}
	}
	one := &fake{name: "one", most: time.Hour, execute: execute}
	ask(one, 1)
	ask(one, 1)
	yesterday := time.Now().Add(-keptFor - time.Minute)
	if err := os.Chtimes(r.place(one), yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	ask(one, 2)
	unknown := &fake{most: time.Hour, execute: execute} // what it looks at is not known
	ask(unknown, 3)
	ask(unknown, 4)

	// A case that is proved to do the same is not run, and what is known of it is no younger. What several cases execute
	// is more than what one of them does.
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	same, several := &fake{name: "same", most: time.Hour, execute: execute}, &fake{name: "several", most: time.Hour, execute: execute}
	r.Adopt(same, &Known{Coverage: &reach.Coverage{Idle: []string{"example.com/x.F"}}, At: before})
	ask(same, 4)
	if one.built != 2 || unknown.built != 2 || same.built != 0 {
		t.Errorf("%d, %d and %d programs were built that count", one.built, unknown.built, same.built)
	}
	if k := r.Known(same); k == nil || !k.At.Equal(before) || k.Shared {
		t.Errorf("%+v", k)
	}
	r.Adopt(several, &Known{Coverage: &reach.Coverage{}, At: before, Shared: true})
	if k := r.Known(several); k == nil || !k.Shared {
		t.Errorf("%+v", k)
	}
	ask(several, 5)
}

// Cases have one answer only if all is the same that decides what they execute.
func TestAnswersAreOfOneCase(t *testing.T) {
	r := &Runs{Cache: t.TempDir()}
	b := func(change func(*Benchmark)) Case {
		one := &Benchmark{Test: &build.Test{Hash: "program"}, Names: []string{"BenchmarkX"}, Procs: 2, State: "state"}
		change(one)
		return one
	}
	places := map[string]int{}
	for i, c := range []Case{
		b(func(*Benchmark) {}), b(func(b *Benchmark) { b.State = "other" }), b(func(b *Benchmark) { b.Names = []string{"BenchmarkY"} }),
		b(func(b *Benchmark) { b.Test = &build.Test{Hash: "other"} }), b(func(b *Benchmark) { b.Procs = 1 }), b(func(b *Benchmark) { b.N = 100 }),
		b(func(b *Benchmark) { b.Goal = time.Second }), b(func(b *Benchmark) { b.Names = append(b.Names, "BenchmarkY") }),
		&Function{Program: &build.Program{Hash: "program"}, State: "state"}, &Function{Program: &build.Program{Hash: "other"}, State: "state"},
	} {
		if at, is := places[r.place(c)]; is {
			t.Errorf("cases %d and %d share an answer", at, i)
		}
		places[r.place(c)] = i
	}
	if r.place(b(func(b *Benchmark) { b.State = "" })) != "" || r.place(&Function{Program: &build.Program{}}) != "" {
		t.Error("a case of which nothing is known has an answer")
	}
}

// A run that fails or takes too long is no evidence, and neither is half a file.
func TestFailedRunsAreNotKept(t *testing.T) {
	r := &Runs{Cache: t.TempDir()}
	broken := errors.New("it fails with coverage")
	failing := &fake{name: "x", most: time.Hour, execute: func(context.Context) (*reach.Coverage, error) { return nil, broken }}
	if _, err := r.Of(t.Context(), failing); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	_, err := r.Of(t.Context(), &fake{name: "x", most: time.Nanosecond, execute: func(ctx context.Context) (*reach.Coverage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if err == nil || !strings.Contains(err.Error(), "its runs take longer than 1ns") {
		t.Errorf("got %v", err)
	}
	// A long run that is cut short shows nothing, and the others show what they did.
	long := &fake{name: "long", most: time.Nanosecond, execute: func(ctx context.Context) (*reach.Coverage, error) {
		<-ctx.Done()
		return &reach.Coverage{}, nil
	}}
	if k, err := r.Of(t.Context(), long); err != nil || k == nil {
		t.Errorf("got %v, %v", k, err)
	}
	ended, end := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	end(interrupted)
	whole := &fake{name: "x", most: time.Hour, execute: func(context.Context) (*reach.Coverage, error) { return &reach.Coverage{}, nil }}
	if _, err := r.Of(ended, whole); !errors.Is(err, interrupted) {
		t.Errorf("got %v", err)
	}
	if k := r.Known(whole); k != nil {
		t.Errorf("%v is kept", k)
	}
	r.Adopt(whole, &Known{Coverage: &reach.Coverage{Idle: []string{"example.com/x.F"}}, At: time.Now()})
	text, err := os.ReadFile(r.place(whole))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.place(whole), text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if k := r.Known(whole); k != nil {
		t.Errorf("half a file is believed: %v", k)
	}
}

// A binary runs with as many iterations as a sample has: as many as are asked for, or as package testing finds.
func TestIterationsOfASample(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "x.test")
	x, several := []string{"BenchmarkX"}, []string{"BenchmarkX/a", "BenchmarkX/b"}
	for _, test := range []struct {
		n      int
		names  []string
		prints string
		want   []int
		err    string
	}{
		{500, x, "", []int{500}, ""},
		{500, several, "", []int{500, 500}, ""},
		{0, x, "BenchmarkX-2 \t 70 \t 12 ns/op\nBenchmarkX-2 \t 700 \t 11 ns/op\nBenchmarkXY-2 \t 9000 \t 1 ns/op\n", []int{700}, ""},
		{0, x, "BenchmarkX/a-2 \t 70 \t 12 ns/op\n", nil, "it prints no number of iterations"},
		{0, x, "PASS\n", nil, "it prints no number of iterations"},
		{0, several, "BenchmarkX/b-2 \t 70 \t 12 ns/op\nBenchmarkX/a-2 \t 700 \t 11 ns/op\nBenchmarkX/c-2 \t 3 \t 11 ns/op\n", []int{700, 70}, ""},
		{0, several, "BenchmarkX/b-2 \t 70 \t 12 ns/op\n", nil, "it prints no number of iterations"},
	} {
		if err := os.WriteFile(binary, []byte("#!/bin/sh\nprintf '"+test.prints+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		b := &Benchmark{Test: &build.Test{Path: binary, Dir: t.TempDir()}, Names: test.names, Procs: 2, N: test.n, Goal: time.Millisecond, Limit: time.Minute}
		n, err := b.iterations(t.Context())
		if !slices.Equal(n, test.want) || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q: got %d, %v", test.prints, n, err)
		}
	}
}

// A benchmark that begins with work has longer samples, and so more iterations; so may one of which one iteration lasts
// as long as a sample.
func TestIterationsOfASampleThatBeginsWithWork(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "x.test")
	const script = `#!/bin/sh
case "$* " in
*benchtime=1000000ns*) printf 'BenchmarkX/even-2 100 10000 ns/op\nBenchmarkX/begins-2 50 20000 ns/op\nBenchmarkX/slow-2 1 2000000 ns/op\n';;
*benchtime=1x*) printf 'BenchmarkX/even-2 1 100000 ns/op\nBenchmarkX/begins-2 1 500000 ns/op\nBenchmarkX/slow-2 1 2000000 ns/op\n';;
*benchtime=10000000ns*) printf 'BenchmarkX/begins-2 900 11000 ns/op\nBenchmarkX/slow-2 5 2000000 ns/op\n';;
esac
`
	if err := os.WriteFile(binary, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b := &Benchmark{Test: &build.Test{Path: binary, Dir: t.TempDir()}, Procs: 2, Goal: time.Millisecond,
		Names: []string{"BenchmarkX/even", "BenchmarkX/begins", "BenchmarkX/slow"}, Limit: time.Minute}
	if n, err := b.iterations(t.Context()); err != nil || !slices.Equal(n, []int{100, 900, 5}) {
		t.Errorf("%d, %v", n, err)
	}
}

// Several benchmarks are known by one process only if each of them has run in it, with all iterations of a sample.
func TestSeveralBenchmarksInOneProcess(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "x.test")
	for _, test := range []struct {
		answers, ends string
		err           string
		how           string // pass if empty
	}{
		{"ok 70 0 1\nok 8 0 1\n", "exit 0", "", ""},
		{"ok 70 0 1\nok 8 0 1\nok 70 0 1\nok 8 0 1\n", "exit 0", "", ""},
		{"ok 70 0 1\nok 7 0 1\n", "exit 0", "benchmark 2 of 2 does not run in one process with the others", ""},
		{"ok 69 0 1\nok 8 0 1\n", "exit 0", "benchmark 1 of 2 does not run in one process with the others", ""},
		{"ok 70 0 1\n", "exit 0", "benchmark 2 of 2 does not run in one process with the others", ""},
		{"ok 70 0 1\nLEFT\n", "exit 0", "benchmark 2 of 2 does not run in one process with the others", ""},
		{"ok 70 0 1\nSKIP\n", "exit 0", "benchmark 2 of 2 does not run in one process with the others", ""},
		{"", "exit 0", "benchmark 1 of 2 does not run in one process with the others", ""},
		{"ok 70 0 1\nFAIL\n", "exit 1", "it fails with coverage: exit status 1", ""},
		{"ok 70 0 1\nok 8 0 1\n", "exit 1", "it fails with coverage: exit status 1", ""},
		{"ok 70 0 1\nok 8 0 1\n", "exit 1", "", wire.Samples}, // the function has not all of its benchmarks
		{"ok 70 0 1\nok 8 0 1\n", "exit 2", "it fails with coverage: exit status 2", wire.Samples},
		{"ok 70 0 1\nFAIL\n", "exit 1", "benchmark 2 of 2 does not run in one process with the others", wire.Samples},
	} {
		how := cmp.Or(test.how, wire.Passes)
		requests := "70 BenchmarkX/a\n8 BenchmarkX/b"
		again, rests := time.Duration(0), strings.Count(test.answers, "\n") > 2 // all run twice
		if rests {
			again = build.Life / 2
			requests += strings.Repeat("\n070 BenchmarkX/a\n08 BenchmarkX/b", 1000) + "\n+" + requests
		}
		script := `#!/bin/sh
[ "$SUITE_BENCHMARK" = ` + how + ` ] || exit 2
[ "$(cat <&3)" = "` + requests + `" ] || exit 3
printf '` + test.answers + `' >&4
` + test.ends + "\n"
		if err := os.WriteFile(binary, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		b := &Benchmark{Names: []string{"BenchmarkX/a", "BenchmarkX/b"}, Procs: 2, Limit: time.Minute}
		err := b.serve(t.Context(), &build.Test{Path: binary, Dir: t.TempDir()}, how, []int{70, 8}, again, rests, filepath.Join(t.TempDir(), "profile1"))
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q, %s: got %v, want %s", test.answers, test.ends, err, test.err)
		}
	}
}

// Every second run has a fast clock. If something waits, two more have fast timers too, and may not take long.
func TestRunsOfDifferentSpeed(t *testing.T) {
	dir := t.TempDir()
	text := "package x\n\nimport \"time\"\n\nfunc F() { time.Sleep(1) }\n"
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	source := func() (*reach.Functions, error) {
		return reach.NewFunctions([]reach.Source{{Path: "example.com/x", Dir: dir, Files: []string{"x.go"}}})
	}
	var runs []string
	run := func(ctx context.Context, profile string, fast []string, life time.Duration) error {
		_, ends := ctx.Deadline()
		runs = append(runs, fmt.Sprint(fast, life, ends))
		return os.WriteFile(profile, []byte("mode: set\nexample.com/x/x.go:5.10,5.25 1 1\nlong 1\n"), 0o600)
	}
	c, err := profiled(context.Background(), source, run)
	long := "[SUITE_FAST_CLOCK=1000 SUITE_LONG_LIFE=600000000] 600ms true"
	if want := []string{"[] 0s false", "[SUITE_FAST_CLOCK=1000] 0s false", long, long}; err != nil || !slices.Equal(runs, want) || len(c.Varying) > 0 {
		t.Errorf("%q, %v, %+v, want %q", runs, err, c, want)
	}
}

// Every second run of one benchmark executes it again and again: what earlier samples have left may change what it does.
func TestABenchmarkRunsAgainInOneProcess(t *testing.T) {
	dir := t.TempDir()
	binary, log := filepath.Join(dir, "x.test"), filepath.Join(dir, "log")
	script := `#!/bin/sh
for a; do case $a in -test.coverprofile=*) profile=${a#*=};; esac; done
if [ -n "$SUITE_BENCHMARK" ]; then
	n=$(sort <&3 | uniq -c | tr -s ' \n' ' ')
	echo "$SUITE_BENCHMARK, $SUITE_FAST_CLOCK, $SUITE_YOUTH:$n" >>` + log + `
	echo "ok 70 0 1" >&4
elif [ -n "$profile" ]; then
	echo once >>` + log + `
fi
[ -z "$profile" ] || printf 'mode: set\nexample.com/x/x.go:3.13,3.14 1 1\n' >$profile
echo "BenchmarkX/a-2 70 1000 ns/op"
`
	for file, text := range map[string]string{binary: script, filepath.Join(dir, "x.go"): "package x\n\nfunc F() { }\n"} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	test := &build.Test{Path: binary, Dir: dir, Serves: true}
	b := &Benchmark{Test: test, Names: []string{"BenchmarkX/a"}, Procs: 2, N: 70, Limit: time.Minute}
	_, err := b.cover(t.Context(), counting[*build.Test]{program: test, source: func() (*reach.Functions, error) {
		return reach.NewFunctions([]reach.Source{{Path: "example.com/x", Dir: dir, Files: []string{"x.go"}}})
	}})
	got, _ := os.ReadFile(log)
	want := fmt.Sprintf("once\n%s, 1000, %d: 833 070 BenchmarkX/a 1 70 BenchmarkX/a \n", wire.Passes, build.Youth)
	if err != nil || string(got) != want {
		t.Errorf("%v, %q, want %q", err, got, want)
	}
}
