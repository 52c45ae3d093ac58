// Package executed finds out which functions of its program an existing benchmark executes. It runs the benchmark with
// coverage, twice, with as many iterations as a sample has, and believes only what both runs agree on. It compares
// nothing: package reach decides what the answer is worth.
package executed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
)

// Benchmark is what is run.
type Benchmark struct {
	Test  *build.Test
	Name  string // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Procs int    // GOMAXPROCS, at least 1
	Env   []string
	N     int           // iterations of a sample; 0: as many as last Goal
	Goal  time.Duration // of a sample
	Limit time.Duration // of all runs together
	State string        // equal if all that the benchmark looks at is the same, see observed.Observer.State
}

// Runs runs benchmarks with coverage.
type Runs struct {
	Cache string // folder; empty: suite in the user's cache

	built map[string]counting // by the path of the test binary
}

// counting is a test binary that counts what it executes.
type counting struct {
	test    *build.Test
	sources []reach.Source
	err     error
}

const runs = 2

// Coverage returns what a benchmark executes, from the cache if it has been run within a day. The error says why that is
// not known.
func (r *Runs) Coverage(ctx context.Context, b Benchmark) (*reach.Coverage, error) {
	c, done := r.built[b.Test.Path]
	if !done {
		c.test, c.sources, c.err = b.Test.Covered(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if r.built == nil {
			r.built = map[string]counting{}
		}
		r.built[b.Test.Path] = c
	}
	if c.err != nil {
		return nil, fmt.Errorf("it does not build with coverage: %w", c.err)
	}
	place := r.place(&b, c.test)
	if known := known(place); known != nil {
		return known, nil
	}
	coverage, err := b.cover(ctx, c)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		keep(place, coverage)
	}
	return coverage, err
}

func (b *Benchmark) cover(ctx context.Context, c counting) (*reach.Coverage, error) {
	limited, cancel := context.WithTimeoutCause(ctx, b.Limit, build.ErrSlow)
	defer cancel()
	n, err := b.iterations(limited)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "suite-executed-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var profiles []io.Reader
	for i := range runs {
		profile := filepath.Join(dir, fmt.Sprintf("profile%d", i))
		if _, err := b.run(limited, c.test, fmt.Sprintf("%dx", n), "-test.coverprofile="+profile); err != nil {
			return nil, err
		}
		f, err := os.Open(profile)
		if err != nil {
			return nil, errors.New("it ends without a coverage profile")
		}
		defer f.Close()
		profiles = append(profiles, f)
	}
	return reach.ReadCoverage(c.sources, profiles...)
}

// iterations returns how many iterations a sample has, as found by package testing without coverage.
func (b *Benchmark) iterations(ctx context.Context) (int, error) {
	if b.N > 0 {
		return b.N, nil
	}
	text, err := b.run(ctx, b.Test, fmt.Sprintf("%dns", b.Goal))
	if err != nil {
		return 0, err
	}
	lines, err := extract.Benchmarks(strings.NewReader(text))
	if err != nil {
		return 0, err
	}
	printed := benchname.Procs(b.Name, b.Procs)
	most := 0
	for i := range lines {
		if benchname.Prefix+lines[i].Full == printed {
			most = max(most, lines[i].Iterations)
		}
	}
	if most == 0 {
		return 0, errors.New("it prints no number of iterations")
	}
	return most, nil
}

// run starts a binary as a sample does, see package runner, and returns what it prints.
func (b *Benchmark) run(ctx context.Context, t *build.Test, benchtime string, more ...string) (string, error) {
	args := append([]string{"-test.run=^$", "-test.bench=" + benchname.Only(b.Name), "-test.count=1", "-test.benchmem",
		fmt.Sprintf("-test.cpu=%d", b.Procs), "-test.benchtime=" + benchtime}, more...)
	out, err := t.Run(ctx, b.Limit, b.Env, args...)
	switch {
	case errors.Is(err, build.ErrSlow), errors.Is(out.Err, build.ErrSlow):
		return "", fmt.Errorf("its runs take longer than %s", b.Limit)
	case err != nil:
		return "", err
	case out.Err != nil:
		return "", fmt.Errorf("it fails with coverage: %w", out.Err)
	}
	return out.Stdout, nil
}

// kept bounds what is in the cache. A benchmark may do something else on another day.
var kept = usercache.Limit{Most: 2000}

const keptFor = 24 * time.Hour

// place is the file of what a benchmark executes, "" if it cannot be kept.
func (r *Runs) place(b *Benchmark, counting *build.Test) string {
	folder, err := usercache.Folder(r.Cache)
	if err != nil || b.State == "" {
		return ""
	}
	environment := slices.Concat(os.Environ(), b.Env)
	slices.Sort(environment)
	return filepath.Join(folder, "executed", usercache.Key(b.Test.Hash, counting.Hash, b.Test.Dir, b.Name, b.State,
		fmt.Sprint(b.Procs, b.N, b.Goal), strings.Join(environment, "\x00"))+".json")
}

func known(place string) *reach.Coverage {
	info, err := os.Stat(place)
	if err != nil || !usercache.IsFresh(info.ModTime(), keptFor) {
		return nil
	}
	text, err := paths.ReadRegular(place)
	c := &reach.Coverage{}
	if err != nil || json.Unmarshal(text, c) != nil {
		return nil
	}
	return c
}

// keep writes what a benchmark executes. A cache that cannot be written costs the next run the time of these runs.
func keep(place string, c *reach.Coverage) {
	text, err := json.Marshal(c)
	if place == "" || err != nil || os.MkdirAll(filepath.Dir(place), 0o700) != nil {
		return
	}
	if atomicfile.Write(place, text, 0o600) == nil {
		kept.Prune(filepath.Dir(place), func(fs.DirEntry) bool { return true })
	}
}
