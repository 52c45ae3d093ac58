package arcs_test

import (
	"errors"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// The arc from the last point is preferred; where there is none the one that was named.
func TestFindPrefersNext(t *testing.T) {
	p := pegs([]string{"a", "b", "c"}, onLane("x", arc("a", "b", 1)), onLane("y", arc("a", "b", 2)),
		ofKind(result.ArcDirected, arc("a", "b", 7)), ofKind(result.ArcDirected, arc("a", "c", 8)), ofKind(result.ArcSpan, arc("b", "c", 9)))
	for _, want := range []struct {
		from, to string
		sum      float64
		count    int64
		kind     result.ArcKind
	}{{"a", "b", 3, 2, result.ArcNext}, {"a", "c", 8, 1, result.ArcDirected}, {"b", "c", 9, 1, result.ArcSpan}} {
		a, err := arcs.Find(p, want.from, want.to)
		if err != nil || a.Sum != want.sum || a.Count != want.count || a.Kind != want.kind || a.From != want.from || a.To != want.to {
			t.Errorf("%s → %s: %+v, %v", want.from, want.to, a, err)
		}
	}
}

// What is not there is answered with what is.
func TestFindNamesTheNearest(t *testing.T) {
	p := pegs([]string{"parse", "check", "emit"}, arc("parse", "check", 1), arc("check", "emit", 1))
	for _, want := range []struct{ from, to, text string }{
		{"pares", "check", `no arc from "pares" to "check": did you mean "parse"?`},
		{"pares", "chekc", `no arc from "pares" to "chekc": did you mean "parse"?; did you mean "check"?`},
		{"parse", "emit", `no arc from "parse" to "emit": those from "parse" lead to "check"; those to "emit" come from "check"`},
		{"emit", "parse", `no arc from "emit" to "parse"`},
		{"parse", "lunch", `no arc from "parse" to "lunch": points are "parse", "check", "emit"`},
		{"lunch", "dinner", `no arc from "lunch" to "dinner": points are "parse", "check", "emit"`},
	} {
		_, err := arcs.Find(p, want.from, want.to)
		var missing *arcs.Missing
		if !errors.As(err, &missing) || err.Error() != want.text {
			t.Errorf("got  %v\nwant %s", err, want.text)
		}
	}
	if _, err := arcs.Find(&result.Pegs{}, "a", "b"); err == nil || err.Error() != `no arc from "a" to "b": no arc was measured at all` {
		t.Error(err)
	}
}

// A span is all of it, whatever lies around it.
func TestSpan(t *testing.T) {
	p := pegs(nil, ofKind(result.ArcSpan, arc("", "render", 4)), ofKind(result.ArcSpan, arc("page", "render", 1, 2)),
		ofKind(result.ArcSpan, arc("", "page", 9)), arc("a", "render", 100))
	a, err := arcs.Span(p, "render")
	if err != nil || a.Sum != 7 || a.Count != 3 || a.From != arcs.Outermost || a.To != "render" {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := arcs.Span(p, "page"); err != nil || a.Sum != 9 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestSpanNamesTheNearest(t *testing.T) {
	p := pegs([]string{"a", "b"}, ofKind(result.ArcSpan, arc("", "render", 4)), arc("a", "b", 1))
	for name, want := range map[string]string{
		"rendr": `no span "rendr": did you mean "render"?`,
		"lunch": `no span "lunch": spans are "render"`,
	} {
		if _, err := arcs.Span(p, name); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := arcs.Span(pegs([]string{"a", "b"}, arc("a", "b", 1)), "a"); err == nil || err.Error() != `no span "a": "a" is a point, whose arcs have two ends` {
		t.Error(err)
	}
}
