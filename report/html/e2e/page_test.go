package e2e

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// page renders a recorded result.
func page(t *testing.T, name string) []byte {
	t.Helper()
	return rendered(t, document(t, name))
}

// document is a recorded result.
func document(t *testing.T, name string) *result.Document {
	t.Helper()
	switch name {
	case "gallery":
		return reporttest.Gallery()
	case "traced":
		return reporttest.Traced()
	}
	if doc := reporttest.Made(name); doc != nil {
		return doc
	}
	return golden.Document(t, "../../testdata/"+name+".json")
}

func rendered(t *testing.T, doc *result.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.Render(&b, "html", doc, table.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// saved writes a page to disk and gives its address.
func saved(t *testing.T, name string) string {
	t.Helper()
	return written(t, name, page(t, name))
}

func written(t *testing.T, name string, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".html")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// recorded are the results whose pages are opened.
func recorded(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recorded results, %v", len(files), err)
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	return append(append(names, reporttest.MadeNames()...), "gallery", "traced")
}

// drawn counts drawings, and those of them of which something cannot be seen: that have
// no size, no marks, or a mark with neither fill nor stroke.
const drawn = `(() => {
	document.querySelectorAll("details").forEach((d) => d.open = true);
	const inked = (p) => [getComputedStyle(p).fill, getComputedStyle(p).stroke].some((ink) => ink !== "none" && ink !== "");
	const blank = (svg) => {
		const box = svg.getBoundingClientRect(), paths = Array.from(svg.querySelectorAll("path"));
		return box.width < 10 || box.height < 10 || paths.length === 0 || !paths.every(inked);
	};
	const all = Array.from(document.querySelectorAll("svg"));
	return {all: all.length, blank: all.filter(blank).length, which: all.filter(blank).map((s) => s.outerHTML.slice(0, 400)).join("\n"),
		text: document.body.innerText.length, rows: document.querySelectorAll("tbody tr").length,
		tools: document.querySelectorAll(".tools:not([hidden])").length};
})()`

type counts struct {
	All, Blank, Text, Rows, Tools int
	Which                         string // the blank ones
}

func (c counts) check(t *testing.T, name string, least int) {
	t.Helper()
	if c.All < least || c.Blank > 0 {
		t.Errorf("%s: %d drawings, %d of them blank; want at least %d: %s", name, c.All, c.Blank, least, c.Which)
	}
	if c.Text < 200 {
		t.Errorf("%s: the page has %d characters", name, c.Text)
	}
}

// Every recorded result opens from disk without a word on the console, and nothing
// that is drawn is empty.
func openFromDisk(t *testing.T, ctx context.Context) {
	said := listen(t, ctx)
	for _, name := range recorded(t) {
		do(t, ctx, chromedp.Navigate(saved(t, name)))
		ask[counts](t, ctx, drawn).check(t, name, 0)
	}
	if texts := said.all(); len(texts) > 0 {
		t.Errorf("the console says %q", texts)
	}
}

// The console is heard: silence is not that of a deaf test.
func consoleIsHeard(t *testing.T, ctx context.Context) {
	said := listen(t, ctx)
	broken := strings.Replace(string(page(t, "gallery")), `<footer>`, `<script>missing()</script><footer>`, 1)
	do(t, ctx, chromedp.Navigate(serve(t, []byte(broken), "script-src 'unsafe-inline'")))
	if len(said.all()) == 0 {
		t.Error("a script that the policy of the page forbids leaves no word on the console")
	}
}

// emptyColumns lists the columns that no row of their table fills.
const emptyColumns = `Array.from(document.querySelectorAll("table")).flatMap((t) => {
	const heads = Array.from(t.tHead?.rows[0].cells ?? []), rows = Array.from(t.tBodies).flatMap((b) => Array.from(b.rows));
	const empty = (cell) => cell.textContent.trim() === "" && !cell.querySelector("svg");
	return heads.filter((_, i) => rows.length && rows.every((r) => r.cells.length === heads.length && empty(r.cells[i]))).map((h) => t.caption?.textContent + ": " + h.textContent);
}).join(", ")`

// A column is there only if it has something to show.
func columnsAreFilled(t *testing.T, ctx context.Context) {
	for _, name := range recorded(t) {
		do(t, ctx, chromedp.Navigate(saved(t, name)))
		if got := ask[string](t, ctx, emptyColumns); got != "" {
			t.Errorf("%s: empty columns %s", name, got)
		}
	}
}

// titles of all drawings.
const titles = `Array.from(document.querySelectorAll("svg > title")).map((t) => t.textContent).join("\n")`

// The page of a full result has every kind of drawing.
func drawingsAreThere(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "gallery")))
	ask[counts](t, ctx, drawn).check(t, "gallery", 50)
	got := ask[string](t, ctx, titles)
	for _, want := range []string{"What became of the gates", "Distribution of time", "Samples in the order", "How the evidence grew", "Ratios of time", "Time per byte over size"} {
		if !strings.Contains(got, want) {
			t.Errorf("no drawing %q among %s", want, got)
		}
	}
}

