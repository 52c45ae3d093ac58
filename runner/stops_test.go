package runner

import (
	"slices"
	"testing"
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/runner/target"
)

func TestAStopIsThatOfTheBatchesThatLastedLongEnough(t *testing.T) {
	const ms = int64(time.Millisecond)
	for name, test := range map[string]struct {
		walls   []int64
		own     []int64 // what a command host has seen itself
		stopped time.Duration
		want    []int64
		elapsed int64
	}{
		"no stop":           {walls: []int64{ms, ms}, want: nil, elapsed: 5000 * ms},
		"one long batch":    {walls: []int64{ms, 2001 * ms, ms}, stopped: 2 * time.Second, want: []int64{0, 2000 * ms, 0}, elapsed: 3000 * ms},
		"seen late":         {walls: []int64{ms, 2001 * ms, ms}, stopped: 3 * time.Second, want: []int64{0, 3000 * ms, 0}, elapsed: 2000 * ms},
		"none long enough":  {walls: []int64{ms, ms}, stopped: 2 * time.Second, want: []int64{2000 * ms, 2000 * ms}, elapsed: 3000 * ms},
		"of unknown length": {walls: []int64{ms, 2001 * ms}, stopped: process.UnknownStop, want: []int64{1, 1}, elapsed: 5000*ms - 1},
		"only the command":  {walls: []int64{ms, 2001 * ms}, own: []int64{0, 2000 * ms}, want: []int64{0, 2000 * ms}, elapsed: 3000 * ms},
		"both":              {walls: []int64{ms, 2001 * ms}, own: []int64{0, 1}, stopped: 2 * time.Second, want: []int64{0, 2000 * ms}, elapsed: 3000*ms - 1},
		"longer than all":   {walls: []int64{9000 * ms}, stopped: 9 * time.Second, want: []int64{9000 * ms}, elapsed: 0},
	} {
		r := &wire.Readings{ID: make([]int, len(test.walls)), Columns: map[string][]int64{"wall": test.walls}, Stops: test.own, Elapsed: 5000 * ms}
		attribute(r, test.stopped)
		if !slices.Equal(r.Stops, test.want) || r.Elapsed != test.elapsed {
			t.Errorf("%s: stops %v in %d ns, want %v in %d", name, r.Stops, r.Elapsed, test.want, test.elapsed)
		}
	}
}

func TestStopsAreDisturbancesOfAnyKindOfCase(t *testing.T) {
	for _, thread := range []string{"locked", "free"} {
		c := function("any")
		tr := &series{target: target.Target{Spec: &c}, recorded: recorded{Thread: thread}}
		r := &wire.Readings{Stops: []int64{2e9, 0, 1}, Columns: map[string][]int64{"wall": {3e9, 1, 1}}}
		for i, want := range []string{"stopped for 2 s", "", "stopped"} {
			if got := tr.disturbed(batch{r, i}).String(); got != want {
				t.Errorf("%s, row %d: %q, want %q", thread, i, got, want)
			}
		}
	}
}
