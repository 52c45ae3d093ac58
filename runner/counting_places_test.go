//go:build unix

package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

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
[ $place -ge 4080 ] && work=$((4 * work))
part=0
write() {
	part=$((part + 1))
	printf 'desc: Trigger: Client Request: %%s\nevents: Ir\n\nfn=(1) search\n3 %%s\n\ntotals: %%s\n' $1 $2 $2 > "$COUNTS$$.$part"
}
while read -r n name <&3; do
	write suiteCountBegins 7
	write suiteCountEnds $((n * work))
	echo "ok $n 0 0 0 0 0 0 1 0 0 0 0 1 ns/op" >&4
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

// A side is not above the other because of where its data are: what differs is counted once more, with its data at other
// places in each run. What executes more is above the other all the same.
func TestPlacesAreDrawnBeforeACaseIsCalledDifferent(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := os.WriteFile(filepath.Join(dir, "valgrind"), []byte(fakeValgrindOfTests), 0o777); err != nil {
		t.Fatal(err)
	}
	type side struct{ place, work int }
	for name, c := range map[string]struct {
		base, own side
		fails     error // of a link
		links     int32
		runs      float64 // the median of the case's runs
		want      stats.Side
		warns     bool
	}{
		"equal":            {side{100, 1000}, side{200, 1000}, nil, 0, 1000, stats.Undecided, false},
		"only elsewhere":   {side{100, 1000}, side{4085, 1000}, nil, 12, 1000, stats.Undecided, false},
		"only better":      {side{4085, 1000}, side{100, 1000}, nil, 12, 1000, stats.Undecided, false},
		"more":             {side{100, 1000}, side{200, 1030}, nil, 12, 1030, stats.Above, false},
		"more, elsewhere":  {side{100, 1000}, side{4085, 1030}, nil, 12, 1030, stats.Above, false},
		"cannot be linked": {side{100, 1000}, side{4085, 1000}, errors.New("unknown"), 1, 4000, stats.Above, true},
	} {
		t.Run(name, func(t *testing.T) {
			programs := [2]string{filepath.Join(t.TempDir(), "own"), filepath.Join(t.TempDir(), "base")}
			if err := errors.Join(writePlaced(programs[0], c.own.place, c.own.work), writePlaced(programs[1], c.base.place, c.base.work)); err != nil {
				t.Fatal(err)
			}
			one := spec.Case{Name: "p/X", Kind: result.KindGoTest, Unit: "op", Work: 1, Settings: spec.Defaults(), Callgrind: true,
				GoTest: &spec.GoTest{Pattern: "./p", Package: "m/p", Benchmark: "BenchmarkX", Dir: dir, Program: programs[0], Serves: true}}
			one.Settings.Judge, one.Settings.Tolerance = result.JudgeInstructions, 0.01
			plan := against(one)
			other := *one.GoTest
			other.Program = programs[1]
			plan.Cases[0].Other.Case.GoTest = &other
			var links atomic.Int32
			got := runTrees(t, plan, func(o *Options) {
				o.Host, o.HostOf = hostArgv(t, "real"), nil
				o.Link = func(ctx context.Context, program string, layout draw.Layout, target string) error {
					links.Add(1)
					if c.fails != nil {
						return c.fails
					}
					return linkPlaced(ctx, program, layout, target)
				}
			})[0]
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
			left, err := filepath.Glob(filepath.Join(filepath.Dir(programs[0]), "launch-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("%q are left: %v", left, err)
			}
		})
	}
}
