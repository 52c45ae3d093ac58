//go:build linux

package host

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"example.com/suite/runner/host/wire"
)

// pairOf prepares two scripts and asks for pairs of them, in the order of letters.
func pairOf(t *testing.T, order string, a, b wire.Command) *wire.Response {
	t.Helper()
	h, ids := commander(t), map[rune]int{}
	for letter, c := range map[rune]wire.Command{'a': a, 'b': b} {
		ids[letter] = ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	}
	r := wire.Request{Op: "run", Limit: 100 * second, Pairs: len(order) / 2}
	for _, letter := range order {
		r.Batches = append(r.Batches, wire.Batch{ID: ids[letter], N: 1})
	}
	response := h.answer(&r)
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
	return response
}

func TestPairsOfCommandsRunInTheOrderOfTheRequest(t *testing.T) {
	file := t.TempDir() + "/order"
	letter := func(name string) wire.Command { return script(t, fmt.Sprintf("printf %s >>%s", name, file)) }
	got := pairOf(t, "abbaab", letter("a"), letter("b"))
	if text, _ := os.ReadFile(file); string(text) != "abbaab" || got.Failure != nil || len(got.Readings.ID) != 6 {
		t.Errorf("ran %s, failure %+v", text, got.Failure)
	}
}

// A run that the timeout ends is a bound of its pair, so the other side still runs;
// then the block ends.
func TestAPairWithAKilledRunIsWhole(t *testing.T) {
	hangs := script(t, "exec sleep 20", func(c *wire.Command) { c.Timeout = second / 10 })
	for order, killed := range map[string]int{"abab": 0, "baab": 1} {
		got := pairOf(t, order, hangs, script(t, "true"))
		if got.Failure != nil || len(got.Readings.ID) != 2 || !slices.Equal(got.Readings.Killed, []int{killed}) {
			t.Errorf("%s: %d runs, killed %v, failure %+v", order, len(got.Readings.ID), got.Readings.Killed, got.Failure)
		}
	}
}

func TestAFailingRunInAPairNamesItsBatch(t *testing.T) {
	got := pairOf(t, "abba", script(t, "true"), script(t, "test ! -e x; s=$?; touch x; exit $s"))
	if f := got.Failure; f == nil || f.Batch != 3 || f.Cause != "exit" || len(got.Readings.ID) != 2 {
		t.Errorf("failure %+v behind %v", f, got.Readings.ID)
	}
}
