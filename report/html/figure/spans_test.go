package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/page/drawing"
)

// cells are the paths of the spans, in the order in which they were drawn.
func cells(d *drawing.Drawing) (out []string) {
	for _, m := range d.Marks {
		if m.Role == drawing.Nest || m.Role == drawing.NestMore || m.Role == drawing.NestLess {
			out = append(out, m.Path)
		}
	}
	return out
}

// A span is as wide as its time, and stands below the one around it.
func TestSpans(t *testing.T) {
	d := Spans(pegsOf(spanOf("", "handle", 2, 1), spanOf("handle", "parse", 2, 0.5), spanOf("handle", "write", 2, 0.25), spanOf("parse", "scan", 8, 0.25), arcOf("a", "b", 1, 1)), nil, plainName)
	// 552 units for a second, from 4 on; each is a unit less wide than it could be.
	want := []string{"M4 4H555V26H4Z", "M4 28H279V50H4Z", "M4 52H141V74H4Z", "M280 28H417V50H280Z"}
	if got := cells(d); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if want := []string{"handle  500 ms", "parse  250 ms", "scan  125 ms", "write  125 ms"}; !slices.Equal(texts(d, drawing.Strong), want) {
		t.Errorf("texts %q", texts(d, drawing.Strong))
	}
	if want := "4 spans; outermost, of the whole pass: handle 1 s, most of it in parse 500 ms"; d.Desc != want {
		t.Errorf("it says %q", d.Desc)
	}
}

// Recursion ends, and a span that lies in two is divided.
func TestSpansInsideOfThemselves(t *testing.T) {
	d := Spans(pegsOf(spanOf("", "walk", 1, 1), spanOf("walk", "walk", 3, 0.5)), nil, plainName)
	if n := len(cells(d)); n != 2 {
		t.Errorf("%d spans", n)
	}
	d = Spans(pegsOf(spanOf("", "a", 1, 1), spanOf("", "b", 1, 1), spanOf("a", "c", 1, 0.75), spanOf("b", "c", 1, 0.25), spanOf("c", "d", 2, 0.8)), nil, plainName)
	if n := len(cells(d)); n != 6 || !strings.Contains(d.Caption, "in proportion") {
		t.Errorf("%d spans, %q", n, d.Caption)
	}
	// Of the 0.8 s of d three quarters lie below a, one quarter below b: 276 units a second.
	if want := []string{"M4 52H168.6V74H4Z", "M280 52H334.2V74H280Z"}; !slices.Equal([]string{cells(d)[2], cells(d)[5]}, want) {
		t.Errorf("got %q, want %q in their places", cells(d), want)
	}
	if text := strings.Join(texts(d, drawing.Strong), "\n"); !strings.Contains(text, "d  ≈ 300 ms") || !strings.Contains(text, "c  375 ms") {
		t.Errorf("what was divided is not said to be a guess of an iteration:\n%s", text)
	}
	check(t, d)
	if Spans(pegsOf(spanOf("a", "b", 1, 1), spanOf("b", "a", 1, 1)), nil, plainName) != nil {
		t.Error("spans without an outermost one are drawn")
	}
}

// What cannot be is drawn within the drawing.
func TestSpansLongerThanWhatTheyLieIn(t *testing.T) {
	d := Spans(pegsOf(spanOf("", "a", 1, 1), spanOf("a", "b", 1, 5), spanOf("a", "c", 1, 5), spanOf("b", "d", 1, math.MaxFloat64/4)), nil, plainName)
	for _, path := range cells(d) {
		if strings.HasPrefix(path, "M556") || strings.Contains(path, "H557") {
			t.Errorf("%s lies outside", path)
		}
	}
	check(t, d)
	if d := Spans(pegsOf(spanOf("", "a", 1, 0)), nil, plainName); d != nil {
		t.Errorf("no time is drawn: %+v", d)
	}
}
