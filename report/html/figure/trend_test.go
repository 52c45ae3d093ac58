package figure

import (
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/trend"
	"example.com/suite/report/page/drawing"
	"github.com/google/go-cmp/cmp"
)

// commits are points of one machine, so many days after each other.
func commits(values []float64, days ...int) *trend.Series {
	s := &trend.Series{Metric: "time", Unit: "s", Machines: []string{"m"}}
	when := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, x := range values {
		s.Points = append(s.Points, trend.Point{Commit: strings.Repeat(string(rune('a'+i%6)), 40), When: when, Value: x})
		when = when.AddDate(0, 0, days[i%len(days)])
	}
	return s
}

// Each point has its value, its commit and its date under the pointer; of very many only the
// newest have.
func TestTrendPointsHaveTips(t *testing.T) {
	d := Trend(commits([]float64{1e-3, 2e-3}, 1))
	var tips []string
	for _, m := range d.Marks {
		if m.Role == drawing.CaseDot {
			tips = append(tips, m.Tip)
		}
	}
	if want := []string{"1 ms\naaaaaaaaaa\n1 Jan 2024", "2 ms\nbbbbbbbbbb\n2 Jan 2024"}; !cmp.Equal(tips, want) {
		t.Errorf("got %q", tips)
	}
	d = Trend(commits(append(repeated(1, mostTips), 1, 2), 1))
	dots := 0
	for _, m := range d.Marks {
		if m.Role == drawing.CaseDot {
			dots++
		}
	}
	if n := strings.Count(paths(d, drawing.CaseDot), "h0"); n != mostTips+2 || dots != mostTips+1 {
		t.Errorf("%d dots in %d marks", n, dots)
	}
}

// A long time without a commit is marked with its length, and holidays are not.
func TestTrendMarksPauses(t *testing.T) {
	d := Trend(commits(repeated(1, 5), 1, 500, 20, 45))
	if got, want := texts(d, drawing.Axis), []string{"16 months", "45 days"}; !cmp.Equal(got[len(got)-2:], want) {
		t.Errorf("texts %q", got)
	}
	if n := strings.Count(paths(d, drawing.Border), "M"); n != 2 {
		t.Errorf("%d lines", n)
	}
	if d := Trend(commits(repeated(1, 40), 1, 31)); !has(d, drawing.Border) {
		t.Error("31 days of 620 are no pause")
	}
	if d := Trend(commits(repeated(1, 60), 1, 31)); has(d, drawing.Border) {
		t.Error("each month is a pause")
	}
}

// The caption explains what is drawn, and nothing else.
func TestTrendCaption(t *testing.T) {
	s := commits([]float64{1, 1, 2, 2}, 1)
	if got, want := Trend(s).Caption, "Each point is the median of a commit."; got != want {
		t.Errorf("got %q", got)
	}
	s.Points[2].ByRatios = true
	s.Points[0].Low, s.Points[0].High = ptr(0.9), ptr(1.1)
	s.Points[3].When = s.Points[3].When.AddDate(3, 0, 0)
	s.Changes = []trend.Change{{At: 2, Last: 1, Before: 1, After: 2}}
	s.Machines = append(s.Machines, "n")
	s.Points[1].Machine = 1
	want := "Each point is the median of a commit, the line through it its interval. Horizontal lines are the medians of levels." +
		" Points without an interval were measured long after their commits: they are the newest, times the ratios of pairs that connect the two." +
		" Grey points were measured on other machines than the newest, and have levels of their own. A length of time at the foot is one without a commit."
	if got := Trend(s).Caption; got != want {
		t.Errorf("got %q", got)
	}
}

// Labels that would overlap are left out, and on a narrow page more of them.
func TestLabelsDoNotOverlap(t *testing.T) {
	d := &drawing.Drawing{Width: 1000, Left: plotLeft, Right: 1000 - plotMargin}
	var r labelRow
	for _, x := range []float64{100, 110, 200, 600} {
		r.put(d, x, 0, drawing.Axis, "12345")
	}
	var got []string
	for _, l := range d.Labels {
		got = append(got, map[bool]string{true: "spare", false: "kept"}[l.Spare])
	}
	if want := []string{"kept", "spare", "kept"}; !cmp.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
