package arcs_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// drawn writes sources as "a→c,b d→a".
func drawn(sources []arcs.Source) string {
	var parts []string
	for _, s := range sources {
		var to []string
		for _, a := range s.Arcs {
			to = append(to, a.Lane+a.To)
		}
		parts = append(parts, s.Name+"→"+strings.Join(to, ","))
	}
	return strings.Join(parts, " ")
}

// Sources stand in the order of their first hits and not of their names; below each
// the longest arc comes first. What is no point comes last, the outermost spans first.
func TestInTime(t *testing.T) {
	p := pegs([]string{"start", "parse", "emit"}, ofKind(result.ArcSpan, arc("", "all", 9)), arc("emit", "start", 1), arc("parse", "emit", 2), arc("parse", "parse", 3),
		arc("start", "parse", 1), arc("…", "emit", 7))
	if got, want := drawn(arcs.InTime(p)), "→all start→parse parse→parse,emit emit→start …→emit"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Lanes apart stand behind each other, even where another arc is longer than one of them.
func TestInTimeByLane(t *testing.T) {
	p := pegs([]string{"a", "b", "c"}, onLane("1", arc("a", "b", 1)), onLane("2", arc("a", "b", 5)), onLane("1", arc("a", "c", 3)))
	if got, want := drawn(arcs.InTimeByLane(p)), "a→1b,2b,1c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := drawn(arcs.InTime(p)), "a→b,c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if fmt.Sprint(p.Arcs[1].Lane, p.Arcs[2].To) != "2c" {
		t.Error("the pegs were put in another order")
	}
}
