package e2e

import (
	"context"
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// tooWide gives by how much the page scrolls sideways, and what of it reaches beyond
// the window without being inside of something that scrolls by itself.
const tooWide = `(() => {
	document.querySelectorAll("details").forEach((d) => d.open = true);
	const root = document.documentElement, over = root.scrollWidth - root.clientWidth;
	const around = (e) => getComputedStyle(e).position === "absolute" ? e.offsetParent : e.parentElement;
	const scrolls = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(around(e)));
	const wide = Array.from(document.body.querySelectorAll("*")).filter((e) => e.getBoundingClientRect().right > root.clientWidth + 0.5 && !scrolls(around(e)));
	return {over, which: over > 0 ? wide.slice(0, 5).map((e) => e.outerHTML.slice(0, 200)).join("\n") : ""};
})()`

// window sets the size of the page as the browser lays it out.
func window(width, height int64) chromedp.Action[chromedp.Void] {
	return command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

// No page scrolls sideways, with all of it unfolded, on half a screen or on a telephone:
// what is wide scrolls by itself, and what has no space to be broken at is broken anyway.
func fitsTheWindow(t *testing.T, ctx context.Context) {
	for _, name := range recorded(t) {
		fits(t, ctx, name, saved(t, name))
	}
	fits(t, ctx, "long words", written(t, "long", rendered(t, wordy(t))))
}

func fits(t *testing.T, ctx context.Context, name, address string) {
	do(t, ctx, chromedp.Navigate(address))
	for _, width := range []int64{1000, 551, 400, 320} {
		do(t, ctx, window(width, 800))
		if got := ask[struct {
			Over  int
			Which string
		}](t, ctx, tooWide); got.Over > 0 {
			t.Errorf("%s: at %d the page scrolls sideways by %d: %.900s", name, width, got.Over, got.Which)
		}
	}
}

// cutOff lists the tables that reach beyond a page, on which nothing scrolls.
const cutOff = `Array.from(document.querySelectorAll("table")).filter((t) => t.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((t) => t.getBoundingClientRect().right + ": " + t.innerText.slice(0, 100)).join("\n")`

// Paper has all columns of all tables. 718 pixels are A4 less Chromium's margins.
func paperIsWideEnough(t *testing.T, ctx context.Context) {
	do(t, ctx, window(718, 1000), command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	for _, name := range []string{"gallery", "compared", "traced", "verdicts"} {
		do(t, ctx, chromedp.Navigate(saved(t, name)))
		ask[any](t, ctx, `document.querySelectorAll("details").forEach((d) => d.open = true)`)
		if got := ask[string](t, ctx, cutOff); got != "" {
			t.Errorf("%s: on paper is cut off: %s", name, got)
		}
	}
}

// smallest gives the height of the smallest letters of all drawings as they are shown.
const smallest = `(() => {
	document.querySelectorAll("details").forEach((d) => d.open = true);
	return Math.min(...Array.from(document.querySelectorAll("svg text")).map((t) => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a));
})()`

// Letters of drawings can be read on a telephone: those of plots keep their size, and other
// drawings scroll.
func legible(t *testing.T, ctx context.Context) {
	for _, name := range []string{"gallery", "traced", "compared"} {
		for _, width := range []int64{1280, 800, 400} {
			do(t, ctx, window(width, 800), chromedp.Navigate(saved(t, name)))
			if got := ask[float64](t, ctx, smallest); got < 9.9 {
				t.Errorf("%s: at %d the smallest letters of a drawing have %.1f px", name, width, got)
			}
		}
	}
}

// unseen lists what of the plots of a page cannot be seen: labels and marks that reach beyond the
// window, and plots that leave a part of their frame empty.
const unseen = `(() => {
	document.querySelectorAll("details").forEach((d) => d.open = true);
	const out = [], width = document.documentElement.clientWidth;
	for (const svg of document.querySelectorAll("svg.plot")) {
		const frame = getComputedStyle(svg.parentElement), room = svg.parentElement.clientWidth - parseFloat(frame.paddingLeft) - parseFloat(frame.paddingRight);
		if (svg.getBoundingClientRect().width < room - 1) out.push(svg.getBoundingClientRect().width + " of " + room);
		for (const e of svg.querySelectorAll("text, path")) {
			const box = e.getBoundingClientRect();
			if (box.right > width || box.left < 0) out.push(e.outerHTML.slice(0, 200));
		}
	}
	return [document.querySelectorAll("svg.plot").length > 0 ? "" : "no plots", ...out].filter(Boolean).slice(0, 5).join("\n");
})()`

// A plot is as wide as its frame, and all of it is in the window: nobody has to scroll to its
// newest end, or to its legend.
func plotsAreSeen(t *testing.T, ctx context.Context) {
	for _, name := range []string{"gallery", "names", "compared"} {
		seen(t, ctx, name, saved(t, name))
	}
}

func seen(t *testing.T, ctx context.Context, name, address string) {
	t.Helper()
	for _, width := range []int64{1280, 800, 400} {
		do(t, ctx, window(width, 800), chromedp.Navigate(address))
		if got := ask[string](t, ctx, unseen); got != "" {
			t.Errorf("%s: at %d cannot be seen: %s", name, width, got)
		}
	}
}

// wordy is a result with words as long as paths and addresses may be.
func wordy(t *testing.T) *result.Document {
	doc, word := document(t, "traced"), strings.Repeat("long/", 40)
	c := &doc.Cases[0]
	c.Description, c.Gates[0].Reason, c.Pegs.Problems = word, word, []string{word}
	c.Warnings = append(c.Warnings, result.Warning{Message: word, Hint: word})
	doc.Suites[0].Description = word
	doc.Orders = []result.Order{{Suite: doc.Suites[0].Name, Family: word, Param: "size", Metric: "time", Unit: "byte", Cases: 7, From: 1, To: 1e6, Plausible: []string{"n log n"}, Best: "n log n", Error: 0.012, Exponent: 1.1}}
	for i := range doc.Suites[0].Sources {
		doc.Suites[0].Sources[i].File += word
	}
	return doc
}
