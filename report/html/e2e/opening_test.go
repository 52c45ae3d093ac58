package e2e

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"example.com/suite/report/reporttest"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// laidOut counts the elements that a browser has to lay out.
const laidOut = `Array.from(document.body.querySelectorAll("*")).filter((e) => e.checkVisibility()).length`

// How much of a page is laid out at first hardly grows with its cases, once they are more than
// the first table and the parts of single cases show: the time to lay it out is what made large
// pages slow.
func layoutIsBounded(t *testing.T, ctx context.Context) {
	count := func(cases int) int {
		do(t, ctx, chromedp.Navigate(written(t, "many", rendered(t, reporttest.Many(cases, 30)))))
		return ask[int](t, ctx, laidOut)
	}
	if few, many := count(700), count(2100); many > few+few/10 || few < 5000 {
		t.Errorf("%d elements of 700 cases are laid out, %d of 2100", few, many)
	}
}

// frames waits until the browser has shown what a script has changed.
const frames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`

// opening prints how long a page of very many cases takes to open, to search and to sort. That
// depends on the machine, so nothing is required of it. The CPU time of the page's thread is
// what other work on the machine changes least.
//
// SUITE_MANY=10000 go -C report/html/e2e test -count=1 -v -run TestPages/opening ./...
func opening(t *testing.T, ctx context.Context) {
	n, err := strconv.Atoi(os.Getenv("SUITE_MANY"))
	if err != nil {
		t.Skip("SUITE_MANY names no number of cases")
	}
	page := rendered(t, reporttest.Many(n, 100))
	t.Logf("%d cases: %.1f MB", n, float64(len(page))/1e6)
	address := written(t, "opening", page)
	do(t, ctx, command(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}))
	for range 3 {
		do(t, ctx, chromedp.Navigate("about:blank"))
		timed(t, ctx, "open", func() {
			do(t, ctx, chromedp.Navigate(address))
			ask[any](t, ctx, frames)
		})
	}
	for _, text := range []string{"c", "co", "codec/7", "level=3", ""} {
		timed(t, ctx, fmt.Sprintf("find %q", text), func() {
			ask[any](t, ctx, `(() => {
				const input = document.querySelector("input[type=search]");
				input.value = `+strconv.Quote(text)+`;
				input.dispatchEvent(new Event("input"));
				return `+frames+`;
			})()`)
		})
	}
	timed(t, ctx, "sort by time", func() {
		ask[any](t, ctx, `document.evaluate("//th/button[text()='time']", document, null, 9).singleNodeValue.click(); `+frames)
	})
	t.Logf("%d elements, of which %d are laid out", ask[int](t, ctx, `document.querySelectorAll("*").length`), ask[int](t, ctx, laidOut))
}

// timed prints how long something took, by the clock and of the CPU time of the page's thread.
func timed(t *testing.T, ctx context.Context, what string, do func()) {
	t.Helper()
	before, began := threadTime(t, ctx), time.Now()
	do()
	took, after := time.Since(began), threadTime(t, ctx)
	spent := func(name string) float64 { return after[name] - before[name] }
	t.Logf("%-16s %5.2f s; CPU time %5.2f s, of which scripts %.2f s, styles %.2f s, layout %.2f s", what, took.Seconds(),
		spent("TaskDuration"), spent("ScriptDuration"), spent("RecalcStyleDuration"), spent("LayoutDuration"))
}

// threadTime reads the metrics of a page, durations in seconds.
func threadTime(t *testing.T, ctx context.Context) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		found, err := cdp.Call(ctx, target, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, m := range found.Metrics {
			all[m.Name] = m.Value
		}
		return nil
	}))
	return all
}
