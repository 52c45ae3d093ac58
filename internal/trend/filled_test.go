package trend

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/suite/internal/history"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

// filled is a history as suite history fill makes it: the machine of each run is another one by the
// hour, so that its values say nothing, and ratios do.
type filled struct{ entries []history.Entry }

func hash(n int) string { return fmt.Sprintf("%040x", n+1) }

func (f *filled) add(commit int, c history.Case) {
	c.Suite, c.Name = "s", "c"
	when := began.AddDate(0, 0, commit)
	f.entries = append(f.entries, history.Entry{Run: history.Run{Started: began.AddDate(1, 0, len(f.entries)), Committed: when, Commit: hash(commit),
		Subject: fmt.Sprint("subject ", commit), Filled: true, Machine: result.Machine{CPU: "x", CPUs: 2}, Cases: []history.Case{c}}})
}

// measured is a comparison with an earlier commit.
func (f *filled) measured(commit, against int, ratio float64, call result.Change, isConfirmed bool) {
	low, high := ratio*0.99, ratio/0.99
	value := 1e-3 * (1 + float64(len(f.entries)%5)) // the hour
	f.add(commit, history.Case{Against: hash(against), Metrics: []history.Metric{{Name: "time", Unit: "s", Better: result.Lower, Value: value,
		Ratio: &history.Ratio{Value: &ratio, Low: &low, High: &high, Call: call, Confirmed: isConfirmed}}}})
}

// past is ten commits of which the sixth is 20 % slower, and the eighth perhaps a little, which was not
// confirmed.
func past() *filled {
	f := &filled{}
	f.add(0, history.Case{Metrics: []history.Metric{{Name: "time", Unit: "s", Better: result.Lower, Value: 7e-3}}})
	f.measured(9, 0, 1.2, result.Worse, false)
	f.measured(4, 0, 1.0, result.Same, false)
	f.add(5, history.Case{Against: hash(4), Same: "its program is the same"})
	f.measured(6, 5, 1.2, result.Worse, false)
	f.measured(6, 5, 1.2, result.Worse, true)
	f.measured(8, 6, 1.02, result.Unclear, true)
	return f
}

func TestAHistoryThatWasFilled(t *testing.T) {
	all := Of(past().entries, options())
	if len(all) != 1 {
		t.Fatal(all)
	}
	s := &all[0]
	newest := s.Points[len(s.Points)-1]
	var levels []string
	for _, p := range s.Points {
		levels = append(levels, fmt.Sprintf("%.2f", p.Value/newest.Value))
	}
	if got := strings.Join(levels, " "); got != "0.83 0.83 0.83 1.00 1.02 1.00" {
		t.Errorf("levels by ratios: %s", got)
	}
	if len(s.Changes) != 1 || s.Points[s.Changes[0].At].Commit != hash(6) || s.Points[s.Changes[0].Last].Commit != hash(5) || !s.Changes[0].Paired ||
		math.Abs(s.Changes[0].Relative()-0.2) > 1e-9 || !s.Changes[0].Worse {
		t.Errorf("changes %+v", s.Changes)
	}
	if s.Drift != nil || s.Crept || s.Recent != nil {
		t.Error("values of other hours were taken for a drift")
	}
	if s.Chained == nil || s.Chained.From != 0 || math.Abs(s.Chained.Change-0.2) > 0.01 {
		t.Errorf("chained %+v", s.Chained)
	}
	var page strings.Builder
	if err := text.Write(&page, Page(all, false), text.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"c: +20.0% worse at 0000000000 (7 Jan 2026, subject 6)", "by ratios of pairs; the last commit before it is 0000000000 (6 Jan 2026)"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in\n%s", want, page.String())
		}
	}
	if strings.Contains(page.String(), "no case has") {
		t.Error("a filled history is called too short:\n" + page.String())
	}
}

// What was measured long after its commit is no point of a gate on drift.
func TestAGateOnDriftDoesNotReadWhatWasFilled(t *testing.T) {
	past := NewIndex(past().entries).Before(Query{Suite: "s", Case: "c", Metric: "time", Last: 100, Against: hash(9), Machine: "x, 2 CPUs"})
	if len(past.Points) > 0 || len(past.Ratios) > 0 {
		t.Errorf("%+v", past)
	}
}
