package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/chromedp/cdproto/cdp"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// crowd is a result of n cases; the later in the document, the slower.
func crowd(t *testing.T, n int) *result.Document {
	doc := document(t, "one")
	first := doc.Cases[0]
	doc.Cases = nil
	for i := range n {
		c := first
		c.Name = fmt.Sprintf("case %d", i)
		c.Metrics = append([]result.Summary(nil), first.Metrics...)
		for j := range c.Metrics {
			if s := &c.Metrics[j]; s.Metric == "time" {
				s.Median += float64(i) * 1e-6
				s.Low, s.High = nil, nil
			}
		}
		doc.Cases = append(doc.Cases, c)
	}
	return doc
}

// shownRows gives how many rows a browser has to lay out, and the first of them.
const shownRows = `(() => { const shown = Array.from(document.querySelectorAll(".rows tbody tr")).filter((r) => r.checkVisibility()); return shown.length + " from " + (shown[0]?.cells[0].innerText.trim() ?? ""); })()`

// mutations counts how often the tables change when everything is looked for. A change for each row
// takes time that grows with the square of their number.
const mutations = `(() => {
	const observer = new MutationObserver(() => {});
	document.querySelectorAll(".rows tbody").forEach((body) => observer.observe(body, {childList: true}));
	document.querySelector("input[type=search]").dispatchEvent(new Event("input"));
	return observer.takeRecords().length;
})()`

// Of very many cases no more than 500 are unfolded, and sorting and finding reach all of
// them. A page of 10,000 took 20 s to open while a browser laid all of them out.
func manyCases(t *testing.T, ctx context.Context) {
	do(t, ctx, chromedp.Navigate(written(t, "many", rendered(t, crowd(t, 1200)))))
	expect := func(what, want string) {
		t.Helper()
		if got := ask[string](t, ctx, shownRows); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	expect("at first", "500 from case 0")
	if n := ask[int](t, ctx, mutations); n > 8 {
		t.Errorf("finding changes the tables %d times", n)
	}
	expect("with everything found", "500 from case 0")
	press := `document.evaluate("//th/button[text()='time']", document, null, 9).singleNodeValue.click()`
	ask[any](t, ctx, press)
	ask[any](t, ctx, press)
	expect("the slowest first", "500 from case 1199")
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("input[type=search]"), "case 777"))
	expect("found", "1 from case 777")
	if got := ask[string](t, ctx, `document.querySelector("output").textContent + " " + document.querySelectorAll(".rows tbody tr").length`); got != "1 of 1200 cases 1200" {
		t.Errorf("it says %q", got)
	}
	ask[any](t, ctx, `(() => { const i = document.querySelector("input[type=search]"); i.value = ""; i.dispatchEvent(new Event("input")); document.querySelector(".rest").open = true; })()`)
	expect("unfolded", "1200 from case 1199")
}

// On paper a table has its heads on each of its pages, those that sort it too.
func headsOnEachPage(t *testing.T, ctx context.Context) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext: Debian's package poppler-utils has it")
	}
	do(t, ctx, chromedp.Navigate(written(t, "paper", rendered(t, crowd(t, 140)))))
	ask[any](t, ctx, `document.querySelectorAll("section:not(:has(.rows))").forEach((s) => s.remove())`)
	file := filepath.Join(t.TempDir(), "page.pdf")
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		pdf, err := cdp.Call(ctx, target, cdpage.PrintToPDF, cdpage.PrintToPDFParams{})
		if err != nil {
			return err
		}
		return os.WriteFile(file, pdf.Data, 0o644)
	}))
	text, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	sheets, cases := strings.Split(string(text), "\f"), 0
	for i, sheet := range sheets {
		if !strings.Contains(sheet, "case 1") {
			continue
		}
		cases++
		if heads := strings.Join(strings.Fields(sheet), " "); !strings.Contains(heads, "case time samples") && !strings.Contains(heads, "case time distribution samples") {
			t.Errorf("sheet %d of %d has no heads: %.300s", i+1, len(sheets), heads)
		}
	}
	if cases < 2 {
		t.Errorf("the table has %d sheets", cases)
	}
}
