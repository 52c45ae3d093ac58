package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// The variables of the number of suites, the number of recorded pairs of functions (a
// tenth of commands), and the most blocks of a gate (three times as many of commands).
const (
	suitesVariable       = "SUITE_COINS"
	slotsVariable        = "SUITE_COINS_SLOTS"
	observationsVariable = "SUITE_COINS_PIECES"
)

// penalty is the planted bias: the share by which the second slot of a pair is slower.
const penalty = 0.01

// TestCoinsOverRecordedSlots records pairs of identical code once, half of them while
// another process is busy, and then tosses their coins again and again. A verdict is
// random only through its coins, so this measures the rate of red suites on this machine
// with hundreds of thousands of suites in minutes. Its result depends on the machine, so
// it only runs on request.
func TestCoinsOverRecordedSlots(t *testing.T) {
	if os.Getenv(suitesVariable) == "" {
		t.Skipf("set %s to a number of suites", suitesVariable)
	}
	suites := numbered(t, suitesVariable, 1)
	pairs := numbered(t, slotsVariable, 20000)
	observations := numbered(t, observationsVariable, 50)
	if suites < 1000 || pairs < 400 {
		t.Fatalf("%s: want at least 1000; %s: want at least 400", suitesVariable, slotsVariable)
	}
	var functions []slots
	for _, f := range ofEachNature {
		functions = append(functions, recorded(t, result.KindGo, f.body, pairs/len(ofEachNature))...)
	}
	t.Run("functions", func(t *testing.T) { tossAll(t, functions, observations, suites) })
	command := recorded(t, result.KindCommand, fiveMilliseconds, pairs/10)
	t.Run("commands", func(t *testing.T) { tossAll(t, command, 3*observations, suites) })
}

// nature is a kind of function, named after the part of the machine that limits it.
type nature struct{ name, body string }

var ofEachNature = []nature{
	{"arithmetic", "go: selfcheck/arithmetic, params: {steps: 1000}"},
	{"memory", "go: selfcheck/memory, params: {steps: 1000}"},
	{"allocation", "go: alloc/append, params: {size: 1000}"},
	{"map", "go: map/read, params: {size: 1000}"},
}

// fiveMilliseconds is a command that took 5 ms on the machine where it was written.
var fiveMilliseconds = loops(2700)

// loops is a command of a shell that counts to n.
func loops(n int) string {
	return fmt.Sprintf("command: [sh, -c, 'i=0; while [ $i -lt %d ]; do i=$((i+1)); done']", n)
}

// tossAll checks that random order keeps the promised rate of red suites, also if the
// second slot of each pair is slower. With the base always first, the same slots must be
// called changes, or the test could not notice a missing coin. Only the first check uses
// all suites.
func tossAll(t *testing.T, over []slots, observations, suites int) {
	t.Logf("%d pairs", pairsOf(over))
	biased := make([]slots, len(over))
	for i := range over {
		biased[i] = over[i].penalised(penalty)
	}
	few := max(100, suites/100)
	keeps(t, "by coin", &tossed{over, observations, byCoin}, suites)
	keeps(t, "by coin, the second slot 1% slower", &tossed{biased, observations, byCoin}, suites/10)
	if red, n := toss(t, "base first, the second slot 1% slower", &tossed{biased, observations, baseFirst}, few); stats.LowerBound(red, n, 0.999) <= 0.01 {
		t.Error("a fixed order is not found out: this test would not notice if coins were none")
	}
	if over[0].kind == result.KindGo {
		toss(t, "by coin, each pair of a block as an observation", &tossed{over, observations, byPair}, few)
	}
}

// keeps checks that no more than 1 % of suites are red. With 100,000 suites it also checks
// that the rate is at most 1.2 % with a confidence of 99 %.
func keeps(t *testing.T, name string, s *tossed, suites int) {
	t.Helper()
	red, n := toss(t, name, s, suites)
	if lower := stats.LowerBound(red, n, 0.999); lower > 0.01 {
		t.Errorf("%s: more than 1%% of suites are red: at least %.3f%%", name, 100*lower)
	}
	if upper := stats.UpperBound(red, n, 0.99); n >= 100_000 && upper > 0.012 {
		t.Errorf("%s: up to %.3f%% of suites may be red", name, 100*upper)
	}
}

func toss(t *testing.T, name string, s *tossed, suites int) (red, all int) {
	t.Helper()
	began := time.Now()
	red, err := s.red(suites)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d of %d suites of %d gates red: %.3f%%, upper 99%% bound %.3f%% (at most %d observations in a gate; %v)", name, red, suites,
		gatesOfSuite, 100*float64(red)/float64(suites), 100*stats.UpperBound(red, suites, 0.99), s.observations, time.Since(began).Round(time.Second))
	return red, suites
}

func pairsOf(over []slots) (n int) {
	for _, s := range over {
		for _, b := range s.blocks {
			n += len(b.first)
		}
	}
	return n
}
