package executed

import (
	"cmp"
	"context"
	"errors"
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

// What a case has executed is believed for a day, if all that it looks at is the same.
func TestCasesAreRunOnceADay(t *testing.T) {
	r := &Runs{Cache: t.TempDir()}
	started := 0
	cover := func(context.Context) (*reach.Coverage, error) {
		started++
		return &reach.Coverage{Idle: []string{"example.com/x.F"}}, nil
	}
	ask := func(place string, most int) {
		t.Helper()
		c, err := cached(t.Context(), place, time.Hour, cover)
		if err != nil || !slices.Equal(c.Idle, []string{"example.com/x.F"}) || started != most {
			t.Errorf("got %v, %v after %d runs, want %d", c, err, started, most)
		}
	}
	place := r.place("state", []string{"A=1"}, "program", "BenchmarkX")
	ask(place, 1)
	ask(place, 1)
	for _, other := range []string{r.place("other", []string{"A=1"}, "program", "BenchmarkX"), r.place("state", []string{"A=2"}, "program", "BenchmarkX"),
		r.place("state", []string{"A=1"}, "other", "BenchmarkX"), r.place("state", []string{"A=1"}, "program", "BenchmarkY")} {
		if other == place {
			t.Errorf("two cases share %s", place)
		}
	}
	yesterday := time.Now().Add(-keptFor - time.Minute)
	if err := os.Chtimes(place, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	ask(place, 2)
	unknown := r.place("", nil, "program", "BenchmarkX") // what it looks at is not known
	ask(unknown, 3)
	ask(unknown, 4)
}

// A run that fails or takes too long is no evidence, and neither is half a file.
func TestFailedRunsAreNotKept(t *testing.T) {
	r := &Runs{Cache: t.TempDir()}
	place := r.place("state", nil, "program")
	broken := errors.New("it fails with coverage")
	if _, err := cached(t.Context(), place, time.Hour, func(context.Context) (*reach.Coverage, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	_, err := cached(t.Context(), place, time.Nanosecond, func(ctx context.Context) (*reach.Coverage, error) {
		<-ctx.Done()
		return &reach.Coverage{}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "its runs take longer than 1ns") {
		t.Errorf("got %v", err)
	}
	ended, end := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	end(interrupted)
	if _, err := cached(ended, place, time.Hour, func(context.Context) (*reach.Coverage, error) { return &reach.Coverage{}, nil }); !errors.Is(err, interrupted) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(place); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", place, err)
	}
	keep(place, &reach.Coverage{Idle: []string{"example.com/x.F"}})
	text, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(place, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if c := known(place); c != nil {
		t.Errorf("half a file is believed: %v", c)
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

// Several benchmarks are known by one process only if each of them has run in it, with all iterations of a sample.
func TestSeveralBenchmarksInOneProcess(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "x.test")
	for _, test := range []struct {
		answers, ends string
		err           string
		how           string // pass if empty
	}{
		{"ok 70 0 1\nok 8 0 1\n", "exit 0", "", ""},
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
		script := `#!/bin/sh
[ "$SUITE_BENCHMARK" = ` + how + ` ] || exit 2
[ "$(cat <&3)" = "70 BenchmarkX/a
8 BenchmarkX/b" ] || exit 3
printf '` + test.answers + `' >&4
` + test.ends + "\n"
		if err := os.WriteFile(binary, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		b := &Benchmark{Names: []string{"BenchmarkX/a", "BenchmarkX/b"}, Procs: 2, Limit: time.Minute}
		err := b.serve(t.Context(), &build.Test{Path: binary, Dir: t.TempDir()}, how, []int{70, 8}, filepath.Join(t.TempDir(), "profile1"))
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q, %s: got %v, want %s", test.answers, test.ends, err, test.err)
		}
	}
}
