package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"example.com/suite/internal/lock"
	"example.com/suite/internal/sim"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// recording takes pairs of identical code and nothing else.
const recording = `
defaults: {warmup: 50ms, max_time: 1h, target_time: 1h, sample_time: 300us}
benchmarks:
  - {name: base, %[1]s, samples: {min: 1, max: 1}}
  - {name: again, %[1]s, base: base, samples: {min: %[2]d, max: %[2]d}}
`

// TestCoinsOverRecordedSlots records slots of pairs once and tosses coins over them
// again and again: what is random about a verdict are the coins, so this is the rate
// of red suites on this machine, with hundreds of thousands of suites in a minute.
// SUITE_COINS says how many suites of ten gates; SUITE_COINS_SLOTS is the number of
// pairs of functions to record (20,000 unless given; a tenth of commands), half of
// them beside a busy process. What it records depends on the machine, so it runs
// where it is asked for.
func TestCoinsOverRecordedSlots(t *testing.T) {
	suites, err := strconv.Atoi(os.Getenv("SUITE_COINS"))
	if err != nil {
		t.Skip("set SUITE_COINS to a number of suites")
	}
	pairs, err := strconv.Atoi(cmp.Or(os.Getenv("SUITE_COINS_SLOTS"), "20000"))
	if err != nil || pairs < 200 {
		t.Fatal("SUITE_COINS_SLOTS: want a number of at least 200")
	}
	for _, c := range []struct {
		name, body string
		slots      int
		gate       int // pairs that a gate takes at most
	}{
		{"function", "go: hash/sha256, params: {size: 1KiB}", pairs, 500},
		{"command", "command: [sh, -c, 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done']", pairs / 10, 300},
	} {
		slots := append(slotsFrom(t, c.body, c.slots/2, false), slotsFrom(t, c.body, c.slots/2, true)...)
		for _, order := range []sim.Order{sim.ByCoin, sim.BaseFirst} {
			red, judged := redSuites(t, slots, suites, c.gate, order)
			name := map[sim.Order]string{sim.ByCoin: "by coin", sim.BaseFirst: "base first, worse or better"}[order]
			upper := stats.UpperBound(red, judged, 0.99)
			t.Logf("%s, %s: %d of %d suites of %d gates red: %.3f%%, upper 99%% bound %.3f%% (%d slot pairs, at most %d in a gate)",
				c.name, name, red, judged, gatesOfSuite, 100*float64(red)/float64(judged), 100*upper, len(slots), c.gate)
			if lower := stats.LowerBound(red, judged, 0.999); order == sim.ByCoin && lower > 0.01 {
				t.Errorf("%s: more than 1%% of suites are red: at least %.3f%%", c.name, 100*lower)
			}
		}
	}
}

const gatesOfSuite = 10

// redSuites lets suites of gates on identical code be judged, each gate over slots
// that begin anywhere. By coin a suite is red where a gate says worse. In fixed order
// it is where one says worse or better, for which slot is the faster one is chance.
func redSuites(t *testing.T, slots [][2]sim.Batch, suites, most int, order sim.Order) (red, judged int) {
	t.Helper()
	tally, err := sim.Repeat(suites, 1, func(rng *rand.Rand) (sim.Outcome, error) {
		for range gatesOfSuite {
			call, err := stats.NewCall(1, 0.01/gatesOfSuite)
			if err != nil {
				return sim.Outcome{}, err
			}
			trial := sim.Trial{Ratio: 1, Pairs: most, Order: order}
			o, err := trial.Run(&sim.Recorded{Pairs: slots, Start: rng.IntN(len(slots))}, call, rng)
			if err != nil || o.Side == stats.Above || order == sim.BaseFirst && o.Side == stats.Below {
				return o, err
			}
		}
		return sim.Outcome{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally.Above + tally.Below, tally.Trials
}

// slotsFrom measures pairs of one body with itself, and gives what each took in the
// order in which they ran.
func slotsFrom(t *testing.T, body string, pairs int, busy bool) [][2]sim.Batch {
	t.Helper()
	if busy {
		load := exec.Command("sh", "-c", "while :; do :; done")
		if err := load.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { load.Process.Kill(); load.Wait() }() // its end is what was asked for
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "suite.yaml"), filepath.Join(dir, "result.json")
	write(t, file, fmt.Sprintf(recording, body, pairs))
	cmd := exec.Command("suite-real", "run", "--quiet", "--out", "json="+out, file)
	cmd.Env = append(os.Environ(), cacheVariable+"="+filepath.Join(dir, "cache"), lock.Variable+"="+filepath.Join(dir, "lock"))
	began := time.Now()
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	doc, err := readResult(out)
	if err != nil {
		t.Fatal(err)
	}
	c := &doc.Cases[1]
	t.Logf("%d pairs of %s, busy %t, in %v", c.Samples.Len(), body, busy, time.Since(began).Round(time.Second))
	return slotsOf(c)
}

// slotsOf puts the batches of each pair in the order of their coin. Of commands no
// pair is ever set aside.
func slotsOf(c *result.Case) [][2]sim.Batch {
	slots := make([][2]sim.Batch, c.Samples.Len())
	for side, s := range []*result.Samples{&c.Pairs.Samples, &c.Samples} {
		disturbed := map[int]bool{}
		for _, d := range s.Disturbed {
			disturbed[d.Index] = c.Kind == result.KindGo
		}
		for i, x := range s.Column("time") {
			at := 0
			if c.Pairs.First[i] != side {
				at = 1
			}
			slots[i][at] = sim.Batch{Log: math.Log(x), Disturbed: disturbed[i]}
		}
	}
	return slots
}