// A result with pegs and a suite file has pictures of both kinds of arcs, and of what was
// measured besides the time.
func pegsAreThere(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "traced")))
	ask[counts](t, ctx, drawn).check(t, "traced", 40)
	got := ask[string](t, ctx, titles)
	for _, want := range []string{"Where the time goes", "Spans inside of each other", "Distribution of rss", "Ratios of rss"} {
		if !strings.Contains(got, want) {
			t.Errorf("no drawing %q among %s", want, got)
		}
	}
	// A label that is wider than the room left for it would be cut off.
	if cut := ask[string](t, ctx, `Array.from(document.querySelectorAll(".beside svg")).flatMap((s) => Array.from(s.querySelectorAll("text")).filter((t) => {
		const a = s.getBoundingClientRect(), b = t.getBoundingClientRect();
		return b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1;
	})).map((t) => t.textContent).join(", ")`); cut != "" {
		t.Errorf("labels reach beyond their picture: %s", cut)
	}
}

// A gate leads to its line of the suite file, which unfolds.
func gatesLeadToTheSuiteFile(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "traced")), chromedp.Click(chromedp.CSS("article h4 a")))
	if got := ask[string](t, ctx, `(() => { const line = document.querySelector(":target"); return line.closest("details").open + " " + line.className + " " + line.textContent.trim().slice(0, 15); })()`); got != "true bad - {name: case 3" {
		t.Errorf("the gate leads to %q", got)
	}
}

// Scripts may be off: the page has the same rows and drawings.
func nothingIsLostWithoutScripts(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "gallery")))
	with := ask[counts](t, ctx, drawn)
	off := func(off bool) chromedp.Action[chromedp.Void] {
		return command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
	}
	do(t, ctx, off(true), chromedp.Navigate(saved(t, "gallery")), off(false))
	if got := ask[counts](t, ctx, drawn); got.All != with.All || got.Rows != with.Rows || got.Blank > 0 || got.Tools > 0 {
		t.Errorf("without scripts %+v; with them %+v", got, with)
	}
}

// A content policy may forbid scripts and styles: drawings keep their colours.
func nothingIsLostWithoutStyles(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "gallery")))
	with := ask[counts](t, ctx, drawn)
	do(t, ctx, chromedp.Navigate(serve(t, page(t, "gallery"), "default-src 'none'")))
	if got := ask[counts](t, ctx, drawn); got.All != with.All || got.Rows != with.Rows || got.Blank > 0 || got.Tools > 0 {
		t.Errorf("under a policy that forbids all %+v; without it %+v", got, with)
	}
	if fill := ask[string](t, ctx, `getComputedStyle(document.querySelector("path.case")).fill`); fill != "rgb(47, 111, 208)" {
		t.Errorf("bars are %s", fill)
	}
}

// first gives the names of the rows that are shown.
const first = `Array.from(document.querySelectorAll(".rows tbody tr")).filter((r) => !r.hidden).map((r) => r.cells[0].innerText.trim()).join(" ")`

// shownCards gives the names of the cards that are shown.
const shownCards = `Array.from(document.querySelectorAll("[aria-labelledby=each] > details")).filter((d) => !d.hidden).map((d) => d.querySelector("summary bdi").textContent).join(" ")`

// A click on a heading sorts by number and not by text, another one turns it round.
func sorting(t *testing.T, ctx context.Context) {
	time := `document.evaluate("//th/button[text()='time']", document, null, 9).singleNodeValue`
	do(t, ctx, chromedp.Navigate(saved(t, "verdicts")))
	for _, want := range []struct{ rows, direction string }{
		{"parse/small parse/deep parse/large", "ascending"}, {"parse/large parse/deep parse/small", "descending"},
	} {
		ask[any](t, ctx, time+".click()")
		if got := ask[string](t, ctx, first); got != want.rows {
			t.Errorf("%s: %s", want.direction, got)
		}
		if got := ask[string](t, ctx, time+`.parentNode.getAttribute("aria-sort")`); got != want.direction {
			t.Errorf("aria-sort is %q, want %q", got, want.direction)
		}
	}
}

// The field finds rows by words in any order, the list by verdict.
func finding(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "verdicts")), chromedp.SendKeys(chromedp.CSS("input[type=search]"), "SMALL parse"))
	if got := ask[string](t, ctx, first); got != "parse/small" {
		t.Errorf("found %q", got)
	}
	if got := ask[string](t, ctx, `document.querySelector("output").textContent`); got != "1 of 3 cases" {
		t.Errorf("it says %q", got)
	}
	if got := ask[string](t, ctx, shownCards); got != "parse/small" {
		t.Errorf("the cards of %q are shown", got)
	}
	do(t, ctx, chromedp.Navigate(saved(t, "verdicts")))
	ask[any](t, ctx, `(() => { const s = document.querySelector("select"); s.value = "bad"; s.dispatchEvent(new Event("change")); })()`)
	if got := ask[string](t, ctx, first); got != "parse/large parse/deep" {
		t.Errorf("failed: %q", got)
	}
}

// The link of a case unfolds what it leads to.
func linksUnfoldCases(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(saved(t, "gallery")))
	ask[any](t, ctx, `document.querySelectorAll("details").forEach((d) => d.open = false)`)
	do(t, ctx, chromedp.Click(chromedp.CSS(".rows tbody tr:nth-child(2) th a")))
	if !ask[bool](t, ctx, `document.querySelector(document.querySelector(".rows tbody tr:nth-child(2) th a").hash).closest("details").open`) {
		t.Error("the case is folded")
	}
}
