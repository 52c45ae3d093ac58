package trend

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/result"
)

// stepped is a series of commits c00…, c01…, with changes at points.
func stepped(points int, changes ...Change) *Series {
	s := &Series{Suite: "s", Case: "c", Metric: "time", Unit: "s", Better: result.Lower, Machines: []string{"m"}, Changes: changes, least: 0.01}
	for i := range points {
		s.Points = append(s.Points, Point{Commit: commit(i), Value: 1})
	}
	return s
}

func commit(i int) string { return fmt.Sprintf("c%02d%s", i, strings.Repeat("0", 37)) }

// An entry is about the change at its commit, or next to it if levels have shown it: its place may move as more runs are
// known. Of two that are near, it is the one at the commit.
func TestWhichChangeIsAcknowledged(t *testing.T) {
	paired := Change{At: 14, Last: 13, Before: 1, After: 2, Paired: true}
	for _, c := range []struct {
		commit string
		want   int // index of the change
	}{
		{commit(5), 0}, {commit(4), 0}, {commit(6), 0}, {commit(7), -1}, {commit(8), 1}, {commit(9), 1}, {commit(10)[:7], 1},
		{commit(14), 2}, {commit(13), -1}, {commit(15), -1}, {"c99", -1},
	} {
		s := stepped(20, Change{At: 5, Last: 4, Before: 1, After: 2}, Change{At: 9, Last: 8, Before: 2, After: 1}, paired)
		known := []Acknowledged{{Suite: "s", Case: "c", Commit: c.commit}, {Suite: "s", Case: "other", Commit: commit(5)}, {Suite: "other", Case: "c", Commit: commit(9)}}
		s.acknowledge(known)
		for i := range s.Changes {
			if got := s.Changes[i].Acknowledged == &known[0]; got != (i == c.want) || !got && s.Changes[i].Acknowledged != nil {
				t.Errorf("%s: change %d: %v", c.commit, i, s.Changes[i].Acknowledged)
			}
		}
	}
}

// What is left of changes counts neither those that people know of, nor those that cancel out.
func TestStanding(t *testing.T) {
	known := &Acknowledged{Reason: "r"}
	up, down := Change{At: 5, Last: 4, Before: 1, After: 1.25}, Change{At: 10, Last: 9, Before: 1.25, After: 1}
	accepted := up
	accepted.Acknowledged = known
	for what, c := range map[string]struct {
		changes []Change
		better  result.Direction
		change  float64
		call    result.Change
		text    string
	}{
		"nothing":             {nil, result.Lower, 0, result.Same, ""},
		"worse":               {[]Change{up}, result.Lower, 0.25, result.Worse, "+25.0%"},
		"more is better":      {[]Change{up}, result.Higher, 0.25, result.Better, "+25.0%"},
		"there and back":      {[]Change{up, down}, result.Lower, 0, result.Same, "0.0%"},
		"acknowledged":        {[]Change{accepted}, result.Lower, 0, result.Same, "+25.0%, acknowledged"},
		"the rest":            {[]Change{accepted, down}, result.Lower, -0.2, result.Better, "−20.0%, and 1 acknowledged"},
		"up from 0":           {[]Change{{At: 5, Last: 4, After: 1}}, result.Lower, math.Inf(1), result.Worse, "up from 0"},
		"up from 0, and back": {[]Change{{At: 5, Last: 4, After: 1}, {At: 10, Last: 9, Before: 1}}, result.Lower, 0, result.Same, "0.0%"},
	} {
		s := stepped(20, c.changes...)
		s.Better = c.better
		if change, call := s.Standing(); change != c.change && math.Abs(change-c.change) > 1e-12 || call != c.call {
			t.Errorf("%s: %v, %s", what, change, call)
		}
		if got := s.StandingText(); got != c.text {
			t.Errorf("%s: %q, want %q", what, got, c.text)
		}
	}
}

// A change that only an older machine has seen is no change of what the case is now.
func TestStandingIsOfTheNewestMachine(t *testing.T) {
	s := stepped(20, Change{At: 5, Last: 4, Before: 1, After: 1.25})
	s.Machines = append(s.Machines, "new")
	for i := 10; i < 20; i++ {
		s.Points[i].Machine = 1
	}
	if change, call := s.Standing(); change != 0 || call != result.Same {
		t.Errorf("%v, %s", change, call)
	}
}

// A case that never allocated and then does has changed.
func TestAChangeFromNothing(t *testing.T) {
	var h simulated
	for i := range 30 {
		h.commit(float64(i/15), "x", nil)
	}
	s := Of(h.entries, options())[0]
	if len(s.Changes) != 1 || s.Changes[0].Direction() != "up from 0, worse" || s.Changes[0].At != 15 {
		t.Errorf("%+v", s.Changes)
	}
}

// What the history does not have is an error with its place; an entry that acknowledges nothing is only named.
func TestFaultyAcknowledgements(t *testing.T) {
	entries := []history.Entry{{Run: history.Run{Commit: commit(5), Cases: []history.Case{{Suite: "s", Name: "c"}}}}}
	known := []Acknowledged{
		{Suite: "s", Case: "c", Commit: commit(5)[:7], Place: diag.Place{File: "a", Line: 1, Col: 1}},
		{Suite: "x", Case: "c", Commit: commit(5), Place: diag.Place{File: "a", Line: 2, Col: 1}},
		{Suite: "s", Case: "cc", Commit: commit(5), Place: diag.Place{File: "a", Line: 3, Col: 1}},
		{Suite: "s", Case: "c", Commit: commit(6), Place: diag.Place{File: "a", Line: 4, Col: 1}},
	}
	want := `a:2:1: the history has no suite "x"
	hint: suite accept --remove takes the entry out
a:3:1: the history has no case "cc"
	hint: did you mean "c"?
a:4:1: the history has no run of commit c060000000
	hint: suite history list shows the commits; suite accept --remove takes the entry out`
	if err := CheckAcknowledged(known, entries); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	s := stepped(20, Change{At: 9, Last: 8, Before: 1, After: 2})
	some := []Acknowledged{known[0], {Suite: "s", Case: "c", Commit: commit(9)}, {Suite: "s", Case: "c", Commit: commit(40)}}
	s.acknowledge(some)
	if got := Unused(some, []Series{*s}).Error(); got != "a:1:1: case \"c\" did not change at c050000\n\thint: suite accept --remove takes the entry out" {
		t.Errorf("unused: %s", got)
	}
}
