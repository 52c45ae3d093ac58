package e2e

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/trend"
	"example.com/suite/report/html"
	"example.com/suite/result"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// site writes the pages of 300 commits of two cases with long names, of which one became slower
// at 19 commits; one of the changes is acknowledged.
func site(t *testing.T) (folder string) {
	t.Helper()
	s := html.Site{Name: "project", Tool: "suite", Made: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, name := range []string{"a_case_with_a_name/that/has/no/spaces/to/break/it/at", "another_case_with_such_a_name/that/never/changed"} {
		one := commits(name, 300)
		for at := 15; at < 300 && len(s.Series) == 0; at += 15 {
			one.Changes = append(one.Changes, trend.Change{At: at, Last: at - 1, Before: 1e-3, After: 1.1e-3, Worse: true})
		}
		if len(s.Series) == 0 {
			one.Changes[3].Acknowledged = &trend.Acknowledged{Reason: "bought by safer checks", Place: diag.Place{File: "accept.yaml", Line: 3, Col: 3}}
		}
		s.Series = append(s.Series, one)
	}
	return saveSite(t, &s)
}

// commits is a case of so many commits, without a change.
func commits(name string, n int) trend.Series {
	one := trend.Series{Suite: "s", Case: name, Metric: "time", Unit: "s", Better: result.Lower, Machines: []string{"m"}}
	for i := range n {
		hash := fmt.Sprintf("%010x", i) + strings.Repeat("0", 30)
		one.Points = append(one.Points, trend.Point{Commit: hash, Author: "Ada Lovelace", Subject: "what was done", Page: "https://example.com/p/commit/" + hash,
			When: time.Date(2020, 1, 1+7*i, 0, 0, 0, 0, time.UTC), Value: 1e-3 * (1 + float64(i%7)/50)})
	}
	return one
}

func saveSite(t *testing.T, s *html.Site) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := s.Write(folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// casePage is the page of the first case of a site.
const casePage = "/case/s-a_case_with_a_name-that-has-no-spaces-to-break-it-at.html"

// changesSeen counts the changes and histories of the index, and reports whether all of them are within the window.
const changesSeen = `(() => {
	const all = [...document.querySelectorAll("td.bad, td.shape svg")];
	return all.length + " " + all.every((e) => e.getBoundingClientRect().right <= document.documentElement.clientWidth);
})()`

// On a telephone the pages of a site show what matters: the changes, and the newest end of
// each drawing.
func sitesAreSeen(t *testing.T, ctx context.Context) {
	folder := "file://" + site(t)
	one := folder + casePage
	fits(t, ctx, "case", one)
	seen(t, ctx, "case", one)
	fits(t, ctx, "index", folder+"/index.html")
	do(t, ctx, window(400, 800), chromedp.Navigate(folder+"/index.html"))
	if got := ask[string](t, ctx, changesSeen); got != "21 true" {
		t.Errorf("changes in the window: %s", got)
	}
}

// reading is what the picture shows of a commit, and view which part of it is shown.
const (
	reading = `document.querySelector(".reading").textContent + (document.querySelector("input[type=range]").getAttribute("aria-valuetext") === document.querySelector(".reading").textContent ? "" : ", said otherwise")`
	view    = `(() => {
		const svg = document.querySelector("svg.steps"), plot = svg.querySelector("svg"), box = svg.getBoundingClientRect();
		const shown = [...plot.querySelectorAll("path.case-dot, .case-dot path")].filter((p) => { const r = p.getBoundingClientRect(), x = (r.left + r.right) / 2; return x > box.left + 60 && x < box.right - 28; });
		return shown.length + " " + ["from", "until"].map((c) => svg.querySelector("text." + c).textContent).join(" to ");
	})()`
)

// values are the labels of the axis of values.
const values = `[...document.querySelectorAll("svg.steps > text")].filter((e) => parseFloat(e.getAttribute("x")) < 0 && e.checkVisibility()).map((e) => e.textContent).join(" ")`

// A reader goes from commit to commit by keyboard or with the pointer, and looks at some of them more closely.
func closerLook(t *testing.T, ctx context.Context) {
	expect := func(what, question, want string) {
		t.Helper()
		if got := ask[string](t, ctx, question); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	const all = "300 1 Jan 2020 to 24 Sep 2025"
	do(t, ctx, window(1280, 900), chromedp.Navigate("file://"+site(t)+casePage))
	expect("at first", reading, "1.1 ms at 000000012b, 24 Sep 2025")
	expect("at first", view, all)
	axis := ask[string](t, ctx, values)
	expect("the commit", `document.querySelector(".reading a").href`, "https://example.com/p/commit/000000012b"+strings.Repeat("0", 30))

	do(t, ctx, chromedp.Focus(chromedp.CSS("input[type=range]")), chromedp.KeyEvent(strings.Repeat(kb.ArrowLeft, 14)))
	expect("14 commits before", reading, "1.1 ms at 000000011d, 18 Jun 2025: +10.0% worse")
	do(t, ctx, chromedp.KeyEvent("++"))
	expect("a quarter", view, "75 24 Apr 2024 to 24 Sep 2025")
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	expect("the oldest", reading, "1 ms at 0000000000, 1 Jan 2020")
	expect("the oldest", view, "75 1 Jan 2020 to 2 Jun 2021")
	do(t, ctx, chromedp.KeyEvent("-"))
	expect("half", view, "150 1 Jan 2020 to 9 Nov 2022")
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	expect("all", view, all)

	place := ask[[]float64](t, ctx, `(() => { const r = document.querySelector("svg.steps").getBoundingClientRect(); return [r.left + 64, r.width - 94, r.top + 100]; })()`)
	mouse := func(kind input.DispatchMouseEventType, share float64, button input.MouseButton) {
		t.Helper()
		do(t, ctx, command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: place[0] + share*place[1], Y: place[2], Button: button, ClickCount: 1}))
	}
	mouse(input.DispatchMouseEventTypeMouseMoved, 0.5, input.MouseButtonNone)
	expect("under the pointer", reading, "1.04 ms at 0000000095, 9 Nov 2022")
	mouse(input.DispatchMouseEventTypeMousePressed, 0.25, input.MouseButtonLeft)
	mouse(input.DispatchMouseEventTypeMouseMoved, 0.4, input.MouseButtonLeft)
	mouse(input.DispatchMouseEventTypeMouseMoved, 0.5, input.MouseButtonLeft)
	mouse(input.DispatchMouseEventTypeMouseReleased, 0.5, input.MouseButtonLeft)
	expect("drawn across", view, "75 9 Jun 2021 to 9 Nov 2022")
	expect("its values", values, "1.12 ms 1 ms")
	if labels := ask[int](t, ctx, `[...document.querySelectorAll("svg.steps > text")].filter((e) => e.textContent === "+10.0%" && e.checkVisibility()).length`); labels != 6 {
		t.Errorf("%d changes have their size above them", labels)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS(".zoom button:last-of-type")))
	expect("all again", view, all)
	expect("all values", values, axis)
}

