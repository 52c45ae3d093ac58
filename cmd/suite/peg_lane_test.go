package main

import "testing"

// deeds are calls of suite peg with the times at which each began and ended.
type deeds []struct {
	deed
	entered, left int64
}

func (all deeds) lines() (text string) {
	var s laneState
	for _, d := range all {
		text += s.enter(d.deed, d.entered)
		s.leave(d.deed, d.entered, d.left)
	}
	return text
}

// No arc contains the 1000 ns that each call takes: the arcs are the 1 or 10 ns between
// the calls.
func TestTheTimeInsideOfSuitePegLiesInNoArc(t *testing.T) {
	got := deeds{
		{deed{name: "all", begin: true}, 0, 1000},
		{deed{name: "a"}, 1010, 2010},
		{deed{name: "b"}, 2011, 3011},
		{deed{name: "c"}, 3012, 4012},
		{deed{name: "d", from: "a"}, 4022, 5022},
		{deed{name: "e", stop: true}, 5023, 6023},
		{deed{name: "f", stop: true}, 6024, 7024},
		{deed{name: "all", end: true}, 7025, 8025},
	}.lines()
	want := "\tall\t-\t\tspan\n\ta\t-\na\tb\t1\nb\tc\t1\na\td\t12\t\tdirected\nd\te\t1\nd\tf\t2\n\tall\t25\t\tspan\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestStopsAndEndsOfNothingAreTold(t *testing.T) {
	got := deeds{
		{deed{name: "a", stop: true, lane: "l"}, 0, 1},
		{deed{name: "b", from: "z"}, 2, 3},
		{deed{name: "s", end: true}, 4, 5},
	}.lines()
	if want := "\ta\t?\tl\n\tb\t?\t\tdirected\n\ts\t?\t\tspan\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
