package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Suites to toss, pairs of functions to record (of commands a tenth), and pieces of
// evidence that a gate takes at most (of commands three times as many).
const (
	suitesVariable = "SUITE_COINS"
	slotsVariable  = "SUITE_COINS_SLOTS"
	piecesVariable = "SUITE_COINS_PIECES"
)

// penalty is what the second slot of a pair takes more, where a bias is planted.
const penalty = 0.01

// TestCoinsOverRecordedSlots records pairs of identical code once, half of them beside
// a busy process, and tosses their coins again and again: what is random about a verdict
// are the coins, so this is the rate of red suites on this machine, with hundreds of
// thousands of suites in minutes. What it records depends on the machine, so it runs
// where it is asked for.
func TestCoinsOverRecordedSlots(t *testing.T) {
	if os.Getenv(suitesVariable) == "" {
		t.Skipf("set %s to a number of suites", suitesVariable)
	}
	suites, pairs, pieces := numbered(t, suitesVariable, 1), numbered(t, slotsVariable, 20000), numbered(t, piecesVariable, 50)
	if suites < 1000 || pairs < 400 {
		t.Fatalf("%s: want at least 1000; %s: want at least 400", suitesVariable, slotsVariable)
	}
	var functions []slots
	for _, f := range ofEachNature {
		functions = append(functions, recorded(t, result.KindGo, f.body, pairs/len(ofEachNature))...)
	}
	t.Run("functions", func(t *testing.T) { tossAll(t, functions, pieces, suites) })
	command := recorded(t, result.KindCommand, fiveMilliseconds, pairs/10)
	t.Run("commands", func(t *testing.T) { tossAll(t, command, 3*pieces, suites) })
}

// nature is a kind of function, by what it needs of the machine.
type nature struct{ name, body string }

var ofEachNature = []nature{
	{"arithmetic", "go: selfcheck/arithmetic, params: {steps: 1000}"},
	{"memory", "go: selfcheck/memory, params: {steps: 1000}"},
	{"allocation", "go: alloc/append, params: {size: 1000}"},
	{"map", "go: map/read, params: {size: 1000}"},
}

// fiveMilliseconds is what the command takes on the machine that it was written on.
var fiveMilliseconds = loops(2700)

// loops is a shell that counts.
func loops(n int) string {
	return fmt.Sprintf("command: [sh, -c, 'i=0; while [ $i -lt %d ]; do i=$((i+1)); done']", n)
}

// tossAll shows that coins keep the promise, that they keep it where slots differ, and
// that nothing else does: with the base always first, slots that differ are called
// changes. Only the first takes all of the suites.
func tossAll(t *testing.T, over []slots, pieces, suites int) {
	t.Logf("%d pairs", pairsOf(over))
	biased := make([]slots, len(over))
	for i := range over {
		biased[i] = over[i].penalised(penalty)
	}
	few := max(100, suites/100)
	keeps(t, "by coin", &tossed{over, pieces, byCoin}, suites)
	keeps(t, "by coin, the second slot 1% slower", &tossed{biased, pieces, byCoin}, suites/10)
	if red, n := toss(t, "base first, the second slot 1% slower", &tossed{biased, pieces, baseFirst}, few); stats.LowerBound(red, n, 0.999) <= 0.01 {
		t.Error("a fixed order is not found out: this test would not notice if coins were none")
	}
	if over[0].kind == result.KindGo {
		toss(t, "by coin, each pair of a set-up as a piece of evidence", &tossed{over, pieces, byPair}, few)
	}
}

// keeps says that at most 1 % of suites are red; with 100,000 suites also that it is
// at most 1.2 % with a confidence of 99 %.
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
	t.Logf("%s: %d of %d suites of %d gates red: %.3f%%, upper 99%% bound %.3f%% (at most %d pieces of evidence in a gate; %v)", name, red, suites,
		gatesOfSuite, 100*float64(red)/float64(suites), 100*stats.UpperBound(red, suites, 0.99), s.pieces, time.Since(began).Round(time.Second))
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