// A report leads to a case in the index of a site.
func casesAreFound(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate("file://"+site(t)+"/index.html#find="+url.PathEscape("never/changed")))
	if got := ask[string](t, ctx, first); got != "another_case_with_such_a_name/that/never/changed" {
		t.Errorf("found %q", got)
	}
}

// Without scripts there are no controls, and the points still have their values.
func pointsWithoutScripts(t *testing.T, ctx context.Context) {
	off := func(off bool) chromedp.Action[chromedp.Void] {
		return command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
	}
	do(t, ctx, off(true), chromedp.Navigate("file://"+site(t)+casePage), off(false))
	if got := ask[string](t, ctx, `document.querySelectorAll(".zoom").length + " " + document.querySelector(".case-dot title").textContent`); got != "0 1 ms\n0000000000\n1 Jan 2020" {
		t.Errorf("without scripts: %q", got)
	}
}

// openingSites prints how long the pages of very many cases take to be written and to open. That depends on the machine, so
// nothing is required of it.
//
// SUITE_SITE=1000x500 go -C report/html/e2e test -count=1 -v -run TestPages/opening_sites ./...
func openingSites(t *testing.T, ctx context.Context) {
	cases, points, is := strings.Cut(os.Getenv("SUITE_SITE"), "x")
	n, err1 := strconv.Atoi(cases)
	m, err2 := strconv.Atoi(points)
	if !is || err1 != nil || err2 != nil {
		t.Skip("SUITE_SITE names no number of cases and commits, such as 1000x500")
	}
	s := html.Site{Name: "project", Tool: "suite", Made: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for i := range n {
		one := commits(fmt.Sprint("group/case ", i), m)
		if i%10 == 0 {
			at := m/4 + i*m/(2*n)
			one.Changes = []trend.Change{{At: at, Last: at - 1, Before: 1e-3, After: 1.1e-3, Worse: true}}
		}
		s.Series = append(s.Series, one)
	}
	began := time.Now()
	folder := saveSite(t, &s)
	t.Logf("%d cases of %d commits are written in %.2f s", n, m, time.Since(began).Seconds())
	do(t, ctx, command(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}))
	for _, page := range []string{"/index.html", "/case/s-group-case-0.html"} {
		for range 3 {
			do(t, ctx, chromedp.Navigate("about:blank"))
			timed(t, ctx, page[:6], func() {
				do(t, ctx, chromedp.Navigate("file://"+folder+page))
				ask[any](t, ctx, frames)
			})
		}
		t.Logf("%d elements, of which %d are laid out", ask[int](t, ctx, `document.querySelectorAll("*").length`), ask[int](t, ctx, laidOut))
	}
}
