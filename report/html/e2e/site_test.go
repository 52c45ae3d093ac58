package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/suite/internal/trend"
	"example.com/suite/report/html"
	"example.com/suite/result"
	"github.com/chromedp/chromedp"
)

// site writes the pages of 300 commits of two cases with long names, of which one became slower
// at 20 commits.
func site(t *testing.T) (folder string) {
	t.Helper()
	s := html.Site{Name: "project", Tool: "suite", Made: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, name := range []string{"a_case_with_a_name/that/has/no/spaces/to/break/it/at", "another_case_with_such_a_name/that/never/changed"} {
		one := trend.Series{Suite: "s", Case: name, Metric: "time", Unit: "s", Better: result.Lower, Machines: []string{"m"}}
		for i := range 300 {
			one.Points = append(one.Points, trend.Point{Commit: fmt.Sprintf("%040x", i), Subject: "what was done", When: time.Date(2020, 1, 1+7*i, 0, 0, 0, 0, time.UTC), Value: 1e-3 * (1 + float64(i%7)/50)})
		}
		for at := 15; at < 300 && len(s.Series) == 0; at += 15 {
			one.Changes = append(one.Changes, trend.Change{At: at, Last: at - 1, Before: 1e-3, After: 1.1e-3, Worse: true})
		}
		s.Series = append(s.Series, one)
	}
	folder = t.TempDir()
	if err := s.Write(folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// changesSeen counts the changes and histories of the index, and reports whether all of them are within the window.
const changesSeen = `(() => {
	const all = [...document.querySelectorAll("td.bad, td.shape svg")];
	return all.length + " " + all.every((e) => e.getBoundingClientRect().right <= document.documentElement.clientWidth);
})()`

// On a telephone the pages of a site show what matters: the changes, and the newest end of
// each drawing.
func sitesAreSeen(t *testing.T, ctx context.Context) {
	folder := "file://" + site(t)
	one := folder + "/case/s-a_case_with_a_name-that-has-no-spaces-to-break-it-at.html"
	fits(t, ctx, "case", one)
	seen(t, ctx, "case", one)
	fits(t, ctx, "index", folder+"/index.html")
	do(t, ctx, window(400, 800), chromedp.Navigate(folder+"/index.html"))
	if got := ask[string](t, ctx, changesSeen); got != "22 true" {
		t.Errorf("changes in the window: %s", got)
	}
}
