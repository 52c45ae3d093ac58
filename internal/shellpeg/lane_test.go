package shellpeg

import "testing"

// deeds are calls of suite peg with the times at which each began and ended.
type deeds []struct {
	Deed
	entered, left int64
}

func (all deeds) lines() (text string) {
	var s laneState
	for _, d := range all {
		text += s.enter(d.Deed, d.entered)
		s.leave(d.Deed, d.entered, d.left)
	}
	return text
}

// No arc contains the 1000 ns that each call takes: the arcs are the 1 or 10 ns between
// the calls.
func TestTheTimeInsideOfSuitePegLiesInNoArc(t *testing.T) {
	got := deeds{
		{Deed{Name: "all", Begin: true}, 0, 1000},
		{Deed{Name: "a"}, 1010, 2010},
		{Deed{Name: "b"}, 2011, 3011},
		{Deed{Name: "c"}, 3012, 4012},
		{Deed{Name: "d", From: "a"}, 4022, 5022},
		{Deed{Name: "e", Stop: true}, 5023, 6023},
		{Deed{Name: "f", Stop: true}, 6024, 7024},
		{Deed{Name: "all", End: true}, 7025, 8025},
	}.lines()
	want := "\tall\t-\t\tspan\n\ta\t-\na\tb\t1\nb\tc\t1\na\td\t12\t\tdirected\nd\te\t1\nd\tf\t2\n\tall\t25\t\tspan\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestStopsAndEndsOfNothingAreTold(t *testing.T) {
	got := deeds{
		{Deed{Name: "a", Stop: true, Lane: "l"}, 0, 1},
		{Deed{Name: "b", From: "z"}, 2, 3},
		{Deed{Name: "s", End: true}, 4, 5},
	}.lines()
	if want := "\ta\t?\tl\n\tb\t?\t\tdirected\n\ts\t?\t\tspan\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
